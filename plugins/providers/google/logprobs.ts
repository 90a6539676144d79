import { isRecord } from '#kit'
import { type Fields, numberOf, textOf } from './json.ts'

/** `logprobsResult` in the reference's form; nothing when the candidate has none. Google gives no bytes. */
export const toLogprobs = (result: unknown): Fields | undefined => {
  if (!isRecord(result) || !Array.isArray(result.chosenCandidates)) return undefined
  const tops: readonly unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : []
  return {
    content: result.chosenCandidates.map((chosen: unknown, step) => {
      const top = tops[step]
      const candidates: readonly unknown[] = isRecord(top) && Array.isArray(top.candidates) ? top.candidates : []
      return { ...token(chosen), top_logprobs: candidates.map(token) }
    }),
    refusal: null,
  }
}

const token = (candidate: unknown): Fields => {
  const fields: Fields = isRecord(candidate) ? candidate : {}
  return { token: textOf(fields.token) ?? '', logprob: numberOf(fields.logProbability) ?? 0, bytes: null }
}
