import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import type { BudgetUnits } from '../../core/budgets.ts'
import { judgeClaim, NO_BUDGETS, type OpenVerdict, usedOf } from './claims.ts'

/** What is known of one count beyond what this process counts itself. */
interface Known {
  /** What others used when the shared counts were heard last, and the ledger had not. */
  others: BudgetUnits
  /** What this process may add by itself until they are heard again. */
  share: { readonly from: BudgetUnits; readonly most: BudgetUnits } | undefined
}

/**
 * What a process may take of budgets while the shared counts cannot be asked. A soft budget is judged by what this process
 * knows. Of one that holds back, each process may take an equal part of what was left when it was heard last, and no more
 * until it is heard again: so all together stay within the limit, but for what others had taken since.
 * @param replicas processes that share the counts
 */
export const createShares = (replicas: () => number) => {
  const known = new WeakMap<Counter, Known>()

  const knownOf = (counter: Counter): Known => {
    const found = known.get(counter)
    if (found !== undefined) return found
    const made: Known = { others: 0, share: undefined }
    known.set(counter, made)
    return made
  }

  const judgeHeld = ({ counter, limit, weight }: BudgetClaim): OpenVerdict => {
    const about = knownOf(counter)
    const own = usedOf(counter)
    const used = own + about.others
    about.share ??= { from: own, most: Math.floor(Math.max(0, limit - used) / Math.max(1, replicas())) }
    return { fits: own - about.share.from + weight <= about.share.most, used, hold: undefined }
  }

  return {
    /** The shared counts have answered. @param used by all processes, without the call */
    heard({ counter, weight }: Pick<BudgetClaim, 'counter' | 'weight'>, used: BudgetUnits): void {
      if (weight === 0) return
      const about = knownOf(counter)
      about.others = Math.max(0, used - usedOf(counter))
      about.share = undefined
    },

    /** What this process says to claims by itself. */
    judge(claims: readonly BudgetClaim[]): readonly OpenVerdict[] {
      if (claims.length === 0) return NO_BUDGETS
      return claims.map((claim) => (claim.weight > 0 ? judgeHeld(claim) : judgeClaim(claim)))
    },
  }
}

export type Shares = ReturnType<typeof createShares>
