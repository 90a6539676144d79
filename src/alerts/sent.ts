import type { Counter } from '../budgets/counter.ts'
import { raisedAbout } from '../store/objects/alerts.ts'
import type { Db } from '../store/types.ts'
import { BUDGET_KINDS, budgetSubject } from './budget-watch.ts'

/** What was told of one count since its last reset. */
export interface SentAlerts {
  readonly threshold: boolean
  readonly exhausted: boolean
}

type Count = Pick<Counter, 'key' | 'generation'>

/** Looks up which alerts of counts were raised, of one organisation. */
export const sentAlerts = async (
  db: Db,
  organisationId: string,
  counts: readonly Count[],
): Promise<(count: Count) => SentAlerts> => {
  const raised = await raisedAbout(db, organisationId, BUDGET_KINDS, counts.map(budgetSubject))
  const known = new Set(raised.map(({ kind, subject }) => `${kind} ${subject}`))
  return (count) => {
    const subject = budgetSubject(count)
    return {
      threshold: known.has(`budget.threshold_reached ${subject}`),
      exhausted: known.has(`budget.exhausted ${subject}`),
    }
  }
}
