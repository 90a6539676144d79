import type { Check } from '../redis/admit-run.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import type { Admission } from '../ring/ring-store.ts'
import { type Outcome, type Timers, withinDeadline } from './deadline.ts'
import type { LimitAdmission, LimitCharge } from './limit-store.ts'

/** Charges that go together: one script holds up everybody else meanwhile. */
const MOST_CHARGES = 64

export interface GatheredChecksOptions {
  readonly shared: RedisStore
  readonly deadlineMs: number
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** What follows for the call. */
  readonly conclude: (charges: readonly LimitCharge[], outcome: Outcome<Admission>) => LimitAdmission
}

interface Waiting {
  readonly charges: readonly LimitCharge[]
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
): ((charges: readonly LimitCharge[]) => Promise<LimitAdmission>) => {
  const { shared, conclude, timers } = options
  /** By what may go in one command: everything, or the calls of one workspace. */
  const gathering = new Map<string, Gathering>()
  /** Commands without an answer yet. */
  let onTheWay = 0
  /** Calls of the last command. */
  let lastCalls = 1

  const send = async (calls: readonly Waiting[]): Promise<void> => {
    onTheWay += 1
    lastCalls = calls.length
    const outcome = await withinDeadline(shared.admitAll(calls.map(({ charges }): Check => charges)), options)
    onTheWay -= 1
    for (const [place, { charges, resolve, reject }] of calls.entries()) {
      try {
        resolve(conclude(charges, outcomeAt(outcome, place)))
      } catch (thrown) {
        reject(thrown)
      }
    }
  }

  const flush = (place: string, gathered: Gathering): void => {
    // It may have gone already, as it was full.
    if (gathering.get(place) !== gathered) return
    gathering.delete(place)
    void send(gathered.calls)
  }

  return (charges) =>
    new Promise((resolve, reject) => {
      const waiting = { charges, resolve, reject }
      // On a quiet gateway nobody is waited for. On a busy one the first of a round would cost a command of its own.
      if (onTheWay === 0 && lastCalls === 1) {
        void send([waiting])
        return
      }
      const place = shared.kind === 'single' ? '' : (charges[0]?.key.workspaceId ?? '')
      let gathered = gathering.get(place)
      if (gathered === undefined) {
        const fresh: Gathering = { calls: [], charges: 0 }
        gathered = fresh
        gathering.set(place, fresh)
        timers.soon(() => flush(place, fresh))
      }
      gathered.calls.push(waiting)
      gathered.charges += charges.length
      if (gathered.charges >= MOST_CHARGES) flush(place, gathered)
    })
}

const outcomeAt = (outcome: Outcome<readonly (Admission | Error)[]>, place: number): Outcome<Admission> => {
  if (outcome.kind !== 'reply') return outcome
  const value = outcome.value[place]
  return value === undefined || value instanceof Error ? { kind: 'failed', error: value } : { kind: 'reply', value }
}
