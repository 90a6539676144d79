import { isRecord } from '#kit'
import type { Offers } from '../offers.ts'
import type { ToolCall, ToolResult } from '../run-tools.ts'
import type { Fields } from '../turns.ts'

/** A tool call of a chat. */
export interface ChatCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** What a chat has been told so far, as the next turn is asked. */
export const toBody = (
  params: Fields,
  messages: readonly unknown[],
  offers: Offers,
  others: readonly unknown[],
): Fields => {
  const functions = offers.all.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters },
  }))
  const tools = [...others, ...functions]
  const { tools: _, tool_choice: choice, ...rest } = params
  return {
    ...rest,
    messages,
    ...(tools.length === 0 ? {} : { tools, ...(choice === undefined ? {} : { tool_choice: choice }) }),
  }
}

export const callsIn = (message: unknown): readonly ChatCall[] => {
  const calls = isRecord(message) ? message.tool_calls : undefined
  return Array.isArray(calls) ? calls.filter(isCall) : []
}

const isCall = (call: unknown): call is ChatCall =>
  isRecord(call) && typeof call.id === 'string' && isRecord(call.function) && typeof call.function.name === 'string'

/** Calls of tools of ours that may run now; undefined where the client has to see them first, or has tools of its own among them. */
export const runnable = (calls: readonly ChatCall[], offers: Offers): readonly ToolCall[] | undefined => {
  const ours = toOurs(calls, offers)
  const isAll = ours.length === calls.length && ours.length > 0
  return isAll && ours.every(({ offered }) => !offered.needsApproval) ? ours : undefined
}

export const toOurs = (calls: readonly ChatCall[], offers: Offers): readonly ToolCall[] =>
  calls.flatMap(({ id, function: { name, arguments: args } }) => {
    const offered = offers.byName(name)
    return offered === undefined ? [] : [{ id, offered, arguments: args ?? '' }]
  })

/**
 * Calls that a client sends back without their results: it has seen them, and wants them run. A client that declines answers them
 * itself.
 */
export const approvedIn = (messages: readonly unknown[], offers: Offers): readonly ToolCall[] => {
  const last = messages.findLastIndex((message) => isRecord(message) && message.role === 'assistant')
  const behind = messages.slice(last + 1)
  if (last === -1 || !behind.every((message) => isRecord(message) && message.role === 'tool')) return []
  const answered = new Set(behind.map((message) => (isRecord(message) ? message.tool_call_id : undefined)))
  return toOurs(
    callsIn(messages[last]).filter(({ id }) => !answered.has(id)),
    offers,
  )
}

export const resultMessages = (results: readonly ToolResult[]): readonly Fields[] =>
  results.map(({ id, text, isError }) => ({
    role: 'tool',
    tool_call_id: id,
    content: isError ? `Error: ${text}` : text,
  }))
