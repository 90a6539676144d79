import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { apiKeys, type PresetSlot } from './schema/api-keys.ts'
import type { Db } from './types.ts'

const { hash: _, ...recordColumns } = getTableColumns(apiKeys)

/** A stored key as the rest of the gateway sees it: everything but the hash. */
export type ApiKeyRecord = Readonly<Omit<typeof apiKeys.$inferSelect, 'hash'>>

/** Only for comparing keys; must not leave the store. */
export interface HashedApiKey {
  readonly record: ApiKeyRecord
  /** SHA-256 of the key, hex. */
  readonly hash: string
}

/** All that a new row needs; the id and the times are given by the store. */
export type NewApiKeyRecord = Readonly<Omit<typeof apiKeys.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>>

/** @throws QueryFailed with SQLSTATE 23505 when a key of that public id is stored */
export const insertApiKey = async (db: Db, input: NewApiKeyRecord): Promise<ApiKeyRecord> => {
  const values = { id: Bun.randomUUIDv7(), ...input, scopes: [...input.scopes] }
  const [row] = await db.insert(apiKeys).values(values).returning(recordColumns)
  if (row === undefined) throw new Error('The database returned no row for an insert.')
  return row
}

/**
 * Every key that may still be told why it is refused: active, exhausted and expired ones, not the revoked. For the
 * snapshot, which reads them all at once.
 */
export const listUsableApiKeys = (db: Db): Promise<HashedApiKey[]> =>
  db.select({ record: recordColumns, hash: apiKeys.hash }).from(apiKeys).where(ne(apiKeys.status, 'revoked'))

/** A key in any status. */
export const findApiKeyByPublicId = async (db: Db, publicId: string): Promise<HashedApiKey | undefined> => {
  const [row] = await db
    .select({ record: recordColumns, hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.publicId, publicId))
  return row
}

/** Writes the given fields of one key. */
export const updateApiKey = async (
  db: Db,
  { id, ...changes }: Pick<ApiKeyRecord, 'id'> & Partial<NewApiKeyRecord>,
): Promise<void> => {
  await db
    .update(apiKeys)
    .set({ ...changes })
    .where(eq(apiKeys.id, id))
}

/** Ends the keys that the slot was preset to before `keepId`. */
export const revokeEarlierPresets = async (
  db: Db,
  { slot, keepId }: { readonly slot: PresetSlot; readonly keepId: string },
): Promise<void> => {
  await db
    .update(apiKeys)
    .set({ status: 'revoked' })
    .where(and(eq(apiKeys.preset, slot), ne(apiKeys.id, keepId), ne(apiKeys.status, 'revoked')))
}

/**
 * A number that grows with every change of organisations, workspaces and keys, the same for all gateways on one
 * database. It may grow before the change is committed, and for one that is undone.
 */
export const readChangeCount = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ count: sql<string>`case when is_called then last_value else 0 end` })
    .from(sql`"public"."weir_changes"`)
  return Number(row?.count ?? 0)
}
