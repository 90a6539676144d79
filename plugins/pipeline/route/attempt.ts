import { type AssistantPrefix, type Attempt, assistantPrefix, attempt } from '#calls/slots'
import { isRepeatable } from '#core/bodies/body'
import type { Abandoned } from '#core/call'
import { type Answer, type Call, GatewayError, InternalError, isReadyStream, type Next } from '#kit'
import { type AttemptReport, report, type Target, target } from '#kit/slots'
import { type Judgement, judgeAnswer, judgeError, refusesRequest } from './failure.ts'

/** What one attempt came to. */
export interface Tried {
  readonly fork: Call
  readonly to: Target
  readonly judgement: Judgement
  /** Absent when it failed with an error. */
  readonly answer?: Answer
  readonly thrown?: unknown
  readonly reported: AttemptReport
}

export interface AttemptOptions {
  readonly next: Next
  readonly to: Target
  readonly path: string
  readonly state: Attempt
  /** Whether a plain answer is looked at for a refusal. */
  readonly looksInside: boolean
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** What the client has already, of an attempt that takes over. */
  readonly prefix?: AssistantPrefix | undefined
}

/** Sends the call to a target, once. Never throws. */
export const tryOnce = async (call: Call, options: AttemptOptions): Promise<Tried> => {
  const { next, to, path, state, looksInside, now, prefix } = options
  const startedMs = now()
  const fork = forkTo(call, to, state)
  // Also none: the call has that of an attempt before.
  fork.set(assistantPrefix, prefix)
  try {
    return answered(fork, to, path, await next(fork), looksInside, now() - startedMs)
  } catch (thrown) {
    return failed(fork, to, path, thrown, now() - startedMs)
  }
}

/**
 * Whether a target that was asked to go on from a text would not: it may still answer from the beginning. Some models take
 * the form of such a request, and refuse it all the same.
 */
export const refusesPrefix = ({ fork, judgement }: Tried): boolean =>
  fork.find(assistantPrefix)?.echo !== undefined && refusesRequest(judgement)

/** A new attempt at a target. */
export const forkTo = (call: Call, to: Target, state: Attempt): Call => {
  const fork = call.fork()
  fork.set(target, to)
  fork.set(attempt, state)
  return fork
}

/** An attempt that ended with an answer. */
export const answered = (
  fork: Call,
  to: Target,
  path: string,
  answer: Answer,
  looksInside: boolean,
  tookMs: number,
): Tried => {
  const judgement = sentOnce(fork, judgeAnswer(answer, looksInside))
  return { fork, to, judgement, answer, reported: reportOf(fork, to, path, judgement, tookMs) }
}

/** An attempt that ended with an error. */
export const failed = (fork: Call, to: Target, path: string, thrown: unknown, tookMs: number): Tried => {
  const judgement = sentOnce(fork, judgeError(thrown))
  const code = thrown instanceof GatewayError ? thrown.code : 'internal_error'
  return { fork, to, judgement, thrown, reported: reportOf(fork, to, path, judgement, tookMs, code) }
}

/** A body that streamed away is asked about by nobody else. */
const sentOnce = (fork: Call, judgement: Judgement): Judgement =>
  isRepeatable(fork.request.body) ? judgement : { ...judgement, retry: 'never', ends: true }

const reportOf = (
  fork: Call,
  to: Target,
  path: string,
  { status }: Judgement,
  tookMs: number,
  error?: GatewayError['code'],
): AttemptReport => ({
  path,
  provider: to.provider.id,
  model: fork.find(report)?.model ?? to.model,
  status,
  error,
  ms: Math.round(tookMs * 100) / 100,
  first_token_limit_ms: fork.find(attempt)?.firstTokenMs,
})

/**
 * Ends an attempt whose answer is not used.
 * @param keepUsage whether the client has a part of it
 * @returns what it leaves behind; undefined when the call is over
 */
export const discard = ({ fork, answer, thrown, judgement }: Tried, keepUsage = false): Abandoned | undefined => {
  if (answer !== undefined && isReadyStream(answer.body)) answer.body.cancel()
  const error =
    thrown instanceof GatewayError
      ? thrown
      : new InternalError(`The answer with status ${judgement.status} was not used.`, { status: judgement.status })
  return fork.abandon(error, { keepUsage })
}

/** Name of a model at its place: it refuses the same request again, whoever pays. */
export const modelOf = ({ provider, customHost, model }: Target): string =>
  JSON.stringify([provider.id, customHost ?? null, model ?? null])
