import { type Answer, type Call, GatewayError, InternalError, isByteStream, type Next } from '#kit'
import { type AttemptReport, attempt, report, type Target, target } from '#kit/slots'
import { type Judgement, judgeAnswer, judgeError } from './failure.ts'

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
  readonly isLast: boolean
  readonly remainingMs: number
  /** Whether a plain answer is looked at for a refusal. */
  readonly looksInside: boolean
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** Puts more into the attempt before it begins. */
  readonly prepare?: ((fork: Call, to: Target) => void) | undefined
}

/** Sends the call to a target, once. Never throws. */
export const tryOnce = async (call: Call, options: AttemptOptions): Promise<Tried> => {
  const { next, to, path, isLast, remainingMs, looksInside, now, prepare } = options
  const startedMs = now()
  const fork = call.fork()
  fork.set(target, to)
  fork.set(attempt, { isLast, remainingMs })
  const reportOf = (judgement: Judgement, error?: GatewayError['code']): AttemptReport => {
    const model = fork.find(report)?.model ?? to.model
    return {
      path,
      provider: to.provider.id,
      ...(model === undefined ? {} : { model }),
      status: judgement.status,
      ...(error === undefined ? {} : { error }),
      ms: Math.round((now() - startedMs) * 100) / 100,
    }
  }
  try {
    prepare?.(fork, to)
    const answer = await next(fork)
    const judgement = judgeAnswer(answer, looksInside)
    return { fork, to, judgement, answer, reported: reportOf(judgement) }
  } catch (thrown) {
    const judgement = judgeError(thrown)
    const code = thrown instanceof GatewayError ? thrown.code : 'internal_error'
    return { fork, to, judgement, thrown, reported: reportOf(judgement, code) }
  }
}

/**
 * Ends an attempt whose answer is not used.
 * @param keepUsage whether the client has a part of it
 */
export const discard = ({ fork, answer, thrown, judgement }: Tried, keepUsage = false): void => {
  if (answer !== undefined && isByteStream(answer.body)) answer.body.cancel()
  const error =
    thrown instanceof GatewayError
      ? thrown
      : new InternalError(`The answer with status ${judgement.status} was not used.`, { status: judgement.status })
  fork.abandon(error, { keepUsage })
}

/** The same model at the same place refuses the same request, whoever pays. */
export const modelOf = ({ provider, customHost, model }: Target): string =>
  JSON.stringify([provider.id, customHost ?? null, model ?? null])
