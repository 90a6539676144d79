import { and, asc, eq, getTableColumns, gte, inArray, or, type SQL, sql } from 'drizzle-orm'
import { mcpConnections, mcpIntegrations, mcpServers, mcpUserAccess } from '../schema/mcp.ts'
import { users, workspaceMembers } from '../schema/people.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { isUsableIn, type McpIntegration } from './mcp-integrations.ts'
import { contains, type Page, type Paged } from './rows.ts'
import { rowsOf } from './rows-of.ts'

/** A server with what it is a use of. */
export type McpServer = Readonly<typeof mcpServers.$inferSelect> & {
  readonly integration: McpIntegration
  readonly workspace: { readonly name: string; readonly slug: string }
}

/** Constraint that a second server of the same slug breaks, for `isUniqueViolation`. */
export const MCP_SERVER_SLUG_TAKEN = 'mcp_servers_workspace_slug'

/** Read with their integrations. */
export const mcpServerRows = rowsOf(mcpServers, {
  select: (db) =>
    db
      .select({
        ...getTableColumns(mcpServers),
        integration: getTableColumns(mcpIntegrations),
        workspace: { name: workspaces.name, slug: workspaces.slug },
      })
      .from(mcpServers)
      .innerJoin(mcpIntegrations, eq(mcpIntegrations.id, mcpServers.integrationId))
      .innerJoin(workspaces, eq(workspaces.id, mcpServers.workspaceId))
      .$dynamic(),
  reference: mcpServers.slug,
  filters: {
    search: (part: string) => or(contains(mcpServers.name, part), contains(mcpServers.slug, part)),
    ids: (ids: readonly string[]) => inArray(mcpServers.id, [...ids]),
    updatedSince: (at: Date) => gte(mcpServers.lastUpdatedAt, at),
    /** Those that clients can use, with this version of the server behind where one is asked for. */
    served: ({ version }: { readonly version: string | undefined }) =>
      and(eq(mcpServers.status, 'active'), isGiven(version)),
    usableBy: (userId: string) =>
      sql`coalesce((select ${mcpUserAccess.enabled} from ${mcpUserAccess}
        where ${mcpUserAccess.serverId} = ${mcpServers.id} and ${mcpUserAccess.userId} = ${userId}),
        ${mcpServers.defaultUserAccess} = 'allow')`,
  },
})

/** What a server is said to be whose version nobody knows. */
export const UNKNOWN_VERSION = '1.0.0'

/** Whether the integration of a server is there for its workspace. */
const isGiven = (version: string | undefined): SQL => {
  const { id, status, serverInfo } = mcpIntegrations
  const isVersion =
    version === undefined ? sql`true` : sql`coalesce(${serverInfo} ->> 'version', ${UNKNOWN_VERSION}) = ${version}`
  return sql`exists (select 1 from ${mcpIntegrations} where ${id} = ${mcpServers.integrationId}
    and ${status} = 'active' and ${isUsableIn(mcpServers.workspaceId)} and ${isVersion})`
}

/** A user of the workspace of a server, and whether they may use it. */
export interface McpUser {
  readonly userId: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** Null: as the default of the server. */
  readonly override: boolean | null
  readonly isConnected: boolean
}

/** A page of the members of the server's workspace, and of the owners and admins of the organisation, who are so everywhere. */
export const listMcpUsers = async (
  db: Db,
  { id, workspaceId, organisationId }: Pick<McpServer, 'id' | 'workspaceId' | 'organisationId'>,
  search: string | undefined,
  page: Page,
): Promise<Paged<McpUser>> => {
  const isMember = sql`exists (select 1 from ${workspaceMembers}
    where ${workspaceMembers.userId} = ${users.id} and ${workspaceMembers.workspaceId} = ${workspaceId})`
  const where = and(
    eq(users.organisationId, organisationId),
    or(inArray(users.role, ['owner', 'admin']), isMember),
    search === undefined
      ? undefined
      : sql`position(lower(${search}::text) in lower(concat_ws(' ', ${users.firstName}, ${users.lastName}, ${users.email}))) > 0`,
  )
  const rows = await db
    .select({
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      override: mcpUserAccess.enabled,
      isConnected: sql<boolean>`${mcpConnections.id} is not null`,
    })
    .from(users)
    .leftJoin(mcpUserAccess, and(eq(mcpUserAccess.userId, users.id), eq(mcpUserAccess.serverId, id)))
    .leftJoin(mcpConnections, and(eq(mcpConnections.userId, users.id), eq(mcpConnections.serverId, id)))
    .where(where)
    .orderBy(asc(users.email), asc(users.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await db.$count(users, where) }
}

/** Writes whether these users may use a server. */
export const putMcpUserAccess = async (
  db: Db,
  serverId: string,
  access: readonly { readonly userId: string; readonly enabled: boolean }[],
): Promise<void> => {
  if (access.length === 0) return
  await db
    .insert(mcpUserAccess)
    .values(access.map((one) => ({ serverId, ...one })))
    .onConflictDoUpdate({
      target: [mcpUserAccess.serverId, mcpUserAccess.userId],
      set: { enabled: sql`excluded.enabled`, lastUpdatedAt: sql`now()` },
    })
}

/** What users agreed to at the server behind. */
export type McpConnection = Readonly<Omit<typeof mcpConnections.$inferSelect, 'sealed'>>

const { sealed: _, ...connectionColumns } = getTableColumns(mcpConnections)

/** A page of the connections of a server, or of one user there, the oldest first. */
export const listMcpConnections = async (
  db: Db,
  serverId: string,
  userId: string | undefined,
  page: Page,
): Promise<Paged<McpConnection>> => {
  const where = ofConnection(serverId, userId)
  const rows = await db
    .select(connectionColumns)
    .from(mcpConnections)
    .where(where)
    .orderBy(asc(mcpConnections.createdAt), asc(mcpConnections.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await db.$count(mcpConnections, where) }
}

/** Forgets what a user agreed to. @returns whether there was anything */
export const removeMcpConnection = async (db: Db, serverId: string, userId: string): Promise<boolean> => {
  const removed = await db
    .delete(mcpConnections)
    .where(ofConnection(serverId, userId))
    .returning({ id: mcpConnections.id })
  return removed.length > 0
}

const ofConnection = (serverId: string, userId: string | undefined) =>
  and(eq(mcpConnections.serverId, serverId), userId === undefined ? undefined : eq(mcpConnections.userId, userId))
