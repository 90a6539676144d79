import type { OwnedBudgets } from '../core/budgets.ts'
import type { Logger } from '../core/ports.ts'
import { cached } from '../limits/cached.ts'
import { compileMatching, type Facts } from '../limits/match/compile.ts'
import type { BudgetPolicy, BudgetPolicySource } from './policy.ts'
import { type BudgetRule, type Counting, fromBudgetPolicy, fromOwnedBudgets } from './rule.ts'
import { type Period, periodAt } from './schedule.ts'

/** Which budgets apply to a call. */
export interface BudgetRules {
  readonly policies: BudgetPolicySource
  readonly counting: Counting
  /** In a stable order: policies by their age, then those of the caller and the target. */
  rulesFor(facts: Facts, owned: readonly OwnedBudgets[]): readonly BudgetRule[]
}

export interface BudgetRulesOptions extends Counting {
  readonly policies: BudgetPolicySource
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Logger
  /** Groups of one policy in one period; more share one count. */
  readonly maximumGroups: number
}

const NO_RULES: readonly BudgetRule[] = []

export const createBudgetRules = (options: BudgetRulesOptions): BudgetRules => {
  const { policies, counters, onCount, now, log, maximumGroups } = options
  const counting: Counting = { counters, onCount }
  const compiled = cached((list: readonly BudgetPolicy[]) =>
    compileMatching(list, {
      maximumGroups,
      now,
      windowsOf: periodsOf,
      onOverflow: ({ id }) =>
        log.warn('a usage limits policy has more groups than are told apart; new ones share one count', {
          policy: id,
          maximumGroups,
        }),
    }),
  )
  const ruleOf = cached(fromBudgetPolicy)
  // What an integration gives to all workspaces counts in each of them by itself.
  const byWorkspace = cached((_owned: OwnedBudgets) => new Map<string, readonly BudgetRule[]>())
  const rulesOf = (owned: OwnedBudgets, { workspaceId, organisationId }: Facts): readonly BudgetRule[] => {
    const known = byWorkspace(owned)
    const found = known.get(workspaceId)
    if (found !== undefined) return found
    const made = fromOwnedBudgets(owned, { workspaceId, organisationId, ...counting })
    known.set(workspaceId, made)
    return made
  }

  return {
    policies,
    counting,
    rulesFor(facts, owned) {
      const { workspaceId } = facts
      const active = compiled(policies.list(workspaceId))
      if (active.size === 0 && owned.length === 0) return NO_RULES
      const matched = active.match(facts)
      if (matched.length === 0 && owned.length === 0) return NO_RULES
      const rules = matched.map((each) => ruleOf(each, counting))
      for (const each of owned) rules.push(...rulesOf(each, facts))
      return rules
    },
  }
}

/** Periods of a policy by when they began, which is looked up once for each. */
const periodsOf = ({ schedule }: Pick<BudgetPolicy, 'schedule'>): ((nowMs: number) => number) => {
  let period: Period | undefined
  return (nowMs) => {
    if (period === undefined || nowMs < period.startMs || nowMs >= (period.endMs ?? Number.POSITIVE_INFINITY)) {
      period = periodAt(schedule, nowMs)
    }
    return period.startMs
  }
}
