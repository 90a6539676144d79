import { and, eq } from 'drizzle-orm'
import { rateLimitPolicies } from '../schema/rate-limit-policies.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { contains, countRows, equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type RateLimitPolicy = Readonly<typeof rateLimitPolicies.$inferSelect>

/** Found by id alone: policies have no slug. */
export const policyRows = rowsOf(rateLimitPolicies, {
  filters: {
    status: equals(rateLimitPolicies.status),
    type: equals(rateLimitPolicies.type),
    unit: equals(rateLimitPolicies.unit),
    target: equals(rateLimitPolicies.target),
    search: (part: string) => contains(rateLimitPolicies.name, part),
  },
})

/**
 * Until the end of the transaction nobody else holds this: what is counted before policies are added stays true. To be
 * taken before a policy is, as whoever deletes the workspace does, or the two could wait for each other.
 */
export const lockPoliciesOf = async (transaction: Db, workspaceId: string): Promise<void> => {
  // No stronger: whatever else refers to the workspace may be added meanwhile.
  await transaction
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update')
}

export const countActivePolicies = (db: Db, workspaceId: string): Promise<number> =>
  countRows(
    db,
    rateLimitPolicies,
    and(eq(rateLimitPolicies.workspaceId, workspaceId), eq(rateLimitPolicies.status, 'active')),
  )
