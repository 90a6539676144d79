import type { BudgetCharge, TargetSpent } from '../../../../src/core/budgets.ts'
import type { AdmitOptions, CallAccount, RateLimits } from '../../../../src/core/limits.ts'
import type { CallRecord } from '../../../../src/core/records.ts'

/** What a budget holds back at each target: its path, and 10⁻¹² dollars. */
export type Holds = (target: object) => number | undefined

/** Limits with one budget of each type for the whole call, and one of costs for each target. */
export interface Charging extends RateLimits {
  /** Targets that calls were admitted to, in order. */
  readonly admitted: object[]
  /** What calls told at their end, in order. */
  readonly told: (readonly TargetSpent[])[]
  /** Events of calls, in order: which came first counts. */
  readonly events: string[]
}

const charge = (budgetId: string, type: BudgetCharge['type'], amount: number): BudgetCharge => ({
  budgetId,
  type,
  amount,
  group: 'AAAAAAAAAAAAAAAAAAAAAA',
  startMs: 0,
  label: '{}',
})

export const createCharging = (holds: Holds = () => undefined): Charging => {
  const admitted: object[] = []
  const told: (readonly TargetSpent[])[] = []
  const events: string[] = []
  const open = (): CallAccount => {
    let held: readonly BudgetCharge[] = []
    return {
      admit({ target }: AdmitOptions) {
        if (target === undefined) throw new Error('the target is not named')
        admitted.push(target)
        const amount = holds(target)
        held = amount === undefined ? [] : [charge('policy-cost', 'cost', amount)]
      },
      attemptEnded: () => undefined,
      settle: () => void events.push('settle'),
      charge(spent) {
        events.push('charge')
        told.push(spent)
        const sum = (part: 'cost' | 'tokens'): number => spent.reduce((all, each) => all + each[part], 0)
        const asked = spent.filter(({ wasAsked }) => wasAsked).length
        return [
          charge('policy-cost', 'cost', sum('cost')),
          charge('policy-tokens', 'tokens', sum('tokens')),
          charge('policy-requests', 'requests', Math.min(asked, 1)),
          ...spent.map(({ cost }, index) => charge(`target-${index}`, 'cost', cost)),
        ].filter(({ amount }) => amount > 0)
      },
      held: () => held,
      headers: () => new Map(),
      shadowRefusals: [],
    }
  }
  return { admitted, told, events, open, dryRun: () => Promise.reject(new Error('no dry run')) }
}

/** What a record added to a budget; 0 where it is not among its charges. */
export const charged = ({ charges = [] }: CallRecord, budgetId: string): number =>
  charges.find((each) => each.budgetId === budgetId)?.amount ?? 0
