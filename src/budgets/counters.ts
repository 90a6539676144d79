import type { BudgetCharge, CounterKey } from '../core/budgets.ts'
import type { Clock } from '../core/ports.ts'
import { StoreUnavailable } from '../store/errors.ts'
import { within } from '../timing/within.ts'
import type { Counter, Counters } from './counter.ts'
import type { CounterAbout } from './ledger/ledger.ts'
import type { FromLedger, ToLedger } from './ledger/messages.ts'
import { OwnCounter } from './own-counter.ts'

export interface CountersOptions {
  readonly clock: Clock
  /** Counts in memory. Default: 200,000. */
  readonly most?: number
}

/** Numbers for metrics and `/readyz`. */
export interface CounterStats {
  /** Counts in memory. */
  readonly counters: number
  /** The totals of the ledger were heard. */
  readonly isLoaded: boolean
  /** Charges whose record could not be kept: no other process will ever know of them. */
  readonly unkept: number
}

/** The counts of this process, and their way to the ledger. */
export interface OwnCounters extends Counters {
  /** Gives it the way to the ledger, in the worker of the spool. */
  connect(tell: (message: ToLedger) => void): void
  hear(message: FromLedger): void
  /** Settles once the totals of the ledger are here, or the time is over. @returns whether they are */
  loaded(withinMs: number): Promise<boolean>
  stats(): CounterStats
  close(): Promise<void>
}

const MOST = 200_000
const SWEEP_MS = 60_000
/** After its end a period is kept for so long: for late calls, and those who want to see how it ended. */
const KEPT_MS = 3_600_000
const RESET_TIMEOUT_MS = 8_000
/** A reset that has not begun by then does not begin: it is to be over, or not to be, when nobody waits for it any more. */
const RESET_BEGINS_MS = 3_000
/** Counts that the ledger is asked for in one message. */
const MOST_ASKED = 1_000

/** Groups of one budget, each with its periods: one, or two around a reset. */
type Groups = Map<string, OwnCounter[]>

export const createCounters = ({ clock, most = MOST }: CountersOptions): OwnCounters => {
  /** By workspace and budget: nested, so that finding one makes no text. */
  const workspaces = new Map<string, Map<string, Groups>>()
  /** The oldest first. */
  const all = new Set<OwnCounter>()
  const waiting = new Set<OwnCounter>()
  const listeners: ((counter: Counter) => void)[] = []
  const changed = new Set<OwnCounter>()
  let unknown: CounterKey[] = []
  let tell: ((message: ToLedger) => void) | undefined
  let isScheduled = false
  let unkept = 0
  const firstLoad = Promise.withResolvers<true>()
  let isLoaded = false
  const resets = new Map<number, (message: Extract<FromLedger, { type: 'reset' }>) => void>()
  let lastReset = 0

  const groupsOf = (workspaceId: string, budgetId: string): Groups => {
    const budgets = workspaces.get(workspaceId) ?? new Map<string, Groups>()
    workspaces.set(workspaceId, budgets)
    const groups: Groups = budgets.get(budgetId) ?? new Map()
    budgets.set(budgetId, groups)
    return groups
  }

  const find = (workspaceId: string, { budgetId, group, startMs }: Omit<CounterKey, 'workspaceId'>) => {
    const periods = workspaces.get(workspaceId)?.get(budgetId)?.get(group)
    if (periods !== undefined) for (const each of periods) if (each.key.startMs === startMs) return each
    return undefined
  }

  const make = (about: CounterAbout): OwnCounter => {
    const counter = new OwnCounter(about)
    const groups = groupsOf(about.workspaceId, about.budgetId)
    const periods = groups.get(about.group)
    if (periods === undefined) groups.set(about.group, [counter])
    else periods.push(counter)
    all.add(counter)
    if (all.size > most) giveUpOldest()
    return counter
  }

  const giveUp = (counter: OwnCounter): void => {
    const { workspaceId, budgetId, group } = counter.key
    const budgets = workspaces.get(workspaceId)
    const groups = budgets?.get(budgetId)
    const left = groups?.get(group)?.filter((each) => each !== counter) ?? []
    if (left.length > 0) groups?.set(group, left)
    else groups?.delete(group)
    if (groups?.size === 0) budgets?.delete(budgetId)
    if (budgets?.size === 0) workspaces.delete(workspaceId)
    all.delete(counter)
    counter.isKept = false
  }

  /** One whose total the ledger can tell again. Where there is none, there are more than there should be. */
  const giveUpOldest = (): void => {
    let looked = 0
    for (const counter of all) {
      if (counter.isIdle) {
        giveUp(counter)
        return
      }
      // It goes to the end of the line, so that nobody looks at it again and again.
      all.delete(counter)
      all.add(counter)
      if (++looked === 16) return
    }
  }

  const sweep = (): void => {
    const before = clock.now() - KEPT_MS
    for (const counter of all) if (counter.isIdle && (counter.endMs ?? Infinity) < before) giveUp(counter)
  }
  const sweeping = setInterval(sweep, SWEEP_MS)
  sweeping.unref()

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      askForUnknown()
      const news = [...changed]
      changed.clear()
      for (const listener of listeners) for (const counter of news) listener(counter)
    })
  }

  const hasChanged = (counter: OwnCounter): void => {
    if (listeners.length === 0) return
    changed.add(counter)
    schedule()
  }

  const askForUnknown = (): void => {
    const keys = unknown
    unknown = []
    if (tell === undefined) return
    for (let from = 0; from < keys.length; from += MOST_ASKED) {
      tell({ type: 'find', keys: keys.slice(from, from + MOST_ASKED) })
    }
  }

  /** One that is new here; the ledger may have it nevertheless. */
  const makeUnknown = (about: CounterAbout): OwnCounter => {
    const counter = make(about)
    if (tell !== undefined) {
      unknown.push(counter.key)
      schedule()
    }
    return counter
  }

  const counterOf = (workspaceId: string, charge: BudgetCharge): OwnCounter =>
    find(workspaceId, charge) ?? makeUnknown({ ...charge, workspaceId })

  const hearNews = ({ position, totals }: Extract<FromLedger, { type: 'news' }>): void => {
    if (position !== undefined) {
      for (const counter of waiting) {
        if (counter.countedTo(position)) hasChanged(counter)
        if (!counter.isWaiting) waiting.delete(counter)
      }
    }
    for (const total of totals) {
      const counter = find(total.workspaceId, total) ?? make(total)
      if (counter.told(total)) hasChanged(counter)
    }
  }

  return {
    of(key, { type, label, endMs }) {
      const found = find(key.workspaceId, key)
      if (found === undefined) return makeUnknown({ ...key, type, label, ...(endMs === undefined ? {} : { endMs }) })
      if (found.endMs !== endMs) found.describe(label, endMs)
      return found
    },
    find: (key) => find(key.workspaceId, key),
    list(workspaceId, budgetId, nowMs) {
      const groups = workspaces.get(workspaceId)?.get(budgetId)
      if (groups === undefined) return []
      return [...groups.values()].flatMap((periods) => periods.filter(({ endMs }) => (endMs ?? Infinity) > nowMs))
    },
    announce(workspaceId, charges, endedUs) {
      const ends = charges.map((charge) => {
        const counter = counterOf(workspaceId, charge)
        const end = counter.announce(charge.amount, endedUs)
        hasChanged(counter)
        return end
      })
      return () => {
        for (const end of ends) end()
      }
    },
    spent(workspaceId, charges, endedUs, position) {
      if (position === undefined) unkept += charges.length
      for (const charge of charges) {
        const counter = counterOf(workspaceId, charge)
        counter.add(charge.amount, endedUs, position)
        if (counter.isWaiting) waiting.add(counter)
        hasChanged(counter)
      }
    },
    total: ({ key }) => find(key.workspaceId, key)?.spent ?? 0n,
    async reset({ key, type, label, endMs }) {
      const id = ++lastReset
      const answer = Promise.withResolvers<Extract<FromLedger, { type: 'reset' }>>()
      resets.set(id, answer.resolve)
      const counter = { ...key, type, label, ...(endMs === undefined ? {} : { endMs }) }
      // To the end of the millisecond: what had ended by now is not to come back.
      const nowMs = clock.now()
      tell?.({ type: 'reset', id, counter, atUs: nowMs * 1_000 + 999, beforeMs: nowMs + RESET_BEGINS_MS })
      try {
        const { total } = await within(answer.promise, RESET_TIMEOUT_MS, unavailable)
        if (total === undefined) throw unavailable()
        hearNews({ type: 'news', totals: [total] })
      } finally {
        resets.delete(id)
      }
    },
    onChange: (listener) => void listeners.push(listener),
    connect(way) {
      tell = way
    },
    hear(message) {
      switch (message.type) {
        case 'news':
          hearNews(message)
          break
        case 'loaded':
          isLoaded = true
          firstLoad.resolve(true)
          break
        case 'reset':
          resets.get(message.id)?.(message)
          break
      }
    },
    loaded: async (withinMs) => (await within(firstLoad.promise, withinMs)) === true,
    stats: () => ({ counters: all.size, isLoaded, unkept }),
    close: async () => clearInterval(sweeping),
  }
}

const unavailable = (): StoreUnavailable => new StoreUnavailable('The ledger of budgets cannot be reached now.')
