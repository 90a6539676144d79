import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { mcpConnections, mcpOauthClients } from '../schema/mcp.ts'
import type { Db } from '../types.ts'

/** What a user agreed to at the server behind an MCP server, with its tokens. */
export type SealedConnection = Readonly<typeof mcpConnections.$inferSelect>

export const readConnections = (db: Db, serverIds: readonly string[]): Promise<readonly SealedConnection[]> =>
  db
    .select()
    .from(mcpConnections)
    .where(inArray(mcpConnections.serverId, [...serverIds]))

export const findConnection = async (
  db: Db,
  serverId: string,
  userId: string,
): Promise<SealedConnection | undefined> => {
  const [found] = await db
    .select()
    .from(mcpConnections)
    .where(and(eq(mcpConnections.serverId, serverId), eq(mcpConnections.userId, userId)))
  return found
}

export type NewConnection = Pick<SealedConnection, 'id' | 'serverId' | 'userId' | 'sealed' | 'scope' | 'expiresAt'>

/** Keeps new tokens in the place of those that there are. */
export const putConnection = async (db: Db, connection: NewConnection): Promise<void> => {
  await removeConnection(db, connection)
  await db.insert(mcpConnections).values(connection)
}

const removeConnection = async (db: Db, { serverId, userId }: Pick<NewConnection, 'serverId' | 'userId'>) => {
  await db.delete(mcpConnections).where(and(eq(mcpConnections.serverId, serverId), eq(mcpConnections.userId, userId)))
}

/**
 * Takes the refresh of a connection upon oneself for a while.
 * @returns false where somebody else has, or its tokens are others already
 */
export const takeRefresh = async (
  db: Db,
  { id, sealed }: Pick<SealedConnection, 'id' | 'sealed'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> => {
  const isFree = or(isNull(mcpConnections.refreshingUntil), lt(mcpConnections.refreshingUntil, now))
  const taken = await db
    .update(mcpConnections)
    .set({ refreshingUntil: until })
    .where(and(eq(mcpConnections.id, id), eq(mcpConnections.sealed, sealed), isFree))
    .returning({ id: mcpConnections.id })
  return taken.length > 0
}

/** Ends a refresh: with other tokens, or none. */
export const endRefresh = async (
  db: Db,
  id: string,
  tokens: Partial<Pick<SealedConnection, 'sealed' | 'scope' | 'expiresAt'>>,
): Promise<void> => {
  await db
    .update(mcpConnections)
    .set({ ...tokens, refreshingUntil: null })
    .where(eq(mcpConnections.id, id))
}

export const removeConnectionById = async (db: Db, id: string): Promise<void> => {
  await db.delete(mcpConnections).where(eq(mcpConnections.id, id))
}

/** How Weir is known at an authorization server. */
export type OwnOauthClient = Readonly<typeof mcpOauthClients.$inferSelect>

export const findOauthClient = async (db: Db, integrationId: string): Promise<OwnOauthClient | undefined> => {
  const [found] = await db.select().from(mcpOauthClients).where(eq(mcpOauthClients.integrationId, integrationId))
  return found
}

/** Keeps a registration in the place of the one before. */
export const putOauthClient = async (
  db: Db,
  client: Omit<OwnOauthClient, 'createdAt' | 'lastUpdatedAt'>,
): Promise<void> => {
  const { integrationId: _, ...changes } = client
  await db
    .insert(mcpOauthClients)
    .values(client)
    .onConflictDoUpdate({ target: mcpOauthClients.integrationId, set: { ...changes, lastUpdatedAt: sql`now()` } })
}
