import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { RateLimitPolicy } from '../objects/rate-limit-policies.ts'
import { rateLimitPolicies } from '../schema/rate-limit-policies.ts'
import type { Db, Store } from '../types.ts'
import { type ActivePolicies, followActivePolicies, type ReadPolicy } from './active-policies.ts'
import type { SnapshotOptions } from './follow-changes.ts'

const {
  description: _,
  status: __,
  createdAt: ___,
  lastUpdatedAt: ____,
  ...columns
} = getTableColumns(rateLimitPolicies)

/** An active policy as calls need it. */
export type StoredPolicy = Pick<RateLimitPolicy, keyof typeof columns>

/** Rate limits policies of all targets. */
export type PolicySnapshot = ActivePolicies<StoredPolicy>

/** @throws StoreUnavailable when the policies cannot be read the first time */
export const createPolicySnapshot = (store: Store, options: SnapshotOptions = {}): Promise<PolicySnapshot> =>
  followActivePolicies(store, 'rate_limit_policies', readPolicies, options)

const readPolicies = (db: Db): Promise<readonly ReadPolicy<StoredPolicy>[]> =>
  db
    .select({ policy: columns, writtenBy: sql<string>`${rateLimitPolicies}.xmin::text` })
    .from(rateLimitPolicies)
    .where(eq(rateLimitPolicies.status, 'active'))
    .orderBy(asc(rateLimitPolicies.createdAt), asc(rateLimitPolicies.id))
