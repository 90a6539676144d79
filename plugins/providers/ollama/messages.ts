import { isRecord } from '#kit'
import { type AdaptMessages, type Message, mapChanged } from '#kit/provider'

/**
 * Messages as Ollama takes them: it parses the arguments of earlier calls into an object, and answers 400 ("invalid tool call
 * arguments") where they are none (ollama/ollama, openai/openai.go, read 2026-11-22).
 */
export const adaptMessages: AdaptMessages = (messages) =>
  mapChanged(messages, (message) => {
    if (message?.role !== 'assistant' || !Array.isArray(message.tool_calls)) return message
    const calls: NonNullable<Message['tool_calls']> = message.tool_calls
    const made = mapChanged(calls, (call) => {
      const text = isRecord(call?.function) ? (call.function.arguments ?? '') : undefined
      if (typeof text !== 'string' || isObject(text)) return call
      // What a model wrote that is no object stays readable.
      const args = text.trim() === '' ? {} : { arguments: text }
      return { ...call, function: { ...call.function, arguments: JSON.stringify(args) } }
    })
    return made === calls ? message : { ...message, tool_calls: made }
  })

const isObject = (text: string): boolean => {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}
