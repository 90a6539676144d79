import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import type { Timers } from '../away/deadline.ts'
import { type SharedClaim, SharedCount } from './shared-count.ts'

/** Milliseconds in which changes are gathered. */
const GATHER_MS = 5
/** Counts that are told together. */
const BATCH = 64
/** Milliseconds after which everything is told anew: what was lost, or forgotten there, is then as it should be. */
const REFRESH_MS = 1_000
/** Counts that one round tells anew: 30 rounds reach all that a process can have before the store takes it for dead. */
const MOST_REFRESHED = 8_192
/** Rounds for which a count is told that holds nothing any more: a late command may have put something there. */
const QUIET_ROUNDS = 3

/** Tells the shared store of counts, each the whole where it says so. */
export type TellCounts = (counts: readonly ToldCount[]) => Promise<void>

export interface ToldCount {
  readonly count: SharedCount
  readonly isWhole: boolean
}

export interface SharedCountsOptions {
  readonly tell: TellCounts
  readonly timers: Timers
}

const NO_CLAIMS: readonly SharedClaim[] = []

/** One of before a reset by hand is of no interest to anybody. */
const isCurrent = ({ generation, counter }: SharedCount): boolean => generation === counter.generation

/** What the shared store knows from this process, and how it is kept up to date, off the path of any call. */
export const createSharedCounts = ({ tell, timers }: SharedCountsOptions) => {
  const counts = new WeakMap<Counter, SharedCount>()
  /** Those of which the store may have something, the one told longest ago first. */
  const active = new Set<SharedCount>()
  /** Those that have changed. */
  const due = new Set<SharedCount>()
  let round = 0
  let isPaused = false
  let isClosed = false
  let sending: Promise<void> | undefined
  let cancelFlush: (() => void) | undefined
  let cancelRefresh: (() => void) | undefined

  const countOf = (counter: Counter): SharedCount => {
    const known = counts.get(counter)
    if (known !== undefined && isCurrent(known)) return known
    const fresh = new SharedCount(counter)
    counts.set(counter, fresh)
    return fresh
  }

  const use = (count: SharedCount): void => {
    count.usedIn = round
    active.add(count)
    if (!isPaused && !isClosed) cancelRefresh ??= timers.after(REFRESH_MS, refresh)
  }

  const note = (count: SharedCount): void => {
    use(count)
    due.add(count)
    if (sending === undefined && !isPaused && !isClosed) cancelFlush ??= timers.after(GATHER_MS, flush)
  }

  const changed = (counter: Counter): void => {
    const count = countOf(counter)
    if (count.isBehind) note(count)
  }

  /** A round of all: what it cannot reach is reached by the next one. */
  const refresh = (): void => {
    cancelRefresh = undefined
    round += 1
    let left = MOST_REFRESHED
    for (const count of active) {
      if (left === 0) break
      left -= 1
      active.delete(count)
      const isQuiet = count.isEmpty && !count.isUnsure && round - count.usedIn > QUIET_ROUNDS
      if (isQuiet || !isCurrent(count)) continue
      count.isUnsure = true
      active.add(count)
      due.add(count)
    }
    if (active.size > 0 && !isPaused && !isClosed) cancelRefresh = timers.after(REFRESH_MS, refresh)
    flush()
  }

  const sendAll = async (evenPaused: boolean): Promise<void> => {
    while (due.size > 0 && (evenPaused || !isPaused)) {
      const batch: ToldCount[] = []
      for (const count of due) {
        due.delete(count)
        if (count.isBehind && isCurrent(count)) batch.push({ count, isWhole: count.isUnsure })
        if (batch.length === BATCH) break
      }
      try {
        if (batch.length > 0) await tell(batch)
      } catch {
        // Told anew with the next round.
        for (const { count } of batch) count.isUnsure = true
      }
    }
  }

  const flush = (): void => {
    cancelFlush?.()
    cancelFlush = undefined
    if (isPaused) return
    sending ??= sendAll(false).finally(() => {
      sending = undefined
    })
  }

  return {
    /** The claims of a call that is sent in this step. */
    ask(claims: readonly BudgetClaim[]): readonly SharedClaim[] {
      if (claims.length === 0) return NO_CLAIMS
      return claims.map(({ counter, limit, weight, shadow }) => {
        const count = countOf(counter)
        const held = shadow ? 0 : weight
        if (held > 0) use(count)
        return { count, limit, weight, shadow, since: count.ask(held) }
      })
    },

    /** To look at claims, changing nothing. */
    look: (claims: readonly BudgetClaim[]): readonly SharedClaim[] =>
      claims.map(({ counter, limit, weight, shadow }) => ({
        count: countOf(counter),
        limit,
        weight,
        shadow,
        since: 0,
      })),

    /** What the store said. After the holds of an admitted call were taken, in the same step. */
    answered(claims: readonly SharedClaim[], admitted: boolean): void {
      for (const { count, weight, shadow, since } of claims) {
        if (shadow || weight === 0) continue
        count.answered(weight, since, admitted)
        changed(count.counter)
      }
    },

    /** The store said nothing in time, and may have done it, or do it yet. */
    unanswered(claims: readonly SharedClaim[]): void {
      for (const { count, weight, shadow } of claims) {
        const held = shadow ? 0 : weight
        if (held === 0 && !active.has(count)) continue
        count.unanswered(held)
        note(count)
      }
    },

    /** Something of it was spent, given back, or counted by the ledger. */
    changed,

    /** While the store is away nothing is told. */
    pause(): void {
      isPaused = true
      cancelRefresh?.()
      cancelRefresh = undefined
    },

    /** Tells all anew. */
    resume(): void {
      isPaused = false
      cancelRefresh?.()
      refresh()
    },

    async close(): Promise<void> {
      isClosed = true
      cancelFlush?.()
      cancelRefresh?.()
      await sending
      await sendAll(true)
    },

    /** Counts that are told anew each second. */
    get size(): number {
      return active.size
    },
  }
}

export type SharedCounts = ReturnType<typeof createSharedCounts>
