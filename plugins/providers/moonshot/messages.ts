import { type AdaptMessages, type Message, mapChanged } from '#kit/provider'
import { thinksHere } from './thinking.ts'

/**
 * Messages as Kimi takes them: an answer that says nothing is left out ("message at position 2 with role 'assistant' must not be
 * empty", 400), and while the model thinks, each turn with calls brings its reasoning, which one of another provider has not: a
 * blank is the least that is accepted (BerriAI/litellm 1.109.1, moonshot/chat/transformation.py). Both read 2026-11-22.
 */
export const adaptMessages: AdaptMessages = (messages, request, { model }) => {
  const said = messages.some(isEmptyAnswer) ? messages.filter((message) => !isEmptyAnswer(message)) : messages
  return thinksHere(request, model) ? mapChanged(said, withReasoning) : said
}

const isEmptyAnswer = (message: Message): boolean => {
  if (message?.role !== 'assistant' || hasCalls(message)) return false
  const { content } = message
  return content === undefined || content === null || (typeof content === 'string' ? !/\S/.test(content) : false)
}

const hasCalls = ({ tool_calls: calls }: Message): boolean => Array.isArray(calls) && calls.length > 0

const withReasoning = (message: Message): Message => {
  if (message?.role !== 'assistant' || !hasCalls(message)) return message
  const { reasoning_content: said } = message
  return typeof said === 'string' && said !== '' ? message : { ...message, reasoning_content: ' ' }
}
