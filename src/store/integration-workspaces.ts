import { and, asc, count, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { countRows, type Page, type Paged } from './rows.ts'
import { integrationWorkspaces } from './schema/integrations.ts'
import { workspaces } from './schema/tenancy.ts'
import type { Db } from './types.ts'

export type IntegrationWorkspace = Readonly<typeof integrationWorkspaces.$inferSelect>
export type NewIntegrationWorkspace = Readonly<
  Omit<typeof integrationWorkspaces.$inferInsert, 'integrationId' | 'createdAt' | 'lastUpdatedAt'>
>
/** A grant with what people know the workspace by. */
export type IntegrationGrant = IntegrationWorkspace & { readonly workspaceSlug: string; readonly workspaceName: string }

/** By time of creation, the oldest first. Without a page: all of them. */
export const listIntegrationWorkspaces = async (
  db: Db,
  integrationId: string,
  page?: Page,
): Promise<Paged<IntegrationGrant>> => {
  const where = eq(integrationWorkspaces.integrationId, integrationId)
  const query = db
    .select({
      ...getTableColumns(integrationWorkspaces),
      workspaceSlug: workspaces.slug,
      workspaceName: workspaces.name,
    })
    .from(integrationWorkspaces)
    .innerJoin(workspaces, eq(workspaces.id, integrationWorkspaces.workspaceId))
    .where(where)
    .orderBy(asc(integrationWorkspaces.createdAt), asc(integrationWorkspaces.workspaceId))
    .$dynamic()
  const rows = await (page === undefined ? query : query.limit(page.limit).offset(page.offset))
  return { rows, total: page === undefined ? rows.length : await countRows(db, integrationWorkspaces, where) }
}

/** The row of one workspace; where there is none, `globalWorkspaceAccess` of the integration decides. */
export const findIntegrationWorkspace = async (
  db: Db,
  { integrationId, workspaceId }: Pick<IntegrationWorkspace, 'integrationId' | 'workspaceId'>,
): Promise<IntegrationWorkspace | undefined> => {
  const [row] = await db
    .select()
    .from(integrationWorkspaces)
    .where(
      and(eq(integrationWorkspaces.integrationId, integrationId), eq(integrationWorkspaces.workspaceId, workspaceId)),
    )
  return row
}

/** How many workspaces may use the integration by a row of their own. */
export const countIntegrationWorkspaces = async (db: Db, integrationId: string): Promise<number> => {
  const [row] = await db
    .select({ total: count() })
    .from(integrationWorkspaces)
    .where(and(eq(integrationWorkspaces.integrationId, integrationId), eq(integrationWorkspaces.enabled, true)))
  return row?.total ?? 0
}

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
