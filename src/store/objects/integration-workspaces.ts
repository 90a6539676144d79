import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import { integrationWorkspaces } from '../schema/integrations.ts'
import type { Db } from '../types.ts'

export type IntegrationWorkspace = Readonly<typeof integrationWorkspaces.$inferSelect>
export type NewIntegrationWorkspace = Readonly<
  Omit<typeof integrationWorkspaces.$inferInsert, 'integrationId' | 'createdAt' | 'lastUpdatedAt'>
>
/** All of an integration, by time of creation, the oldest first; for others `globalWorkspaceAccess` decides. */
export const listIntegrationWorkspaces = (db: Db, integrationId: string): Promise<IntegrationWorkspace[]> =>
  db
    .select()
    .from(integrationWorkspaces)
    .where(eq(integrationWorkspaces.integrationId, integrationId))
    .orderBy(asc(integrationWorkspaces.createdAt), asc(integrationWorkspaces.workspaceId))

/** Writes each grant as a whole, new or not; others stay as they are. A workspace may come once. */
export const putIntegrationWorkspaces = async (
  db: Db,
  { integrationId, grants }: { readonly integrationId: string; readonly grants: readonly NewIntegrationWorkspace[] },
): Promise<void> => {
  if (grants.length === 0) return
  await db
    .insert(integrationWorkspaces)
    .values(grants.map((grant) => ({ ...grant, integrationId })))
    .onConflictDoUpdate({
      target: [integrationWorkspaces.integrationId, integrationWorkspaces.workspaceId],
      set: {
        enabled: sql`excluded.enabled`,
        usageLimits: sql`excluded.usage_limits`,
        rateLimits: sql`excluded.rate_limits`,
      },
    })
}

/** Deletes the grants of all workspaces but these. */
export const deleteOtherIntegrationWorkspaces = async (
  db: Db,
  { integrationId, keepIds }: { readonly integrationId: string; readonly keepIds: readonly string[] },
): Promise<void> => {
  await db
    .delete(integrationWorkspaces)
    .where(
      and(
        eq(integrationWorkspaces.integrationId, integrationId),
        keepIds.length === 0 ? undefined : notInArray(integrationWorkspaces.workspaceId, [...keepIds]),
      ),
    )
}
