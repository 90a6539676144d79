import { GatewayError } from '#kit'
import type { Leaf } from '#kit/plan'
import type { Tried } from './attempt.ts'
import type { Budget } from './budget.ts'

/** The back-off doubles for as many retries as a policy can have. */
const MAX_DOUBLINGS = 4

export interface RetryFacts {
  readonly leaf: Leaf
  /** How often the target was asked again already. */
  readonly retries: number
  readonly budget: Budget
  /** Whether another target could take over. */
  readonly hasOther: boolean
  /** Milliseconds of the first back-off. */
  readonly baseMs: number
  /** Whether a 429 is waited for where the policy does not say. */
  readonly useRetryAfterHeader: boolean
  readonly random: () => number
}

/**
 * Milliseconds to wait before the same target is asked again: 1, 2, 4, 8, 16 times the base, each between half of that and
 * the whole, so that callers who failed together do not come back together; or what a 429 asks for, where the policy
 * honours that. Where the policy does not say, another target is not kept waiting for by more than the back-off.
 * @returns undefined when it is not asked again, as when the wait would be too long to begin with
 */
export const retryWaitMs = (
  { judgement, thrown }: Pick<Tried, 'judgement' | 'thrown'>,
  { leaf, retries, budget, hasOther, baseMs, useRetryAfterHeader, random }: RetryFacts,
): number | undefined => {
  const { retry: policy } = leaf
  const { status, retry, ends } = judgement
  if (policy === undefined || retries >= policy.attempts || !policy.onStatusCodes.has(status)) return undefined
  if (ends || retry === 'never' || (retry === 'if-alone' && hasOther) || !budget.allowsMore) return undefined
  const longestMs = baseMs * 2 ** Math.min(retries, MAX_DOUBLINGS)
  const honours = policy.useRetryAfterHeader ?? useRetryAfterHeader
  const hintMs = honours && status === 429 && thrown instanceof GatewayError ? thrown.options.retryAfterMs : undefined
  if (hintMs !== undefined && hintMs > longestMs && hasOther && policy.useRetryAfterHeader === undefined)
    return undefined
  const waitMs = hintMs ?? longestMs * (0.5 + random() / 2)
  return waitMs < budget.waitableMs ? waitMs : undefined
}

/** Waits; ends at once, with the reason of the signal, when the call is given up. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const wait: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    }, ms)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
