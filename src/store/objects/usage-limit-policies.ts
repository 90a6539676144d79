import { and, eq } from 'drizzle-orm'
import { usageLimitPolicies } from '../schema/usage-limit-policies.ts'
import type { Db } from '../types.ts'
import { contains, countRows, equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type UsageLimitPolicy = Readonly<typeof usageLimitPolicies.$inferSelect>

/** Found by id alone: policies have no slug. */
export const usagePolicyRows = rowsOf(usageLimitPolicies, {
  filters: {
    status: equals(usageLimitPolicies.status),
    type: equals(usageLimitPolicies.type),
    search: (part: string) => contains(usageLimitPolicies.name, part),
  },
})

export const countActiveUsagePolicies = (db: Db, workspaceId: string): Promise<number> =>
  countRows(
    db,
    usageLimitPolicies,
    and(eq(usageLimitPolicies.workspaceId, workspaceId), eq(usageLimitPolicies.status, 'active')),
  )
