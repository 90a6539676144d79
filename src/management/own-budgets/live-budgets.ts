import { type SentAlerts, sentAlerts } from '../../alerts/sent.ts'
import { midnightBefore } from '../../budgets/schedule.ts'
import type { BudgetUsage, OwnUse } from '../../budgets/usage.ts'
import type { OwnedBudgets } from '../../core/budgets.ts'
import type { UsageLimits as StoredUsageLimits } from '../../store/schema/own-limits.ts'
import type { Db } from '../../store/types.ts'
import { whileCounted } from '../policies/counted.ts'
import { toOwnBudget } from './own-budgets.ts'
import { fromUsageLimits, type UsageLimitsBody } from './usage-limits.ts'

/** What the routes of objects with budgets need. */
export interface BudgetsDeps {
  readonly budgets: BudgetUsage
}

/** An object as the owner of its budgets. */
export interface BudgetOwner extends Pick<OwnedBudgets, 'owner' | 'id'> {
  readonly workspaceId: string
  readonly usageLimits: readonly StoredUsageLimits[]
}

/** What one budget has used in the period that runs, and what was told of that. */
export interface LiveUse extends OwnUse, Pick<BudgetOwner, 'owner' | 'workspaceId'> {
  readonly ownerId: string
  readonly sent: SentAlerts
}

/** A stored object with the use of its budgets, where that was looked up. */
export type WithUse<Row> = Row & { readonly budgetUse?: readonly LiveUse[] }

/** The budgets of an owner as calls meet them. */
const toOwned = ({ owner, id, usageLimits }: BudgetOwner): OwnedBudgets => ({
  owner,
  id,
  budgets: usageLimits.map(toOwnBudget),
})

/** Whether one of the owner's budgets is used up. */
export const isSpent = (budgets: BudgetUsage, owner: BudgetOwner): boolean =>
  owner.usageLimits.length > 0 &&
  budgets.ownedUsage(owner.workspaceId, toOwned(owner)).some(({ isExhausted }) => isExhausted)

/** Of a count that never moved. */
const NOTHING_SENT: SentAlerts = { threshold: false, exhausted: false }

/** Adds the use of budgets to objects of one organisation. @param ownersOf an object, and what else its calls are counted for */
export const withUse = async <Row extends object>(
  db: Db,
  budgets: BudgetUsage,
  rows: readonly Row[],
  ownersOf: (row: Row) => { readonly organisationId: string; readonly owners: readonly BudgetOwner[] },
): Promise<readonly WithUse<Row>[]> => {
  const found = rows.map((row) => {
    const { organisationId, owners } = ownersOf(row)
    const uses = owners.flatMap((owner) =>
      owner.usageLimits.length === 0
        ? []
        : budgets.ownedUsage(owner.workspaceId, toOwned(owner)).map((use) => ({
            ...use,
            owner: owner.owner,
            ownerId: owner.id,
            workspaceId: owner.workspaceId,
          })),
    )
    return { row, organisationId, uses }
  })
  const counts = found.flatMap(({ uses }) => uses.flatMap(({ counter }) => counter ?? []))
  const sentOf = await sentAlerts(db, found[0]?.organisationId ?? '', counts)
  return found.map(({ row, uses }) => ({
    ...row,
    budgetUse: uses.map((use) => ({ ...use, sent: use.counter === undefined ? NOTHING_SENT : sentOf(use.counter) })),
  }))
}

/**
 * Sets what budgets of an owner have counted to 0, once everything else of a change is done: one that fails resets nothing.
 * @param note adds to what the audit log keeps
 * @throws ManagementUnavailable when that cannot be written down now
 */
export const resetUse = async (
  budgets: BudgetUsage,
  owner: BudgetOwner,
  note?: (fields: object) => void,
): Promise<void> => {
  if (owner.usageLimits.length === 0) return
  await whileCounted('budgets', budgets.resetOwned(owner.workspaceId, toOwned(owner)))
  note?.({ reset_usage: true })
}

/** The use of one of an object's own budgets. */
const useOf = (
  uses: readonly LiveUse[] | undefined,
  owner: OwnedBudgets['owner'],
  { type }: StoredUsageLimits,
): LiveUse | undefined => uses?.find((use) => use.owner === owner && use.budget.type === type)

/** A stored budget as the interface shows it, with its use where that was looked up. */
export const showUsageLimits = (
  stored: StoredUsageLimits,
  owner: OwnedBudgets['owner'],
  uses: readonly LiveUse[] | undefined,
): UsageLimitsBody => {
  const shown = fromUsageLimits(stored)
  const use = useOf(uses, owner, stored)
  if (use === undefined) return shown
  return {
    ...shown,
    next_usage_reset_at: use.endMs === undefined ? null : new Date(use.endMs).toISOString(),
    // Derived, not stored: the same as long as the owner has a budget of the type.
    id: Bun.randomUUIDv5(`${owner}.${stored.type} ${use.workspaceId}`, use.ownerId),
    status: use.isExhausted ? 'exhausted' : 'active',
    current_usage: use.used,
    is_threshold_alerts_sent: use.sent.threshold,
    is_exhausted_alerts_sent: use.sent.exhausted,
  }
}

/** Whether calls of an object are refused, as its own budget or one that it shares is used up. */
export const isExhausted = ({ budgetUse = [] }: WithUse<object>): boolean => budgetUse.some((use) => use.isExhausted)

/** When the period that runs began by a reset of the schedule; the first one began when the budget was set. */
export const lastResetOf = (use: OwnUse | undefined): string | null => {
  if (use === undefined) return null
  const { startMs, budget } = use
  const isFirst = startMs === budget.schedule.since.setAtMs || startMs !== midnightBefore(startMs)
  return isFirst ? null : new Date(startMs).toISOString()
}
