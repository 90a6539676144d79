import { isRecord, parseJson, type SseEvent, StreamTruncated } from '#kit'
import {
  type AdapterContext,
  type ChatCompletionChunk,
  type ChunkChoice,
  type Delta,
  type StreamMachine,
  usageFromOpenAI,
} from '#kit/provider'
import { type Candidate, createCandidate } from './candidate.ts'
import { throwError } from './failure.ts'
import { type Fields, textOf, unreadable } from './json.ts'
import { toLogprobs } from './logprobs.ts'
import { blockReason, candidatesOf, replyId } from './reply.ts'
import { toUsage } from './usage.ts'

/**
 * Reads the stream of `streamGenerateContent?alt=sse`: each event is an answer with the parts that are new.
 *
 * It has no event that ends it: it is complete when every candidate seen has its finish reason. The reasons are kept
 * back until the provider closes the stream, since some models repeat theirs in each event.
 */
export const createStream = (context: AdapterContext): StreamMachine<ChatCompletionChunk> => {
  const candidates = new Map<number, Candidate>()
  const begun = new Set<number>()
  /** Counts are cumulative, and an event may leave some out: the last one of each holds. */
  let counts: Fields = {}
  let base: Pick<ChatCompletionChunk, 'id' | 'object' | 'created' | 'model'> | undefined

  const candidateAt = (index: number): Candidate => {
    const candidate = candidates.get(index) ?? createCandidate(index, context)
    candidates.set(index, candidate)
    return candidate
  }

  const isComplete = (): boolean =>
    candidates.size > 0 && [...candidates.values()].every((candidate) => candidate.isStopped())

  const chunk = (choices: readonly ChunkChoice[]): ChatCompletionChunk => {
    base ??= baseOf({}, context)
    return { ...base, choices }
  }

  const choice = (index: number, delta: Delta, rest: Partial<ChunkChoice> = {}): ChunkChoice => {
    const role = begun.has(index) ? {} : { role: 'assistant' as const }
    begun.add(index)
    return { index, delta: { ...role, ...delta }, finish_reason: null, ...rest }
  }

  const readBody = (body: Fields): ChatCompletionChunk[] => {
    base ??= baseOf(body, context)
    if (isRecord(body.usageMetadata)) counts = { ...counts, ...body.usageMetadata }
    const answers = candidatesOf(body)
    const reason = blockReason(body)
    if (reason !== undefined && answers.length === 0 && candidates.size === 0) {
      return [chunk([choice(0, candidateAt(0).block(reason))])]
    }
    return answers.flatMap(([index, answer]) => {
      const candidate = candidateAt(index)
      const pieces = candidate.read(answer.content)
      const word = textOf(answer.finishReason)
      if (word !== undefined) candidate.stop(word, textOf(answer.finishMessage))
      const logprobs = toLogprobs(answer.logprobsResult)
      if (Object.keys(pieces).length === 0 && logprobs === undefined) return []
      return [chunk([choice(index, pieces, logprobs === undefined ? {} : { logprobs })])]
    })
  }

  return {
    push: (event: SseEvent) => {
      if (event.data.trim() === '') return []
      const body = parse(event.data)
      throwError(body)
      if (!isRecord(body)) throw unreadable('an event of the stream is not a JSON object')
      return readBody(body)
    },
    end: () => {
      if (!isComplete()) {
        throw new StreamTruncated('The stream of the provider ended before the answer was complete.', {
          provider: 'google',
        })
      }
      const answers = [...candidates.values()].sort((one, other) => one.index - other.index)
      const last = answers.map((candidate) => {
        const { finish_reason, ...delta } = candidate.finish()
        return chunk([choice(candidate.index, delta, { finish_reason })])
      })
      const usage = context.includeUsage ? toUsage(counts) : undefined
      return usage === undefined ? last : [...last, { ...chunk([]), usage }]
    },
    usage: () => usageFromOpenAI(toUsage(counts)),
    complete: isComplete,
  }
}

const baseOf = (body: Fields, context: AdapterContext) => ({
  id: replyId(body, context),
  object: 'chat.completion.chunk' as const,
  created: context.created,
  model: textOf(body.modelVersion) ?? context.model,
})

const parse = (data: string): unknown => {
  try {
    return parseJson(data)
  } catch {
    throw unreadable('an event of the stream is not JSON')
  }
}
