import { midnightBefore } from '../../budgets/schedule.ts'
import {
  type BudgetType,
  MAX_COUNT,
  MAX_DOLLARS,
  type OwnBudget,
  type OwnedBudgets,
  type ResetSchedule,
} from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import type { UsageLimits } from '../../store/schema/own-limits.ts'

const ALWAYS: ResetSchedule['since'] = { startMs: 0, setAtMs: 0 }
const EVERY = { weekly: 'week', monthly: 'month' } as const

/** When the count of a stored budget begins anew. */
export const scheduleOf = (stored: UsageLimits): ResetSchedule => {
  const { periodicReset, periodicResetDays, nextUsageResetAt, since = ALWAYS } = stored
  return {
    since,
    ...defined({
      every: periodicReset === undefined ? periodicResetDays : EVERY[periodicReset],
      firstResetMs: nextUsageResetAt === undefined ? undefined : midnightBefore(Date.parse(nextUsageResetAt)),
    }),
  }
}

/** The largest limit that a budget may have, in dollars or tokens. */
export const largestLimit = (type: BudgetType): number => (type === 'cost' ? MAX_DOLLARS : MAX_COUNT)

/** A stored budget as calls meet it. */
export const toOwnBudget = (stored: UsageLimits): OwnBudget => {
  const { type, creditLimit, alertThreshold, enforcement = 'soft' } = stored
  // Rows of earlier versions may have more.
  const limit = Math.min(creditLimit, largestLimit(type))
  return { type, limit, schedule: scheduleOf(stored), enforcement, ...defined({ alertThreshold }) }
}

/** The budgets of those owners that have any; absent where none has, so that calls without budgets carry nothing. */
export const toOwnedBudgets = (
  ...owners: readonly (readonly [OwnedBudgets['owner'], id: string, readonly UsageLimits[] | null | undefined])[]
): { readonly budgets?: readonly OwnedBudgets[] } => {
  const budgets = owners.flatMap(([owner, id, stored]) =>
    stored == null || stored.length === 0 ? [] : [{ owner, id, budgets: stored.map(toOwnBudget) }],
  )
  return budgets.length === 0 ? {} : { budgets }
}
