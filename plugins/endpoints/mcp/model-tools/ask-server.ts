import { fromWeb } from '#core/bodies/ready-stream'
import { messagesOf } from '#core/mcp/messages'
import type { McpTarget } from '#core/mcp/servers'
import { type Call, type GatewayError, type Host, isRecord, McpLoginRequired, UpstreamUnreachable } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** What a server came back with. */
export type ServerAnswer =
  | { readonly result: Fields }
  /** In words for the model; and for the client, where the whole call fails with it. */
  | { readonly error: string; readonly refusal: GatewayError }

const ROUTE = '/mcp/:name/mcp'
const MAX_WORDS = 2_000

/** Asks a server as its client would at its address: with the same limits, guardrails, records and access of the same caller. */
export const askServer = async (
  { innerCalls }: Pick<Host, 'innerCalls'>,
  call: Call,
  target: McpTarget,
  message: { readonly method: string; readonly params: Fields },
): Promise<ServerAnswer> => {
  const response = await innerCalls.open(call, {
    route: ROUTE,
    params: { name: target.id },
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, ...message },
  })
  const { status, headers, body } = response
  for await (const { kind, fields } of messagesOf({ status, headers, body: fromWeb(body) })) {
    if (kind !== 'answer') continue
    if (isRecord(fields.result)) return { result: fields.result }
    if (isRecord(fields.error)) return refused(target, fields.error)
    break
  }
  const nothing = new UpstreamUnreachable(`The MCP server '${target.slug}' gave no answer.`)
  return { error: nothing.message, refusal: nothing }
}

const refused = ({ slug }: McpTarget, { message, data }: Fields): ServerAnswer => {
  const words = typeof message === 'string' ? message.slice(0, MAX_WORDS) : 'it was refused'
  if (isRecord(data) && data.type === 'oauth_required' && typeof data.authorizationUrl === 'string') {
    const extra = { authorization_url: data.authorizationUrl }
    return { error: words, refusal: new McpLoginRequired(words, { extra }) }
  }
  return { error: words, refusal: new UpstreamUnreachable(`The MCP server '${slug}' refused: ${words}`) }
}
