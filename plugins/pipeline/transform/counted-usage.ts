import { estimateInputTokens } from '#calls/estimate-tokens'
import { requestParams } from '#calls/target-params'
import { boundedUsage } from '#calls/usage-bounds'
import type { Call, Usage } from '#kit'
import { providerRequest, type Target } from '#kit/slots'

/** What can be counted of an answer. */
export interface AnswerCount {
  /** Its size. */
  readonly bytes: number
  /** All that it says, estimated as the input is. */
  readonly outputTokens: number
  /** What it says after the provider last reported its usage. */
  readonly unreportedTokens: number
}

/**
 * Counts the usage of an answer beside what the provider reports of it:
 * - Nothing is reported: our own count.
 * - The answer broke off or was left: the last report, and our own count of what came after it.
 * - The report is more than the call can have used: as much as it can.
 * - The caller named the host: our own count beside the report, for limits.
 */
export const countUsage = (call: Call, to: Target, answer: AnswerCount, isComplete: () => boolean): void =>
  call.estimateUsage((reported) => {
    const own = reported === undefined || to.isCallersHost === true ? countOf(call, to, answer.outputTokens) : undefined
    if (reported === undefined) return own
    const unreported = isComplete() ? 0 : answer.unreportedTokens
    const usage = unreported === 0 ? reported : withOutput(reported, unreported)
    const bounded = boundedUsage(usage, {
      params: requestParams(call, to),
      sentBytes: sentBytes(call),
      answerBytes: answer.bytes,
    })
    return own === undefined ? bounded : { ...bounded, ownCount: own }
  })

/** Counts the input of a call that its client leaves before there is an answer: the provider has it, and may be at work. */
export const countInput = (call: Call, to: Target): void =>
  call.estimateUsage(
    (reported) => reported ?? (call.cancellation.aborted && call.reachedProvider ? countOf(call, to, 0) : undefined),
  )

/** Our own count of a call. */
const countOf = (call: Call, to: Target, outputTokens: number): Usage => {
  const inputTokens = estimateInputTokens(requestParams(call, to), call.endpoint.reads)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, estimated: true }
}

const withOutput = (usage: Usage, tokens: number): Usage => ({
  ...usage,
  outputTokens: usage.outputTokens + tokens,
  totalTokens: usage.totalTokens + tokens,
  estimated: true,
})

const sentBytes = (call: Call): number => {
  const body = call.find(providerRequest)?.body
  return typeof body === 'string' ? Buffer.byteLength(body) : (body?.length ?? 0)
}
