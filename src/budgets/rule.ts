import {
  type BudgetType,
  type BudgetUnits,
  type CounterKey,
  type Enforcement,
  limitUnits,
  type OwnBudget,
  type OwnedBudgets,
  type ResetSchedule,
} from '../core/budgets.ts'
import type { MatchedPolicy } from '../limits/match/compile.ts'
import { needsTarget } from '../limits/match/conditions.ts'
import type { Group } from '../limits/match/groups.ts'
import type { Counter, Counters } from './counter.ts'
import { ownedKey, ownedLabel } from './owned.ts'
import type { BudgetPolicy } from './policy.ts'
import { periodAt } from './schedule.ts'

/** What a budget says of itself, whatever it belongs to. */
export interface BudgetFacts {
  /** Id of the policy, or `api_key.cost` and the like. */
  readonly id: string
  readonly name: string | null
  readonly owner: 'policy' | OwnedBudgets['owner']
  /** Id of the policy, the key, … */
  readonly ownerId: string
  readonly organisationId: string
  /** `call`: it counts all that the call spends, whatever the target. */
  readonly scope: 'call' | 'target'
  readonly group: Group['values']
  readonly type: BudgetType
  readonly limit: BudgetUnits
  /** Somebody wants to hear when so much is used. */
  readonly alertThreshold?: BudgetUnits | undefined
  readonly enforcement: Enforcement
  readonly onUnknownPrice: BudgetPolicy['onUnknownPrice']
  readonly mode: BudgetPolicy['mode']
  readonly schedule: ResetSchedule
}

/** Where rules count. */
export interface Counting {
  readonly counters: Counters
  /** Hears of each count that a rule meets, before it is used. */
  readonly onCount?: ((counter: Counter, budget: BudgetFacts) => void) | undefined
}

interface Counted extends Counting {
  readonly key: Omit<CounterKey, 'startMs'>
  readonly label: string
}

/** One budget that applies to a call, with the count of the period that runs at hand. */
export class BudgetRule {
  readonly facts: BudgetFacts
  readonly #counted: Counted
  #counter: Counter | undefined
  #fromMs = 0
  #untilMs = 0

  constructor(facts: BudgetFacts, counted: Counted) {
    this.facts = facts
    this.#counted = counted
  }

  /** The count of the period that a time belongs to. */
  counterAt(nowMs: number): Counter {
    if (this.#counter?.isKept === true && nowMs >= this.#fromMs && nowMs < this.#untilMs) return this.#counter
    return this.#find(nowMs)
  }

  #find(nowMs: number): Counter {
    const { counters, onCount, key, label } = this.#counted
    const { schedule, type } = this.facts
    const { startMs, ...end } = periodAt(schedule, nowMs)
    const counter = counters.of({ ...key, startMs }, { type, label, ...end })
    onCount?.(counter, this.facts)
    // A call of yesterday that goes on to another target does not take away the count of today.
    if (startMs >= this.#fromMs || this.#counter?.isKept !== true) {
      this.#counter = counter
      this.#fromMs = startMs
      this.#untilMs = end.endMs ?? Number.POSITIVE_INFINITY
    }
    return counter
  }
}

export const fromBudgetPolicy = ({ policy, group }: MatchedPolicy<BudgetPolicy>, counting: Counting): BudgetRule => {
  const { id, name, type, limit, enforcement, onUnknownPrice, mode, schedule, workspaceId } = policy
  const { organisationId, alertThreshold } = policy
  const scope = needsTarget(policy) ? 'target' : 'call'
  return new BudgetRule(
    {
      ...{ id, name, owner: 'policy', ownerId: id, organisationId, scope, group: group.values, type, limit },
      ...{ alertThreshold, enforcement, onUnknownPrice, mode, schedule },
    },
    { ...counting, key: { workspaceId, budgetId: id, group: group.hash }, label: group.label },
  )
}

/** Budgets of a key, a workspace, a provider or a grant. Of two of one type the smaller counts. */
export const fromOwnedBudgets = (
  owned: OwnedBudgets,
  {
    workspaceId,
    organisationId,
    ...counting
  }: Counting & Pick<BudgetFacts, 'organisationId'> & { readonly workspaceId: string },
): readonly BudgetRule[] => {
  const smallest = new Map<OwnBudget['type'], OwnBudget>()
  for (const budget of owned.budgets) {
    const other = smallest.get(budget.type)
    if (other === undefined || budget.limit < other.limit) smallest.set(budget.type, budget)
  }
  const { owner, id } = owned
  return [...smallest.values()].map(({ type, limit, alertThreshold, enforcement, schedule }) => {
    const key = ownedKey(owned, type, workspaceId)
    return new BudgetRule(
      {
        id: key.budgetId,
        name: null,
        owner,
        ownerId: id,
        organisationId,
        scope: owner === 'virtual_key' || owner === 'integration' ? 'target' : 'call',
        group: { [owner]: id },
        type,
        limit: limitUnits(type, limit),
        alertThreshold: alertThreshold === undefined ? undefined : limitUnits(type, alertThreshold),
        enforcement,
        onUnknownPrice: 'allow',
        mode: 'enforce',
        schedule,
      },
      { ...counting, key, label: ownedLabel(owned) },
    )
  })
}
