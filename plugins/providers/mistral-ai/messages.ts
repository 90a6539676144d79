import { type AdaptMessages, type Message, mapChanged } from '#kit/provider'

/** The words between the result of a tool and what a user says next; an empty message is refused. */
const BRIDGE: Message = { role: 'assistant', content: 'I have read the results.' }

/**
 * Messages as Mistral takes them: an answer between a tool and a user (400, code 3230: "Unexpected role 'user' after role
 * 'tool'", public reports, read 2026-11-22), none that says nothing ("Assistant message must have either content or tool_calls,
 * but not none", OpenHands/OpenHands #8685), instructions at the beginning or behind a user's message, earlier reasoning as a
 * part of the content, and a last message of the assistant marked as the beginning of the answer, which it otherwise refuses
 * (mistral-common 1.13.1, validator.py, "Expected last role User or Tool (or Assistant with prefix)").
 */
export const adaptMessages: AdaptMessages = (messages, request, { model }, report) => {
  const thinks = canTakeThinking(model, request)
  const thought = mapChanged(messages, (message) =>
    message?.role === 'assistant' ? withThinking(message, thinks, report) : message,
  )
  const heard = thought.some(isSilent) ? thought.filter((message) => !isSilent(message)) : thought
  return bridged(withLast(withInstructions(heard)))
}

const isSilent = (message: Message | null): boolean =>
  message?.role === 'assistant' && (message.content ?? '').length === 0 && (message.tool_calls ?? []).length === 0

/** Instructions behind an answer or a result go to those at the beginning. */
const withInstructions = (messages: readonly Message[]): readonly Message[] => {
  const first: Message[] = []
  const rest: Message[] = []
  let before: string | undefined
  let isLate = false
  for (const message of messages) {
    if (message?.role === 'system') {
      isLate ||= before === 'assistant' || before === 'tool'
      const isFirst = before === undefined || before === 'assistant' || before === 'tool'
      if (isFirst) first.push(message)
      else rest.push(message)
    } else {
      before = message?.role
      rest.push(message)
    }
  }
  return isLate ? [...first, ...rest] : messages
}

const withLast = (messages: readonly Message[]): readonly Message[] => {
  const last = messages.at(-1)
  if (last?.role === 'assistant' && isText(last) && last.prefix === undefined) {
    return [...messages.slice(0, -1), { ...last, prefix: true }]
  }
  // One alone is taken.
  if (last?.role === 'system' && messages.length > 1) return [...messages.slice(0, -1), { ...last, role: 'user' }]
  return messages
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
