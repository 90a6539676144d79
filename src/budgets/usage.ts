import { type BudgetUnits, limitUnits, type OwnBudget, type OwnedBudgets, shownAmount } from '../core/budgets.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import type { Counter, Counters } from './counter.ts'
import { ownedKey } from './owned.ts'
import type { BudgetPolicy } from './policy.ts'
import { periodAt } from './schedule.ts'

/** What one count of a budget holds in the period that runs. */
export interface BudgetUse {
  /** Names the count: for a reset, and for the flags of its alerts. Absent: nothing was counted. */
  readonly counter?: Counter
  /** Dollars, tokens or requests, by the type of the budget. */
  readonly used: number
  /** Nothing is left: calls are refused. */
  readonly isExhausted: boolean
  /** When the period began and when it ends, in milliseconds since 1970. Without an end it never does. */
  readonly startMs: number
  readonly endMs?: number
}

/** What one group of a policy has used. */
export interface GroupUse extends BudgetUse {
  readonly counter: Counter
  /** Values that the calls share, by key of `groupBy`; null where they have none. */
  readonly group: Readonly<Record<string, string | null>>
}

/** What a budget that is part of a key, a workspace, a provider or a grant has used. */
export interface OwnUse extends BudgetUse {
  readonly budget: OwnBudget
}

/** Use of budgets, for their operators. Read from memory: what other processes spent is known within a second. */
export interface BudgetUsage {
  /** Groups that have spent anything in the period that runs, or were set to 0 in it; in a stable order. */
  usage(policy: UsedPolicy): readonly GroupUse[]
  /** One for each budget, in their order. */
  ownedUsage(workspaceId: string, owned: OwnedBudgets): readonly OwnUse[]
  /** Sets one count to 0. @throws LimitsUnavailable when the ledger cannot be reached: nothing has changed then */
  reset(counter: Counter): Promise<void>
  /** Sets all counts of an owner to 0. @throws LimitsUnavailable */
  resetOwned(workspaceId: string, owned: OwnedBudgets): Promise<void>
}

/** What has to be known of a policy, active or not. */
export type UsedPolicy = Pick<BudgetPolicy, 'id' | 'workspaceId' | 'type' | 'limit' | 'schedule'>

export interface BudgetUsageOptions {
  readonly counters: Counters
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export const createBudgetUsage = ({ counters, now }: BudgetUsageOptions): BudgetUsage => {
  const isExhausted = ({ stored, pending }: Counter, limit: BudgetUnits): boolean => stored + pending >= limit

  const ownedUsage: BudgetUsage['ownedUsage'] = (workspaceId, owned) => {
    const nowMs = now()
    return owned.budgets.map((budget) => {
      const { type, limit, schedule } = budget
      const period = periodAt(schedule, nowMs)
      const counter = counters.find({ ...ownedKey(owned, type, workspaceId), startMs: period.startMs })
      if (counter === undefined) return { budget, ...period, used: 0, isExhausted: limit <= 0 }
      const used = shownAmount(type, counters.total(counter))
      return { budget, ...period, counter, used, isExhausted: isExhausted(counter, limitUnits(type, limit)) }
    })
  }

  const reset = async (counter: Counter): Promise<void> => {
    try {
      await counters.reset(counter)
    } catch (thrown) {
      throw new LimitsUnavailable('The counts of budgets cannot be reached now.', { cause: thrown, retryAfterMs: 1000 })
    }
  }

  return {
    ownedUsage,
    reset,
    usage({ id, workspaceId, type, limit, schedule }) {
      const nowMs = now()
      const period = periodAt(schedule, nowMs)
      return counters
        .list(workspaceId, id, nowMs)
        .filter(({ key }) => key.startMs === period.startMs)
        .filter((counter) => counter.generation > 0 || counters.total(counter) > 0n)
        .map((counter) => ({
          ...period,
          counter,
          group: Object.fromEntries(JSON.parse(counter.label)),
          used: shownAmount(type, counters.total(counter)),
          isExhausted: isExhausted(counter, limit),
        }))
        .toSorted((left, right) => compare(left.counter, right.counter))
    },
    async resetOwned(workspaceId, owned) {
      for (const { counter } of ownedUsage(workspaceId, owned)) if (counter !== undefined) await reset(counter)
    },
  }
}

/** By what people read; two labels that were cut to the same text by the hash of their values. */
const compare = (left: Counter, right: Counter): number => {
  if (left.label !== right.label) return left.label < right.label ? -1 : 1
  return left.key.group < right.key.group ? -1 : 1
}
