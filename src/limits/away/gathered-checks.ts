import type { BudgetClaim } from '../../budgets/counter.ts'
import type { SharedClaim } from '../claims/shared-count.ts'
import type { SharedCounts } from '../claims/shared-counts.ts'
import type { Check, CheckReply } from '../redis/admit-run.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import { type Outcome, type Timers, withinDeadline } from './deadline.ts'
import type { LimitAdmission, LimitCharge } from './limit-store.ts'

/** Charges and claims that go together: one script holds up everybody else meanwhile. */
const MOST_CHARGES = 64
/**
 * How long a call waits that something has to be held back for: a budget that must not be passed is better asked late than
 * guessed.
 */
const HOLD_DEADLINE_MS = 1_000

export interface GatheredChecksOptions {
  readonly shared: RedisStore
  readonly deadlineMs: number
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** Is asked in the step in which claims are sent. */
  readonly counts: Pick<SharedCounts, 'ask'>
  /** What follows for the call. @param asked its claims as they were sent */
  readonly conclude: (call: AskedCall, asked: readonly SharedClaim[], outcome: Outcome<CheckReply>) => LimitAdmission
}

/** What one call is charged, and claims. */
export interface AskedCall {
  readonly charges: readonly LimitCharge[]
  readonly claims: readonly BudgetClaim[]
}

interface Waiting {
  readonly call: AskedCall
  readonly resolve: (admission: LimitAdmission) => void
  readonly reject: (thrown: unknown) => void
}

interface Gathering {
  readonly calls: Waiting[]
  charges: number
}

/**
 * Asks the shared store for calls: those that come in one round of the event loop go together, as one command, and one that
 * is alone goes at once. Rejects with what `conclude` throws.
 */
export const createGatheredChecks = (
  options: GatheredChecksOptions,
): ((call: AskedCall) => Promise<LimitAdmission>) => {
  const { shared, counts, conclude, timers } = options
  /** By what may go in one command: everything, or the calls of one workspace. */
  const gathering = new Map<string, Gathering>()
  /** Commands without an answer yet. */
  let onTheWay = 0
  /** Calls of the last command. */
  let lastCalls = 1

  const send = async (calls: readonly Waiting[]): Promise<void> => {
    onTheWay += 1
    lastCalls = calls.length
    const checks = calls.map(({ call }): Check => ({ charges: call.charges, claims: counts.ask(call.claims) }))
    const reply = shared.admitAll(checks)
    const concludeAll = (outcome: Outcome<readonly (CheckReply | Error)[]>, isAsked: (call: AskedCall) => boolean) => {
      for (const [place, { call, resolve, reject }] of calls.entries()) {
        if (!isAsked(call)) continue
        try {
          resolve(conclude(call, checks[place]?.claims ?? [], outcomeAt(outcome, place)))
        } catch (thrown) {
          reject(thrown)
        }
      }
    }
    const outcome = await withinDeadline(reply, options)
    onTheWay -= 1
    if (outcome.kind !== 'late' || !calls.some(({ call }) => holdsBack(call))) {
      concludeAll(outcome, () => true)
      return
    }
    concludeAll(outcome, (call) => !holdsBack(call))
    const deadlineMs = Math.max(0, HOLD_DEADLINE_MS - options.deadlineMs)
    concludeAll(await withinDeadline(reply, { ...options, deadlineMs }), holdsBack)
  }

  const flush = (place: string, gathered: Gathering): void => {
    // It may have gone already, as it was full.
    if (gathering.get(place) !== gathered) return
    gathering.delete(place)
    void send(gathered.calls)
  }

  return (call) =>
    new Promise((resolve, reject) => {
      const waiting = { call, resolve, reject }
      const { charges, claims } = call
      // On a quiet gateway nobody is waited for. On a busy one the first of a round would cost a command of its own.
      if (onTheWay === 0 && lastCalls === 1) {
        void send([waiting])
        return
      }
      const place = shared.kind === 'single' ? '' : workspaceOf(call)
      let gathered = gathering.get(place)
      if (gathered === undefined) {
        const fresh: Gathering = { calls: [], charges: 0 }
        gathered = fresh
        gathering.set(place, fresh)
        timers.soon(() => flush(place, fresh))
      }
      gathered.calls.push(waiting)
      gathered.charges += charges.length + claims.length
      if (gathered.charges >= MOST_CHARGES) flush(place, gathered)
    })
}

/** All that a call asks for belongs to one. */
export const workspaceOf = ({ charges, claims }: AskedCall): string =>
  charges[0]?.key.workspaceId ?? claims[0]?.counter.key.workspaceId ?? ''

const holdsBack = ({ claims }: AskedCall): boolean => claims.some(({ weight, shadow }) => weight > 0 && !shadow)

const outcomeAt = (outcome: Outcome<readonly (CheckReply | Error)[]>, place: number): Outcome<CheckReply> => {
  if (outcome.kind !== 'reply') return outcome
  const value = outcome.value[place]
  return value === undefined || value instanceof Error ? { kind: 'failed', error: value } : { kind: 'reply', value }
}
