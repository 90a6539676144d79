import { accumulate } from '../../calls/accumulate.ts'
import { createTextAccumulator } from '../../calls/accumulate-text.ts'
import type { ChatCompletion, ChatCompletionChunk, TextCompletion } from '../provider/openai.ts'
import { asJson } from './check-case.ts'

type Fields = Record<string, unknown>

/** What the chunks of a stream add up to, in the form that can be compared. */
export const comparableSum = (endpoint: string, chunks: readonly object[]): Fields => {
  if (endpoint !== 'completions') return comparableChat(accumulate(chunks as readonly ChatCompletionChunk[]))
  const accumulator = createTextAccumulator()
  for (const chunk of chunks as readonly TextCompletion[]) accumulator.add(chunk)
  return comparableText(accumulator.whole())
}

/** A whole answer in that form. */
export const comparableReply = (endpoint: string, reply: unknown): Fields =>
  endpoint === 'completions' ? comparableText(reply as TextCompletion) : comparableChat(reply as ChatCompletion)

const comparableText = ({ id: _id, created: _created, ...reply }: TextCompletion): Fields =>
  asJson({
    ...reply,
    choices: reply.choices.map((choice) => ({ ...choice, logprobs: choice.logprobs ?? null })),
  }) as Fields

/** Without what may honestly differ: id, time, and empty fields that one form writes and the other leaves out. */
const comparableChat = ({ id: _id, created: _created, ...reply }: ChatCompletion): Fields =>
  asJson({
    ...reply,
    choices: reply.choices.map(({ message, ...choice }) => ({
      ...choice,
      logprobs: choice.logprobs ?? null,
      message: Object.fromEntries(
        Object.entries(message).filter(([, value]) => value !== null && value !== '' && value !== undefined),
      ),
    })),
  }) as Fields
