import type { BudgetClaim, BudgetVerdict, Counter } from '../../budgets/counter.ts'
import type { BudgetUnits } from '../../core/budgets.ts'

export const NO_CLAIMS: readonly BudgetClaim[] = []
export const NO_BUDGETS: readonly OpenVerdict[] = []

/** A verdict to which the hold is added once all of the call is admitted. */
export interface OpenVerdict extends BudgetVerdict {
  hold: BudgetVerdict['hold']
}

/** Spent and held back, as this process knows it. */
export const usedOf = ({ stored, pending, held }: Counter): BudgetUnits => stored + pending + held

/** Whether a claim fits beside what is used. One without weight needs that anything is left, so that 0 lets nothing through. */
export const fitsBeside = (used: BudgetUnits, { limit, weight }: Pick<BudgetClaim, 'limit' | 'weight'>): boolean =>
  weight === 0 ? used < limit : used + weight <= limit

/** What this process says to a claim by itself. Changes nothing. */
export const judgeClaim = (claim: BudgetClaim): OpenVerdict => {
  const used = usedOf(claim.counter)
  return { fits: fitsBeside(used, claim), used, hold: undefined }
}

/** What it says to all claims of a call. */
export const judgeClaims = (claims: readonly BudgetClaim[]): readonly OpenVerdict[] =>
  claims.length === 0 ? NO_BUDGETS : claims.map(judgeClaim)

/** Whether the call goes on: a claim in shadow mode refuses nothing. */
export const admitsAll = (
  claims: readonly Pick<BudgetClaim, 'shadow'>[],
  verdicts: readonly BudgetVerdict[],
): boolean => {
  for (let place = 0; place < claims.length; place += 1) {
    if (claims[place]?.shadow === false && verdicts[place]?.fits !== true) return false
  }
  return true
}
