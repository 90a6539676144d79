import { type Outcome, withinDeadline } from '../away/deadline.ts'
import type { ResilientAdmission, ResilientCharge } from '../away/limit-store.ts'
import type { Timers } from '../away/timers.ts'
import type { Admission } from '../ring/ring-store.ts'
import type { Check } from './admit-run.ts'
import type { RedisStore } from './redis-store.ts'

/** Charges that go together: one script holds up everybody else meanwhile. */
const MOST_CHARGES = 64

/** What the shared store says of one call, and its late reply where it did not say it in time. */
export interface CheckOutcome {
  readonly outcome: Outcome<Admission>
  readonly reply: () => Promise<Admission>
}

/**
 * Asks the shared store for calls: those that come in one round of the event loop go together, as one command, and one that
 * is alone goes at once.
 */
export interface GatheredChecks {
  /** @throws what `conclude` throws */
  ask(charges: readonly ResilientCharge[]): Promise<ResilientAdmission>
}

export interface GatheredChecksOptions {
  readonly shared: RedisStore
  readonly deadlineMs: number
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** What follows for the call. */
  readonly conclude: (charges: readonly ResilientCharge[], checked: CheckOutcome) => ResilientAdmission
}

interface Waiting {
  readonly charges: readonly ResilientCharge[]
  readonly resolve: (admission: ResilientAdmission) => void
  readonly reject: (thrown: unknown) => void
}

interface Gathering {
  readonly calls: Waiting[]
  charges: number
}

export const createGatheredChecks = (options: GatheredChecksOptions): GatheredChecks => {
  const { shared, conclude, timers } = options
  /** By what may go in one command: everything, or the calls of one workspace. */
  const gathering = new Map<string, Gathering>()
  /** Commands without an answer yet. */
  let onTheWay = 0
  /** Of the last command. */
  let lastCalls = 1

  const finish = (calls: readonly Waiting[], outcome: Outcome<Results>, reply: Promise<Results>): void => {
    for (const [place, { charges, resolve, reject }] of calls.entries()) {
      try {
        resolve(conclude(charges, { outcome: outcomeAt(outcome, place), reply: () => replyAt(reply, place) }))
      } catch (thrown) {
        reject(thrown)
      }
    }
  }

  const send = async (calls: readonly Waiting[]): Promise<void> => {
    onTheWay += 1
    lastCalls = calls.length
    const reply = shared.admitAll(calls.map(({ charges }): Check => charges))
    const outcome = await withinDeadline(reply, options)
    onTheWay -= 1
    finish(calls, outcome, reply)
  }

  const flush = (place: string, gathered: Gathering): void => {
    // It may have gone already, as it was full.
    if (gathering.get(place) !== gathered) return
    gathering.delete(place)
    void send(gathered.calls)
  }

  return {
    ask: (charges) =>
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
      }),
  }
}

type Results = readonly (Admission | Error)[]

const outcomeAt = (outcome: Outcome<Results>, place: number): Outcome<Admission> => {
  if (outcome.kind !== 'reply') return outcome
  const value = outcome.value[place]
  return value === undefined || value instanceof Error ? { kind: 'failed', error: value } : { kind: 'reply', value }
}

const replyAt = async (reply: Promise<Results>, place: number): Promise<Admission> => {
  const value = (await reply)[place]
  if (value === undefined || value instanceof Error) throw value
  return value
}
