import { isRecord } from '#kit'
import type { OfferedTool, Offers } from '../offers.ts'
import type { ToolCall, ToolResult } from '../run-tools.ts'
import type { Fields } from '../turns.ts'

/** Items of OpenAI's Responses that stand for MCP (SDK `openai` 6, `responses.d.ts`: `McpListTools`, `McpCall`, `McpApprovalRequest`). */

const REQUEST_PREFIX = 'mcpr_'

/** What was listed of a server. */
export const listItem = (id: string, label: string, { all }: Offers): Fields => ({
  id,
  type: 'mcp_list_tools',
  server_label: label,
  tools: all
    .filter((offered) => offered.label === label)
    .map(({ tool, description, parameters, annotations }) => ({
      name: tool,
      description: description ?? null,
      input_schema: parameters,
      annotations: annotations ?? null,
    })),
})

/** A call that runs, or has run. */
export const callItem = ({ id, offered, arguments: args }: ToolCall, result?: ToolResult): Fields => ({
  id: `mcp_${id}`,
  type: 'mcp_call',
  server_label: offered.label,
  name: offered.tool,
  arguments: args,
  approval_request_id: null,
  output: result === undefined || result.isError ? null : result.text,
  error: result?.isError === true ? result.text : null,
  status: result === undefined ? 'in_progress' : result.isError ? 'failed' : 'completed',
})

/** A call that waits for the client. All that is needed to run it is in its id, as the client may come back with that alone. */
export const approvalItem = ({ id, offered, arguments: args }: ToolCall): Fields => ({
  id: `${REQUEST_PREFIX}${Buffer.from(JSON.stringify([id, offered.label, offered.tool, args])).toString('base64url')}`,
  type: 'mcp_approval_request',
  server_label: offered.label,
  name: offered.tool,
  arguments: args,
})

/** @returns undefined for what is no request of ours, or is about a tool that is not offered here */
export const readApprovalId = (id: unknown, offers: Offers): ToolCall | undefined => {
  if (typeof id !== 'string' || !id.startsWith(REQUEST_PREFIX)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(id.slice(REQUEST_PREFIX.length), 'base64url').toString())
    if (!Array.isArray(value)) return undefined
    const [callId, label, tool, args]: unknown[] = value
    const offered = find(offers, label, tool)
    if (offered === undefined || typeof callId !== 'string' || typeof args !== 'string') return undefined
    return { id: callId, offered, arguments: args }
  } catch {
    return undefined
  }
}

const find = ({ all }: Offers, label: unknown, tool: unknown): OfferedTool | undefined =>
  all.find((offered) => offered.label === label && offered.tool === tool)

/** As the model is told of it. */
export const functionCall = ({ id, offered, arguments: args }: ToolCall): Fields => ({
  type: 'function_call',
  call_id: id,
  name: offered.name,
  arguments: args,
})

export const functionOutput = (id: string, text: string, isError = false): Fields => ({
  type: 'function_call_output',
  call_id: id,
  output: isError ? `Error: ${text}` : text,
})

/** A call of an earlier response, which the client brings back as it was shown to it. */
export const fromCallItem = (item: Fields, offers: Offers): readonly Fields[] => {
  const { id, server_label: label, name, arguments: args, output, error } = item
  const offered = find(offers, label, name)
  const callId = String(id).replace(/^mcp_/, '')
  if (offered === undefined || typeof args !== 'string') return []
  const isError = typeof error === 'string'
  const text = isError ? error : typeof output === 'string' ? output : ''
  return [functionCall({ id: callId, offered, arguments: args }), functionOutput(callId, text, isError)]
}

/** Calls that a model asked for, of ours. */
export const toOurs = (item: unknown, offers: Offers): ToolCall | undefined => {
  if (!isRecord(item) || item.type !== 'function_call' || typeof item.name !== 'string') return undefined
  const offered = offers.byName(item.name)
  const { call_id: id, arguments: args } = item
  return offered === undefined || typeof id !== 'string' ? undefined : { id, offered, arguments: String(args ?? '') }
}
