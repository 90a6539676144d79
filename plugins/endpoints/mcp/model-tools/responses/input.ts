import { type Call, InvalidRequest, isRecord } from '#kit'
import type { ToolLoop } from '../loop.ts'
import type { Offers } from '../offers.ts'
import { runTools, type ToolCall } from '../run-tools.ts'
import type { Fields } from '../turns.ts'
import { fromCallItem, functionCall, functionOutput, readApprovalId } from './items.ts'

/**
 * What a client says, as its model is told: items of MCP become calls of functions and their results; what the client approves runs
 * now.
 * @throws InvalidRequest for an approval of nothing that was asked
 */
export const toInput = async (
  loop: ToolLoop,
  call: Call,
  input: unknown,
  offers: Offers,
): Promise<readonly unknown[]> => {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const items = Array.isArray(input) ? (input as readonly unknown[]) : []
  const approved: ToolCall[] = []
  const told = items.flatMap((item, index): readonly unknown[] => {
    if (!isRecord(item)) return [item]
    switch (item.type) {
      case 'mcp_list_tools':
        return []
      case 'mcp_call':
        return fromCallItem(item, offers)
      case 'mcp_approval_request': {
        const asked = readApprovalId(item.id, offers)
        return asked === undefined ? [] : [functionCall(asked)]
      }
      case 'mcp_approval_response':
        return answerOf(item, `input[${index}]`, offers, approved)
      default:
        return [item]
    }
  })
  const results = new Map((await runTools(loop.host, call, approved)).map((result) => [result.id, result]))
  return told.map((item) => {
    const result = isRecord(item) && item[WAITS] === true ? results.get(String(item.call_id)) : undefined
    return result === undefined ? item : functionOutput(result.id, result.text, result.isError)
  })
}

/** Marks the place of a result that is not there yet; no field is called so. */
const WAITS = ' waits'

const answerOf = (item: Fields, at: string, offers: Offers, approved: ToolCall[]): readonly Fields[] => {
  const asked = readApprovalId(item.approval_request_id, offers)
  if (asked === undefined) {
    const param = `${at}.approval_request_id`
    throw new InvalidRequest(`\`${param}\` is no request of a tool that this call offers.`, { param })
  }
  if (item.approve === true) {
    approved.push(asked)
    return [{ ...functionOutput(asked.id, ''), [WAITS]: true }]
  }
  const why = typeof item.reason === 'string' ? `: ${item.reason}` : '.'
  return [functionOutput(asked.id, `The user declined this call${why}`)]
}

/** Labels of servers whose tools the client has been shown already. */
export const listedIn = (input: unknown): ReadonlySet<unknown> =>
  new Set(
    Array.isArray(input)
      ? input.flatMap((item: unknown) => (isRecord(item) && item.type === 'mcp_list_tools' ? [item.server_label] : []))
      : [],
  )
