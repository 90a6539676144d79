import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type BudgetUnits, limitUnits } from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import type { UsageLimitPolicy } from '../objects/usage-limit-policies.ts'
import { usageLimitPolicies } from '../schema/usage-limit-policies.ts'
import type { Db, Store } from '../types.ts'
import { type ActivePolicies, followActivePolicies, type ReadPolicy } from './active-policies.ts'
import type { SnapshotOptions } from './follow-changes.ts'

const {
  description: _,
  status: __,
  createdAt: ___,
  lastUpdatedAt: ____,
  ...columns
} = getTableColumns(usageLimitPolicies)

type Columns = Pick<UsageLimitPolicy, keyof typeof columns>

/** An active usage limits policy as calls need it. */
export interface StoredBudgetPolicy extends Omit<Columns, 'creditLimit' | 'alertThreshold'> {
  readonly limit: BudgetUnits
  readonly alertThreshold?: BudgetUnits
}

export type BudgetPolicySnapshot = ActivePolicies<StoredBudgetPolicy>

/** @throws StoreUnavailable when the policies cannot be read the first time */
export const createBudgetPolicySnapshot = (
  store: Store,
  options: SnapshotOptions = {},
): Promise<BudgetPolicySnapshot> => followActivePolicies(store, 'usage_limit_policies', readPolicies, options)

const readPolicies = async (db: Db): Promise<readonly ReadPolicy<StoredBudgetPolicy>[]> => {
  const rows = await db
    .select({ policy: columns, writtenBy: sql<string>`${usageLimitPolicies}.xmin::text` })
    .from(usageLimitPolicies)
    .where(eq(usageLimitPolicies.status, 'active'))
    .orderBy(asc(usageLimitPolicies.createdAt), asc(usageLimitPolicies.id))
  return rows.map(({ policy, writtenBy }) => ({ policy: toBudgetPolicy(policy), writtenBy }))
}

/** Limits in the unit in which they are enforced. */
export const toBudgetPolicy = ({ creditLimit, alertThreshold, ...policy }: Columns): StoredBudgetPolicy => ({
  ...policy,
  limit: limitUnits(policy.type, creditLimit),
  ...defined({ alertThreshold: alertThreshold === null ? undefined : limitUnits(policy.type, alertThreshold) }),
})
