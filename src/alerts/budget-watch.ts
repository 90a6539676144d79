import { shownUnits } from '../budgets/amounts.ts'
import type { Counter, Counters } from '../budgets/counter.ts'
import type { BudgetUnits } from '../core/budgets.ts'
import type { AlertKind } from '../store/schema/alerts.ts'
import type { Alerts } from './alerts.ts'

/** A budget as those who hear of its alerts know it. */
export interface WatchedBudget {
  readonly organisationId: string
  /** What it belongs to. */
  readonly owner: 'policy' | 'api_key' | 'workspace' | 'virtual_key' | 'integration'
  /** Id of the policy, the key, … */
  readonly ownerId: string
  readonly name: string | null
  readonly limit: BudgetUnits
  readonly alertThreshold?: BudgetUnits | undefined
  /** How the interface names the group of calls: `metadata._user:anna`. Absent where there is one alone. */
  readonly valueKey?: string | undefined
}

/** Sees to it that a budget whose use passes its threshold, or its limit, is told of once a period. */
export interface BudgetWatch {
  /** Says what a count belongs to: when it is first met, and when its budget has changed. */
  watch(counter: Counter, budget: WatchedBudget): void
}

/** What was done about one count. */
interface Watched {
  budget: WatchedBudget
  generation: number
  readonly raised: Set<AlertKind>
}

export const BUDGET_KINDS = ['budget.threshold_reached', 'budget.exhausted'] as const
type BudgetKind = (typeof BUDGET_KINDS)[number]

/** What an alert of a budget is about: one count, between two resets. */
export const budgetSubject = ({ key, generation }: Pick<Counter, 'key' | 'generation'>): string =>
  `${key.workspaceId}:${key.budgetId}:${key.group}:${key.startMs}:${generation}`

/** Watches the counts of this process. Whatever it sees was, or will be, seen by the other processes too: one raises it. */
export const watchBudgets = (counters: Pick<Counters, 'onChange'>, alerts: Pick<Alerts, 'raise'>): BudgetWatch => {
  const known = new WeakMap<Counter, Watched>()

  const check = (counter: Counter): void => {
    const watched = known.get(counter)
    if (watched === undefined) return
    if (watched.generation !== counter.generation) {
      watched.generation = counter.generation
      watched.raised.clear()
    }
    const { limit, alertThreshold } = watched.budget
    const used = counter.stored + counter.pending
    if (alertThreshold !== undefined && used >= alertThreshold) raise(counter, watched, 'budget.threshold_reached')
    if (used >= limit) raise(counter, watched, 'budget.exhausted')
  }

  const raise = (counter: Counter, { budget, raised }: Watched, kind: BudgetKind): void => {
    if (raised.has(kind)) return
    raised.add(kind)
    const { organisationId, owner, ownerId } = budget
    alerts.raise({
      organisationId,
      workspaceId: counter.key.workspaceId,
      kind,
      subject: budgetSubject(counter),
      data: dataOf(counter, budget),
      audit: {
        action: kind === 'budget.exhausted' ? 'budgets.exhausted' : 'budgets.threshold_reached',
        objectKind: owner === 'policy' ? 'policy_usage_limits' : owner,
        objectId: ownerId,
      },
    })
  }

  counters.onChange(check)
  return {
    watch(counter, budget) {
      const watched = known.get(counter)
      if (watched === undefined) known.set(counter, { budget, generation: counter.generation, raised: new Set() })
      else watched.budget = budget
      check(counter)
    },
  }
}

const dataOf = (counter: Counter, budget: WatchedBudget): Readonly<Record<string, unknown>> => {
  const { key, type, endMs } = counter
  const { alertThreshold } = budget
  return {
    organisation_id: budget.organisationId,
    workspace_id: key.workspaceId,
    budget: {
      owner: budget.owner,
      id: budget.ownerId,
      name: budget.name,
      type,
      credit_limit: shownUnits(type, budget.limit),
      alert_threshold: alertThreshold === undefined ? null : shownUnits(type, alertThreshold),
    },
    value_key: budget.valueKey ?? null,
    current_usage: shownUnits(type, counter.stored + counter.pending),
    period_started_at: key.startMs === 0 ? null : new Date(key.startMs).toISOString(),
    next_usage_reset_at: endMs === undefined ? null : new Date(endMs).toISOString(),
  }
}
