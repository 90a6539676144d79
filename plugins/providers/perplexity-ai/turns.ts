import type { AdaptMessages, ContentPart, Message } from '#kit/provider'

/** What stands where Perplexity wants a turn of the user and the conversation has none. */
const OPENING = 'Hello.'
const GO_ON = 'Continue.'

/**
 * Instructions first, then the user and the assistant in turns, the user first and last: "After the (optional) system
 * message(s), user or tool message(s) should alternate with assistant message(s)" (400, `invalid_message`; public reports, read
 * 2026-11-22). Neighbours of one role become one message. Gives the same list back where all is well.
 */
export const inTurns: AdaptMessages = (messages) => {
  const firstTurn = messages.findIndex((message) => message?.role !== 'system')
  if (firstTurn === -1) return messages
  const turns: Message[] = []
  for (const message of messages) {
    if (message?.role === 'system') continue
    const before = turns.at(-1)
    if (before !== undefined && areOne(before, message)) turns[turns.length - 1] = joined(before, message)
    else turns.push(message)
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: OPENING })
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', content: GO_ON })
  const made = [...messages.filter((message) => message?.role === 'system'), ...turns]
  return made.length === messages.length && made.every((message, index) => message === messages[index])
    ? messages
    : made
}

/** Calls and their results stay messages of their own. */
const areOne = (before: Message, message: Message): boolean =>
  before?.role === message?.role &&
  (message?.role === 'user' || (message?.role === 'assistant' && !hasCalls(before) && !hasCalls(message)))

const hasCalls = ({ tool_calls: calls }: Message): boolean => Array.isArray(calls) && calls.length > 0

const joined = (before: Message, message: Message): Message => {
  const { content: first } = before
  const { content: second } = message
  const isText = typeof first === 'string' && typeof second === 'string'
  return { ...before, content: isText ? `${first}\n\n${second}` : [...partsOf(first), ...partsOf(second)] }
}

const partsOf = (content: Message['content']): readonly ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}
