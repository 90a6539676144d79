import { and, asc, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import { type McpCapabilityType, mcpCapabilities, mcpServerCapabilities } from '../schema/mcp.ts'
import type { Db } from '../types.ts'
import { newId, type Page, type Paged } from './rows.ts'

export type McpCapability = Readonly<typeof mcpCapabilities.$inferSelect>

/** What a server told of one thing that it offers. */
export type SeenCapability = Pick<McpCapability, 'type' | 'name' | 'definition' | 'hash'>

/** How a call or a body names a capability. */
export type CapabilityName = Pick<McpCapability, 'type' | 'name'>

/** How many there are of a type, and how many of them are enabled. */
export interface CapabilityCount {
  readonly total: number
  readonly enabled: number
}

/** A capability as one server has it. */
export interface ServerCapability extends McpCapability {
  /** What the server says of it; null: nothing. */
  readonly serverEnabled: boolean | null
}

const isOffered = (integrationId: string, type: McpCapabilityType | undefined): SQL | undefined =>
  and(
    eq(mcpCapabilities.integrationId, integrationId),
    eq(mcpCapabilities.isOffered, true),
    type === undefined ? undefined : eq(mcpCapabilities.type, type),
  )

const ORDER = [asc(mcpCapabilities.type), asc(mcpCapabilities.name)]

/** A page of what an integration offers, by type and name. */
export const listMcpCapabilities = async (
  db: Db,
  integrationId: string,
  type: McpCapabilityType | undefined,
  page: Page,
): Promise<Paged<McpCapability>> => {
  const where = isOffered(integrationId, type)
  const rows = await db
    .select()
    .from(mcpCapabilities)
    .where(where)
    .orderBy(...ORDER)
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await db.$count(mcpCapabilities, where) }
}

/** A page of what is offered, with what a server says of each. */
export const listMcpServerCapabilities = async (
  db: Db,
  server: { readonly id: string; readonly integrationId: string },
  type: McpCapabilityType | undefined,
  page: Page,
): Promise<Paged<ServerCapability>> => {
  const where = isOffered(server.integrationId, type)
  const rows = await db
    .select({ capability: mcpCapabilities, serverEnabled: mcpServerCapabilities.enabled })
    .from(mcpCapabilities)
    .leftJoin(mcpServerCapabilities, ofServer(server.id))
    .where(where)
    .orderBy(...ORDER)
    .limit(page.limit)
    .offset(page.offset)
  return {
    rows: rows.map(({ capability, serverEnabled }) => ({ ...capability, serverEnabled })),
    total: await db.$count(mcpCapabilities, where),
  }
}

const ofServer = (serverId: string): SQL | undefined =>
  and(eq(mcpServerCapabilities.capabilityId, mcpCapabilities.id), eq(mcpServerCapabilities.serverId, serverId))

/** How many things of each type an integration, or a server of it, offers. Types without any are absent. */
export const countMcpCapabilities = async (
  db: Db,
  integrationId: string,
  serverId?: string,
): Promise<ReadonlyMap<McpCapabilityType, CapabilityCount>> => {
  const isEnabled =
    serverId === undefined
      ? sql`${mcpCapabilities.enabled}`
      : sql`${mcpCapabilities.enabled} and coalesce(${mcpServerCapabilities.enabled}, true)`
  const counted = db
    .select({
      type: mcpCapabilities.type,
      total: sql<number>`count(*)::int`,
      enabled: sql<number>`(count(*) filter (where ${isEnabled}))::int`,
    })
    .from(mcpCapabilities)
    .$dynamic()
  const joined = serverId === undefined ? counted : counted.leftJoin(mcpServerCapabilities, ofServer(serverId))
  const rows = await joined.where(isOffered(integrationId, undefined)).groupBy(mcpCapabilities.type)
  return new Map(rows.map(({ type, total, enabled }) => [type, { total, enabled }]))
}

/** Those of these names that an integration was seen to offer, also if it does no more. */
export const findMcpCapabilities = async (
  db: Db,
  integrationId: string,
  wanted: readonly CapabilityName[],
): Promise<readonly McpCapability[]> => {
  if (wanted.length === 0) return []
  const names = [...new Set(wanted.map(({ name }) => name))]
  const rows = await db
    .select()
    .from(mcpCapabilities)
    .where(and(eq(mcpCapabilities.integrationId, integrationId), inArray(mcpCapabilities.name, names)))
  const keys = new Set(wanted.map(capabilityKey))
  return rows.filter((row) => keys.has(capabilityKey(row)))
}

/** Tells things of one integration apart. */
export const capabilityKey = ({ type, name }: CapabilityName): string => `${type} ${name}`

/** Whether calls may use these, at every server; who says so has looked at what they are now. */
export const setMcpCapabilities = async (db: Db, ids: readonly string[], enabled: boolean): Promise<void> => {
  if (ids.length === 0) return
  await db
    .update(mcpCapabilities)
    .set({ enabled, approvedHash: sql`${mcpCapabilities.hash}`, lastUpdatedAt: sql`now()` })
    .where(inArray(mcpCapabilities.id, [...ids]))
}

/** Whether calls may use these at one server. */
export const setMcpServerCapabilities = async (
  db: Db,
  serverId: string,
  capabilities: readonly { readonly capabilityId: string; readonly enabled: boolean }[],
): Promise<void> => {
  if (capabilities.length === 0) return
  await db
    .insert(mcpServerCapabilities)
    .values(capabilities.map((capability) => ({ serverId, ...capability })))
    .onConflictDoUpdate({
      target: [mcpServerCapabilities.serverId, mcpServerCapabilities.capabilityId],
      set: { enabled: sql`excluded.enabled`, lastUpdatedAt: sql`now()` },
    })
}

/**
 * Writes what an integration offers now, of the types that were asked for. What is new is enabled and approved as it is; what
 * changed keeps the hash that was approved; what is gone is kept, so that it is as before when it comes back.
 */
export const syncMcpCapabilities = async (
  db: Db,
  integrationId: string,
  types: readonly McpCapabilityType[],
  seen: readonly SeenCapability[],
): Promise<void> => {
  for (let start = 0; start < seen.length; start += BATCH) {
    const rows = seen
      .slice(start, start + BATCH)
      .map((capability) => ({ id: newId(), integrationId, approvedHash: capability.hash, ...capability }))
    await db
      .insert(mcpCapabilities)
      .values(rows)
      .onConflictDoUpdate({
        target: [mcpCapabilities.integrationId, mcpCapabilities.type, mcpCapabilities.name],
        set: {
          definition: sql`excluded.definition`,
          hash: sql`excluded.hash`,
          isOffered: true,
          lastUpdatedAt: sql`now()`,
        },
        // An unchanged row is not written: gateways would read everything anew for nothing.
        setWhere: sql`${mcpCapabilities.hash} <> excluded.hash or not ${mcpCapabilities.isOffered}`,
      })
  }
  for (const type of types) {
    const names = seen.filter((capability) => capability.type === type).map(({ name }) => name)
    await db
      .update(mcpCapabilities)
      .set({ isOffered: false, lastUpdatedAt: sql`now()` })
      .where(
        and(isOffered(integrationId, type), names.length === 0 ? undefined : notInArray(mcpCapabilities.name, names)),
      )
  }
}

const BATCH = 500
