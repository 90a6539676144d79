import { and, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm'
import type { ApiKeyRecord } from '../objects/api-keys.ts'
import type { Workspace } from '../objects/workspaces.ts'
import { apiKeys } from '../schema/api-keys.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'

/** What a call needs to know of the workspace of its key. */
export type KeyWorkspace = Pick<
  Workspace,
  'id' | 'slug' | 'name' | 'status' | 'defaults' | 'usageLimits' | 'rateLimits'
>

/** A key as calls see it, with the workspace it belongs to; null for a key of the organisation. */
export interface LiveApiKey extends ApiKeyRecord {
  readonly workspace: KeyWorkspace | null
}

/** For the key cache alone: the hashes must not leave the store. */
export interface LiveKeyRow {
  readonly record: LiveApiKey
  readonly hash: string
  readonly previousHash: string | null
  /** Changes with every change of the key or its workspace, whoever made it. */
  readonly version: string
}

const { hash: _, previousHash: __, rotatedSecret: ___, ...recordColumns } = getTableColumns(apiKeys)

const workspaceColumns = {
  id: workspaces.id,
  slug: workspaces.slug,
  name: workspaces.name,
  status: workspaces.status,
  defaults: workspaces.defaults,
  usageLimits: workspaces.usageLimits,
  rateLimits: workspaces.rateLimits,
}

// The transaction that wrote a row: unlike a time of change it cannot be forgotten by whoever edits the row by hand.
const version = sql<string>`concat(${apiKeys}.xmin, ':', ${workspaces}.xmin)`

const selectLive = (db: Db) =>
  db
    .select({
      record: recordColumns,
      workspace: workspaceColumns,
      hash: apiKeys.hash,
      previousHash: apiKeys.previousHash,
      version,
    })
    .from(apiKeys)
    .leftJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))

const toLiveRow = ({ record, workspace, ...rest }: Awaited<ReturnType<typeof selectLive>>[number]): LiveKeyRow => ({
  record: { ...record, workspace },
  ...rest,
})

/** The keys, but the revoked, that carry the public id now or did before their last rotation. */
export const findLiveKeys = async (db: Db, publicId: string): Promise<LiveKeyRow[]> => {
  const rows = await selectLive(db).where(
    and(or(eq(apiKeys.publicId, publicId), eq(apiKeys.previousPublicId, publicId)), ne(apiKeys.status, 'revoked')),
  )
  return rows.map(toLiveRow)
}

/** The keys of these ids, without those that were revoked or deleted. */
export const readLiveKeys = async (db: Db, ids: readonly string[]): Promise<LiveKeyRow[]> => {
  const rows = await selectLive(db).where(and(inArray(apiKeys.id, [...ids]), ne(apiKeys.status, 'revoked')))
  return rows.map(toLiveRow)
}

/** `version` of each of these keys that still lives, by id. */
export const readLiveKeyVersions = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .select({ id: apiKeys.id, version })
    .from(apiKeys)
    .leftJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(inArray(apiKeys.id, [...ids]), ne(apiKeys.status, 'revoked')))
  return new Map(rows.map((row) => [row.id, row.version]))
}
