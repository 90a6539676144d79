import { createTextAccumulator } from '#calls/accumulate-text'
import { type AnswerForm, isRecord } from '#kit'
import type { TextChoice, TextCompletion } from '#kit/provider'
import { inPieces } from './in-pieces.ts'

export const textAnswers: AnswerForm = {
  read: (body) =>
    isWhole(body) ? { answer: body, chunks: (includeUsage) => toChunks(body, includeUsage) } : undefined,
  collector: () => {
    const accumulator = createTextAccumulator()
    return {
      add(chunk) {
        if (!isText(chunk)) throw new Error('an event is not a piece of a text completion')
        accumulator.add(chunk)
      },
      whole: () => accumulator.whole(),
    }
  },
}

/** A whole answer and a piece of one have the same form. */
const isText = (body: unknown): body is TextCompletion & Record<string, unknown> =>
  isRecord(body) &&
  Array.isArray(body.choices) &&
  body.choices.every((choice) => isRecord(choice) && typeof choice.text === 'string' && Number.isInteger(choice.index))

const isWhole = (body: unknown): body is TextCompletion & Record<string, unknown> =>
  isText(body) &&
  body.choices.length > 0 &&
  body.choices.every(({ finish_reason: reason }) => typeof reason === 'string')

/** Pieces that add up to the answer, unknown fields included. */
function* toChunks(answer: TextCompletion, includeUsage: boolean): Generator<TextCompletion> {
  const { choices, usage, ...rest } = answer
  const isCounted = includeUsage && usage !== undefined && usage !== null
  const chunk = (of: readonly TextChoice[]): TextCompletion => ({
    ...rest,
    choices: of,
    ...(isCounted ? { usage: null } : {}),
  })
  for (const choice of choices) {
    const { text, index } = choice
    for (const piece of inPieces(text)) yield chunk([{ text: piece, index, logprobs: null, finish_reason: null }])
    yield chunk([{ ...choice, text: '' }])
  }
  if (isCounted) yield { ...chunk([]), usage }
}
