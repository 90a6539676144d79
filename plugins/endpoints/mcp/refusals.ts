import type { McpReply } from '#core/mcp/ask'
import { type Message, type MessageId, RPC, readMessages } from '#core/mcp/json-rpc'
import type { McpLoginMissing } from '#core/mcp/login-missing'
import {
  type Answer,
  type Call,
  collect,
  type GatewayError,
  InvalidRequest,
  McpLoginRequired,
  UpstreamUnreachable,
} from '#kit'
import { principal } from '#kit/slots'
import { asAnswer } from './errors.ts'
import type { Named } from './hidden.ts'
import { ToolDenied } from './tool-guardrails.ts'

export const NOTHING = new Uint8Array(0)
/** Bytes of a refusal of a server that are looked at. */
const MAX_REFUSAL_BYTES = 64 * 1024

export const eventHeaders = (): Headers =>
  new Headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })

export const pick = (headers: McpReply['headers'], names: readonly string[]): Headers => {
  const picked = new Headers()
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) picked.set(name, value)
  }
  return picked
}

/** The id that an error of the whole call is about. */
export const idOf = (messages: readonly Message[]) => {
  const [first] = messages
  return messages.length === 1 && first?.kind === 'request' ? first.id : null
}

export const unreachable = (message: string, id: ReturnType<typeof idOf>, cause: unknown): GatewayError =>
  asAnswer(new UpstreamUnreachable(message, { cause }), id, {
    code: RPC.internal,
    status: id === null ? 502 : 200,
    data: {},
  })

/** A server that answers with another status: its own message where it has one, else one of ours. */
export const refused = async ({ status, headers, body }: McpReply, id: ReturnType<typeof idOf>): Promise<Answer> => {
  const bytes = await collect(body, MAX_REFUSAL_BYTES).catch(() => NOTHING)
  const isLogin = status === 401 || status === 403
  // A session that the server has ended is begun anew by the client; so is told what it may not do (405).
  if (!isLogin && (status === 404 || status === 405 || isMessage(bytes))) {
    return { status, headers: pick(headers, ['content-type', 'allow', 'retry-after']), body: bytes }
  }
  const why = isLogin ? 'does not accept the credentials of its integration' : `answered with status ${status}`
  throw unreachable(`The MCP server ${why}.`, id, undefined)
}

const isMessage = (bytes: Uint8Array): boolean => {
  try {
    return readMessages(bytes).length > 0
  } catch {
    return false
  }
}

/** What a message names is not there, or is as good as that for its caller. */
export const notHere = ({ type, name }: Named, id: MessageId | null): GatewayError =>
  asAnswer(new InvalidRequest(`There is no ${type.replace('_', ' ')} '${name}' here.`, { param: 'params' }), id, {
    code: RPC.invalidParams,
    status: 200,
    data: { [type]: name },
  })

/**
 * The user has to agree at the server behind (interface, section 10.3). A client that signed its user in itself would take a 401
 * for a word about its own token.
 */
export const loginNeeded = (call: Call, thrown: McpLoginMissing, id: MessageId | null): GatewayError =>
  asAnswer(new McpLoginRequired(thrown.message, { cause: thrown }), id, {
    status: call.get(principal).isForeign === true && id !== null ? 200 : 401,
    data: { type: 'oauth_required', authorizationUrl: thrown.authorizationUrl },
  })

/** A refusal before the server was asked. */
export const refusal = (error: GatewayError, id: MessageId): GatewayError =>
  error instanceof ToolDenied
    ? asAnswer(error, id, {
        code: RPC.guardrail,
        status: 200,
        data: { guardrail_id: error.guardrailId, reason: error.reason },
      })
    : asAnswer(error, id)

export const deniedMessage = ({ message, guardrailId, reason }: ToolDenied, id: MessageId): object => ({
  jsonrpc: '2.0',
  id,
  error: { code: RPC.guardrail, message, data: { guardrail_id: guardrailId, reason } },
})
