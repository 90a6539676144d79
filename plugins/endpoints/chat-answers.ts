import { createAccumulator } from '#calls/accumulate'
import { type AnswerForm, isRecord } from '#kit'
import type { ChatCompletion, ChatCompletionChunk } from '#kit/provider'
import { toChunks } from './chat-chunks.ts'

export const chatAnswers: AnswerForm = {
  read: (body) =>
    isCompletion(body) ? { answer: body, chunks: (includeUsage) => toChunks(body, includeUsage) } : undefined,
  collector: () => {
    const accumulator = createAccumulator()
    return {
      add(chunk) {
        if (!isChunk(chunk)) throw new Error('an event is not a chunk of a chat')
        accumulator.add(chunk)
      },
      whole: () => accumulator.whole(),
    }
  },
}

const isCompletion = (body: unknown): body is ChatCompletion & Record<string, unknown> => {
  if (!isRecord(body) || !Array.isArray(body.choices) || body.choices.length === 0) return false
  return body.choices.every(
    (choice: unknown) => isRecord(choice) && isRecord(choice.message) && typeof choice.finish_reason === 'string',
  )
}

const isChunk = (chunk: Readonly<Record<string, unknown>>): chunk is ChatCompletionChunk & Record<string, unknown> =>
  Array.isArray(chunk.choices) &&
  chunk.choices.every((choice) => isRecord(choice) && isRecord(choice.delta) && canBeAdded(choice.delta))

/** Pieces of an object of its own form, such as audio or the older function call, cannot be put together. */
const canBeAdded = (delta: Record<string, unknown>): boolean => !Object.values(delta).some(isRecord)
