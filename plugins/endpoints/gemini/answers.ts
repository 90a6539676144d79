import { answerTextBytes } from '#calls/answer-text'
import { usageOfAny } from '#calls/any-usage'
import { type AnswerForm, isRecord, parseJson } from '#kit'
import { inPieces } from '../in-pieces.ts'
import { createCollector } from './collector.ts'
import type { Fields } from './fields.ts'

/** Answers of `generateContent`, and streams of `streamGenerateContent?alt=sse`, which end without a mark. */
export const geminiAnswers: AnswerForm = {
  read: (body) => (isWhole(body) ? { answer: body, chunks: () => toEvents(body) } : undefined),
  collector: createCollector,
  last: '',
  watch: () => {
    const candidates = new Map<unknown, boolean>()
    return ({ data }) => {
      if (data.trim() === '') return undefined
      const body: unknown = parseJson(data)
      if (!isRecord(body)) throw new SyntaxError('an event is no answer')
      if (isRecord(body.error)) return { error: body }
      for (const candidate of candidatesOf(body)) {
        candidates.set(candidate.index ?? 0, isEnded(candidate) || candidates.get(candidate.index ?? 0) === true)
      }
      const isBlocked = blockReason(body) !== undefined && candidates.size === 0
      return {
        textBytes: answerTextBytes(body.candidates),
        usage: usageOfAny(body),
        isEnd: isBlocked || (candidates.size > 0 && [...candidates.values()].every((ended) => ended)),
      }
    }
  },
}

/** Why the prompt was refused, when it was: an answer without candidates. */
const blockReason = ({ promptFeedback: feedback }: Fields): unknown =>
  isRecord(feedback) ? feedback.blockReason : undefined

const candidatesOf = ({ candidates }: Fields): readonly Fields[] =>
  Array.isArray(candidates) ? candidates.filter(isRecord) : []

const isEnded = ({ finishReason }: Fields): boolean => typeof finishReason === 'string' && finishReason !== ''

const isWhole = (body: unknown): body is Fields => {
  if (!isRecord(body) || isRecord(body.error)) return false
  const { candidates } = body
  if (!Array.isArray(candidates) || candidates.length === 0) return blockReason(body) !== undefined
  return candidates.every((candidate) => isRecord(candidate) && isEnded(candidate))
}

/** Events that add up to the answer: each part in one or a few of them, the ends with all else in the last. */
function* toEvents(answer: Fields): Generator<Fields> {
  const { candidates: _, usageMetadata, promptFeedback, ...head } = answer
  const ends: Fields[] = []
  for (const [place, candidate] of candidatesOf(answer).entries()) {
    const { content, ...rest } = candidate
    const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts.filter(isRecord) : []
    const index = candidate.index ?? place
    for (const part of parts.flatMap(pieces)) {
      yield { ...head, candidates: [{ content: { ...(content as Fields), parts: [part] }, index }] }
    }
    ends.push({ ...(isRecord(content) ? { content: { ...content, parts: [{ text: '' }] } } : {}), ...rest, index })
  }
  yield {
    ...head,
    ...(ends.length === 0 ? {} : { candidates: ends }),
    ...(promptFeedback === undefined ? {} : { promptFeedback }),
    ...(usageMetadata === undefined ? {} : { usageMetadata }),
  }
}

/** A signature belongs to the very part that it came with. */
const pieces = (part: Fields): readonly Fields[] => {
  const { text } = part
  if (typeof text !== 'string' || part.thoughtSignature !== undefined) return [part]
  return text === '' ? [part] : inPieces(text).map((piece) => ({ ...part, text: piece }))
}
