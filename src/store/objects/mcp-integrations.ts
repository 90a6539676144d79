import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { mcpIntegrations, mcpIntegrationWorkspaces, mcpServers } from '../schema/mcp.ts'
import type { Db } from '../types.ts'
import { contains, countRows, equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type McpIntegration = Readonly<typeof mcpIntegrations.$inferSelect>
/** The id may be chosen by the caller (`newId`), who needs it to seal the secrets of the row. */
export type NewMcpIntegration = Readonly<
  Omit<typeof mcpIntegrations.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>
> & { readonly id?: string }

/** Constraint that a second MCP integration of the same slug breaks, for `isUniqueViolation`. */
export const MCP_INTEGRATION_SLUG_TAKEN = 'mcp_integrations_organisation_slug'

/** Whether a workspace, or that of a row, can use an integration: its own, or one that is given to it. */
export const isUsableIn = (workspaceId: string | AnyPgColumn): SQL => {
  const { integrationId, workspaceId: grantee, enabled } = mcpIntegrationWorkspaces
  const granted = sql`select ${enabled} from ${mcpIntegrationWorkspaces}
    where ${integrationId} = ${mcpIntegrations.id} and ${grantee} = ${workspaceId}`
  const isGlobal = sql`(${mcpIntegrations.globalWorkspaceAccess} ->> 'enabled')::boolean`
  return sql`case when ${mcpIntegrations.workspaceId} is null then coalesce((${granted}), ${isGlobal}, false)
    else ${mcpIntegrations.workspaceId} = ${workspaceId} end`
}

/** Those of an organisation, of any of its workspaces or of none; for a workspace those that it can use. */
export const mcpIntegrationRows = rowsOf(mcpIntegrations, {
  isIn: isUsableIn,
  reference: mcpIntegrations.slug,
  filters: {
    search: (part: string) => or(contains(mcpIntegrations.name, part), contains(mcpIntegrations.slug, part)),
    status: equals(mcpIntegrations.status),
    /** `workspace`: those that belong to a workspace. `organisation`: those that belong to none. */
    type: (type: 'workspace' | 'organisation' | 'all') =>
      ({
        workspace: isNotNull(mcpIntegrations.workspaceId),
        organisation: isNull(mcpIntegrations.workspaceId),
        all: undefined,
      })[type],
  },
})

/** How many servers, of all workspaces, are made of the integration. */
export const countMcpServersOf = (db: Db, integrationId: string): Promise<number> =>
  countRows(db, mcpServers, eq(mcpServers.integrationId, integrationId))

export type McpIntegrationWorkspace = Readonly<typeof mcpIntegrationWorkspaces.$inferSelect>

/** The workspaces that have a setting of their own, the oldest first; for others `globalWorkspaceAccess` decides. */
export const listMcpIntegrationWorkspaces = (
  db: Db,
  integrationIds: readonly string[],
): Promise<McpIntegrationWorkspace[]> =>
  db
    .select()
    .from(mcpIntegrationWorkspaces)
    .where(inArray(mcpIntegrationWorkspaces.integrationId, [...integrationIds]))
    .orderBy(asc(mcpIntegrationWorkspaces.createdAt), asc(mcpIntegrationWorkspaces.workspaceId))

/** Writes the setting of each of these workspaces, new or not. A workspace may come once. */
export const putMcpIntegrationWorkspaces = async (
  db: Db,
  integrationId: string,
  grants: readonly Pick<McpIntegrationWorkspace, 'workspaceId' | 'enabled'>[],
): Promise<void> => {
  if (grants.length === 0) return
  await db
    .insert(mcpIntegrationWorkspaces)
    .values(grants.map(({ workspaceId, enabled }) => ({ integrationId, workspaceId, enabled })))
    .onConflictDoUpdate({
      target: [mcpIntegrationWorkspaces.integrationId, mcpIntegrationWorkspaces.workspaceId],
      set: { enabled: sql`excluded.enabled`, lastUpdatedAt: sql`now()` },
    })
}

/** Deletes the settings of all workspaces but these. */
export const removeOtherMcpIntegrationWorkspaces = async (
  db: Db,
  integrationId: string,
  keepIds: readonly string[],
): Promise<void> => {
  const { integrationId: owner, workspaceId } = mcpIntegrationWorkspaces
  const isOther = keepIds.length === 0 ? undefined : notInArray(workspaceId, [...keepIds])
  await db.delete(mcpIntegrationWorkspaces).where(and(eq(owner, integrationId), isOther))
}
