import { type AdaptMessages, type Message, mapChanged } from '#kit'
import { ToolIds } from './tool-ids.ts'

/** The words between the result of a tool and what a user says next; an empty message is refused. */
const BRIDGE: Message = { role: 'assistant', content: 'I have read the results.' }

/**
 * Messages as Mistral takes them: ids of tool calls in its form, an answer between a tool and a user (400, code 3230:
 * "Unexpected role 'user' after role 'tool'", public reports, read 2026-11-22), earlier reasoning as a part of the content, and
 * a last message of the assistant marked as the beginning of the answer, which it otherwise refuses (mistral-common
 * 1.13.1, validator.py, "Expected last role User or Tool (or Assistant with prefix)").
 */
export const adaptMessages: AdaptMessages = (messages, request, { model }, report) => {
  const ids = new ToolIds(messages.flatMap(idsOf))
  const thinks = canTakeThinking(model, request)
  const adapted = mapChanged(messages, (message, index) => {
    if (typeof message !== 'object' || message === null) return message
    if (message.role === 'tool') return withToolId(message, ids)
    if (message.role !== 'assistant') return message
    const spoken = withThinking(withCallIds(message, ids), thinks, report)
    const isPrefix = index === messages.length - 1 && isText(spoken) && spoken.prefix === undefined
    return isPrefix ? { ...spoken, prefix: true } : spoken
  })
  return bridged(adapted)
}

const idsOf = (message: Message | null): readonly string[] => [
  ...(Array.isArray(message?.tool_calls) ? message.tool_calls : []).flatMap((call: { id?: unknown } | null) =>
    typeof call?.id === 'string' ? [call.id] : [],
  ),
  ...(typeof message?.tool_call_id === 'string' ? [message.tool_call_id] : []),
]

const withToolId = (message: Message, ids: ToolIds): Message => {
  const { tool_call_id: id } = message
  if (typeof id !== 'string') return message
  const short = ids.of(id)
  return short === id ? message : { ...message, tool_call_id: short }
}

const withCallIds = (message: Message, ids: ToolIds): Message => {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  const adapted = mapChanged(calls as NonNullable<Message['tool_calls']>, (call) => {
    if (typeof call?.id !== 'string') return call
    const short = ids.of(call.id)
    return short === call.id ? call : { ...call, id: short }
  })
  return adapted === calls ? message : { ...message, tool_calls: adapted }
}

/** Only models that think know parts of that kind; asked to, a model of theirs thinks by `reasoning_effort`. */
const canTakeThinking = (
  model: string,
  request: { readonly reasoning_effort?: unknown; readonly prompt_mode?: unknown },
) =>
  model.startsWith('magistral') ||
  request.prompt_mode === 'reasoning' ||
  (typeof request.reasoning_effort === 'string' && request.reasoning_effort !== 'none')

const withThinking = (message: Message, thinks: boolean, report: (part: string) => void): Message => {
  if (!Object.hasOwn(message, 'reasoning_content')) return message
  const { reasoning_content: reasoning, ...rest } = message
  if (typeof reasoning !== 'string' || reasoning === '') return rest
  if (!thinks) {
    report('messages[].reasoning_content')
    return rest
  }
  const said = typeof rest.content === 'string' ? [{ type: 'text', text: rest.content }] : (rest.content ?? [])
  const thought = { type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }
  return { ...rest, content: [thought, ...said.filter((part) => part.type !== 'text' || part.text !== '')] }
}

const isText = ({ content, tool_calls: calls }: Message): boolean =>
  content !== undefined &&
  content !== null &&
  content.length > 0 &&
  (calls === undefined || calls === null || calls.length === 0)

const bridged = (messages: readonly Message[]): readonly Message[] => {
  const isGap = (message: Message | null, index: number): boolean =>
    message?.role === 'user' && messages[index - 1]?.role === 'tool'
  if (!messages.some(isGap)) return messages
  return messages.flatMap((message, index) => (isGap(message, index) ? [BRIDGE, message] : [message]))
}
