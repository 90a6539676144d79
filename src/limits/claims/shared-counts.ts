import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import type { Timers } from '../away/deadline.ts'
import { type SharedClaim, SharedCount } from './shared-count.ts'

/** Milliseconds in which changes are gathered. The next call of a count takes what is new of it along, so that most need no command of their own. */
const GATHER_MS = 20
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
  /** A round came while something was sent. */
  let isFlushDue = false
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
    if (!count.isActive) {
      count.isActive = true
      active.add(count)
    }
    if (!isPaused && !isClosed) cancelRefresh ??= timers.after(REFRESH_MS, refresh)
  }

  const note = (count: SharedCount): void => {
    use(count)
    addDue(count)
    flushLater()
  }

  const addDue = (count: SharedCount): void => {
    if (count.isDue) return
    count.isDue = true
    due.add(count)
  }

  const flushLater = (): void => {
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
      count.isActive = !isQuiet && isCurrent(count)
      if (!count.isActive) continue
      count.isUnsure = true
      active.add(count)
      addDue(count)
    }
    if (active.size > 0 && !isPaused && !isClosed) cancelRefresh = timers.after(REFRESH_MS, refresh)
    flush()
  }

  /** Those that are due now: what comes meanwhile is gathered again. */
  const sendDue = async (evenPaused: boolean): Promise<void> => {
    let left = due.size
    while (left > 0 && due.size > 0 && (evenPaused || !isPaused)) {
      const batch: ToldCount[] = []
      for (const count of due) {
        due.delete(count)
        count.isDue = false
        left -= 1
        if (count.isBehind && isCurrent(count)) batch.push({ count, isWhole: count.isUnsure })
        if (batch.length === BATCH || left === 0) break
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
    if (sending !== undefined) {
      isFlushDue = true
      return
    }
    sending = sendDue(false).finally(sent)
  }

  const sent = (): void => {
    sending = undefined
    const isAtOnce = isFlushDue
    isFlushDue = false
    // At the end `close` sends the rest.
    if (isClosed) return
    if (isAtOnce) flush()
    else if (due.size > 0) flushLater()
  }

  return {
    /** What is known of a count. */
    countOf,

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
        if (count.isBehind || !isCurrent(count)) changed(count.counter)
      }
    },

    /** The store said nothing in time, and may have done it, or do it yet. */
    unanswered(claims: readonly SharedClaim[]): void {
      for (const { count, weight, shadow } of claims) {
        const held = shadow ? 0 : weight
        if (held === 0 && !count.isActive) continue
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
      while (due.size > 0) await sendDue(true)
    },

    /** Counts that are told anew each second. */
    get size(): number {
      return active.size
    },
  }
}

export type SharedCounts = ReturnType<typeof createSharedCounts>
