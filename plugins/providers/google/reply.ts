import { defined, isRecord, type Usage } from '#kit'
import { type AdapterContext, type ChatCompletion, type Choice, usageFromOpenAI } from '#kit/provider'
import { type Candidate, createCandidate, type Pieces } from './candidate.ts'
import { throwError } from './failure.ts'
import { type Fields, numberOf, textOf, unreadable } from './json.ts'
import { toLogprobs } from './logprobs.ts'
import { toUsage } from './usage.ts'

/**
 * An answer of `generateContent` in the reference's form.
 *
 * A blocked prompt is an answer, not an error, as with the reference: `content_filter` with the reason as the refusal.
 * @throws UpstreamError for an error in a 200 and for a failed generation; UpstreamInvalid for anything else that is no answer.
 */
export const toReply = (body: unknown, context: AdapterContext): { reply: ChatCompletion; usage?: Usage } => {
  throwError(body)
  if (!isRecord(body)) throw unreadable('it is not a JSON object')
  const usage = isRecord(body.usageMetadata) ? toUsage(body.usageMetadata) : undefined
  const counted = usage === undefined ? undefined : usageFromOpenAI(usage)
  return defined({
    reply: defined({
      id: replyId(body, context),
      object: 'chat.completion',
      created: context.created,
      model: textOf(body.modelVersion) ?? context.model,
      choices: choicesOf(body, context),
      usage,
    }),
    usage: counted,
  })
}

export const replyId = (body: Fields, context: AdapterContext): string =>
  textOf(body.responseId) || `chatcmpl-${context.callId}`

/** Why the prompt was refused, when it was. */
export const blockReason = (body: Fields): string | undefined =>
  isRecord(body.promptFeedback) ? textOf(body.promptFeedback.blockReason) : undefined

/** Candidates with their index: their own, or else their place. */
export const candidatesOf = (body: Fields): readonly (readonly [index: number, candidate: Fields])[] => {
  const candidates = body.candidates ?? []
  if (!Array.isArray(candidates)) throw unreadable('`candidates` is not an array')
  return candidates.map((candidate: unknown, place) => {
    if (!isRecord(candidate)) throw unreadable('a candidate is not an object')
    return [numberOf(candidate.index) ?? place, candidate] as const
  })
}

const choicesOf = (body: Fields, context: AdapterContext): Choice[] => {
  const answers = candidatesOf(body)
  const reason = blockReason(body)
  if (answers.length === 0) {
    if (reason === undefined) throw unreadable('it has no candidates and says no reason')
    const candidate = createCandidate(0, context)
    return [toChoice(candidate, candidate.block(reason), undefined)]
  }
  return answers
    .map(([index, answer]) => {
      const candidate = createCandidate(index, context)
      const pieces = candidate.read(answer.content)
      const word = textOf(answer.finishReason)
      if (word !== undefined) candidate.stop(word, textOf(answer.finishMessage))
      return toChoice(candidate, pieces, answer.logprobsResult)
    })
    .sort((one, other) => one.index - other.index)
}

const toChoice = (candidate: Candidate, pieces: Pieces, logprobs: unknown): Choice => {
  const { finish_reason, content } = candidate.finish()
  const { tool_calls: calls, content_blocks: blocks, refusal, reasoning_content } = pieces
  return {
    index: candidate.index,
    message: defined({
      role: 'assistant',
      content: pieces.content ?? content ?? null,
      reasoning_content,
      refusal,
      tool_calls: calls?.map(({ index: _place, ...call }) => call),
      content_blocks: blocks?.map(({ index: _place, ...block }) => block),
    }),
    logprobs: toLogprobs(logprobs) ?? null,
    finish_reason,
  }
}
