import { isRecord } from '#kit'
import { type AnswerDialect, type AnswerPlace, mapChanged, shortId } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/**
 * What of Mistral's answers is not OpenAI's form: `content` may be a list of parts, thinking among them, and tool calls come
 * without `type`, sometimes without an id ("null"). Source: mistralai 3.7.0 of PyPI (assistantmessage.py, deltamessage.py,
 * contentchunk.py, thinkchunk.py, toolcall.py, chatcompletionchoice.py), read 2026-11-22.
 */
export const ANSWERS: AnswerDialect = {
  finishReasons: { model_length: 'length', error: 'error' },
  fields: ['type', 'tool_calls'],
  message: (message, place) => withCalls(withText(message, place), place),
}

const withText = (message: Fields, { isDelta }: AnswerPlace): Fields => {
  const { content, ...rest } = message
  if (!Array.isArray(content)) return message
  const parts = content.filter(isRecord)
  const text = textOf(parts)
  const thought = parts.flatMap(({ type, thinking }) =>
    type === 'thinking' && Array.isArray(thinking) ? [textOf(thinking.filter(isRecord))] : [],
  )
  const reasoning = thought.join('')
  return {
    ...rest,
    // A piece that only thinks has no text; a whole message always says whether it has one.
    ...(text !== '' || !isDelta ? { content: text } : {}),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
  }
}

/** References to sources and to files stand between the texts; they are no words of the answer. */
const textOf = (parts: readonly Fields[]): string =>
  parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('')

const withCalls = (message: Fields, place: AnswerPlace): Fields => {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  const made = mapChanged(calls as readonly unknown[], (call, index) => withType(call, index, place))
  return made === calls ? message : { ...message, tool_calls: made }
}

const withType = (call: unknown, at: number, { isDelta, choice, context }: AnswerPlace): unknown => {
  if (!isRecord(call)) return call
  const { id, type, index, function: called, ...rest } = call
  const hasId = typeof id === 'string' && id !== '' && id !== 'null'
  // The first piece of a call has its name; those after it go by their place.
  const begins = !isDelta || (isRecord(called) && typeof called.name === 'string' && called.name !== '')
  const isPlaced = !isDelta || typeof index === 'number'
  if (isPlaced && (begins || hasId ? hasId && typeof type === 'string' : id === undefined)) return call
  const place = typeof index === 'number' ? index : at
  return {
    ...(isDelta || index !== undefined ? { index: place } : {}),
    ...(hasId ? { id } : begins ? { id: shortId(`${context.callId} ${choice} ${place}`) } : {}),
    ...(begins || hasId ? { type: 'function' } : {}),
    ...rest,
    function: called,
  }
}
