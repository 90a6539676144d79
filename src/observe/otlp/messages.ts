import { isRecord } from '../../core/json/record.ts'
import type { BodySide, RecordedMessage } from '../../core/records.ts'

/** One part of a message in the conventions' form. */
interface Part {
  readonly type: string
  readonly content?: string
  readonly [more: string]: unknown
}

/**
 * What was asked, as `gen_ai.input.messages` writes it: `[{role, parts: [{type: "text", content}]}]`. A body that is not in a
 * form with turns is one message as it is.
 */
export const inputMessages = (messages: readonly RecordedMessage[]): string | undefined => {
  const text = bodyOf(messages, 'request')
  if (text === undefined) return undefined
  const body = parsed(text)
  const turns = isRecord(body) ? (body.messages ?? body.input ?? body.contents ?? body.prompt) : undefined
  if (typeof turns === 'string') return written([{ role: 'user', parts: [textPart(turns)] }])
  if (!Array.isArray(turns)) return written([{ role: 'user', parts: [textPart(text)] }])
  return written(turns.map((turn) => messageOf(turn, 'user')))
}

/** What was answered, as `gen_ai.output.messages` writes it. */
export const outputMessages = (messages: readonly RecordedMessage[]): string | undefined => {
  const text = bodyOf(messages, 'answer')
  if (text === undefined) return undefined
  const body = parsed(text)
  if (isRecord(body) && Array.isArray(body.choices)) {
    return written(
      body.choices.filter(isRecord).map((choice) => ({
        ...messageOf(isRecord(choice.message) ? choice.message : { content: choice.text }, 'assistant'),
        finish_reason: choice.finish_reason ?? 'unknown',
      })),
    )
  }
  if (isRecord(body) && (Array.isArray(body.content) || Array.isArray(body.output))) {
    const finish = { finish_reason: body.stop_reason ?? body.status ?? 'unknown' }
    const turns = Array.isArray(body.output) ? body.output : [body]
    return written(turns.map((turn) => ({ ...messageOf(turn, 'assistant'), ...finish })))
  }
  return written([{ role: 'assistant', parts: [textPart(text)], finish_reason: 'unknown' }])
}

const utf8 = new TextDecoder()

const bodyOf = (messages: readonly RecordedMessage[], side: BodySide): string | undefined => {
  const body = messages.find((message) => message.side === side)?.body
  return body && utf8.decode(body)
}

/** What was cut is no JSON any more. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const written = (value: unknown): string => JSON.stringify(value)

const textPart = (content: string): Part => ({ type: 'text', content })

const messageOf = (
  turn: unknown,
  fallbackRole: string,
): { readonly role: unknown; readonly parts: readonly Part[] } => {
  if (typeof turn === 'string') return { role: fallbackRole, parts: [textPart(turn)] }
  if (!isRecord(turn)) return { role: fallbackRole, parts: [] }
  const { role = fallbackRole, content = turn.parts, tool_calls: toolCalls } = turn
  const parts = Array.isArray(content) ? content.map(partOf) : typeof content === 'string' ? [textPart(content)] : []
  const calls = Array.isArray(toolCalls) ? toolCalls.filter(isRecord).map(toolCallOf) : []
  return { role, parts: [...parts, ...calls] }
}

const partOf = (part: unknown): Part => {
  if (typeof part === 'string') return textPart(part)
  if (!isRecord(part)) return textPart(JSON.stringify(part))
  return typeof part.text === 'string' ? textPart(part.text) : { ...part, type: String(part.type ?? 'unknown') }
}

const toolCallOf = (call: Readonly<Record<string, unknown>>): Part => {
  const asked = isRecord(call.function) ? call.function : {}
  return { type: 'tool_call', id: call.id, name: asked.name, arguments: asked.arguments }
}
