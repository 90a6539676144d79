import { countKeys } from '#core/json/json-object'
import { isRecord } from '#kit'

/**
 * Bounds the arguments of tool calls, which are JSON in a text, before an adapter parses them: the same bounds as for a body,
 * for all of them together.
 * @param request whose messages are looked at; one of another kind has none
 * @throws InvalidRequest that names the call
 */
export const checkToolArguments = (request: object): void => {
  const { messages }: { readonly messages?: unknown } = request
  if (!Array.isArray(messages)) return
  let keys = 0
  const add = (text: unknown, path: string): void => {
    if (typeof text === 'string') keys = countKeys(encoder.encode(text), `\`${path}\``, keys)
  }
  messages.forEach((message: unknown, index) => {
    if (!isRecord(message)) return
    const { tool_calls: calls, function_call: older } = message
    if (isRecord(older)) add(older.arguments, `messages[${index}].function_call.arguments`)
    if (!Array.isArray(calls)) return
    calls.forEach((call: unknown, place) => {
      if (!isRecord(call) || !isRecord(call.function)) return
      add(call.function.arguments, `messages[${index}].tool_calls[${place}].function.arguments`)
    })
  })
}

const encoder = new TextEncoder()
