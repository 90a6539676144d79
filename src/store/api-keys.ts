import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { KeyDescription } from './key-material.ts'
import { countRows, newId, only, type Page, type Paged } from './rows.ts'
import { type ApiKeyKind, type ApiKeyStatus, apiKeys, type PresetSlot } from './schema/api-keys.ts'
import type { Db } from './types.ts'

const { hash: _, previousHash: __, ...recordColumns } = getTableColumns(apiKeys)

/** A stored key as the rest of the gateway sees it: everything but the hashes. */
export type ApiKeyRecord = Readonly<Omit<typeof apiKeys.$inferSelect, 'hash' | 'previousHash'>>

/** Only for comparing keys; must not leave the store. */
export interface HashedApiKey {
  readonly record: ApiKeyRecord
  /** SHA-256 of the key, hex. */
  readonly hash: string
}

/** All that a new row needs; the id and the times are given by the store. */
export type NewApiKeyRecord = Readonly<
  Omit<
    typeof apiKeys.$inferInsert,
    'id' | 'createdAt' | 'lastUpdatedAt' | 'previousPublicId' | 'previousHash' | 'previousExpiresAt'
  >
>

/** @throws QueryFailed with SQLSTATE 23505 when a key of that public id is stored */
export const insertApiKey = async (db: Db, input: NewApiKeyRecord): Promise<ApiKeyRecord> =>
  only(
    await db
      .insert(apiKeys)
      .values({ id: newId(), ...input })
      .returning(recordColumns),
  )

/** A key in any status, by the public id of its current secret. */
export const findApiKeyByPublicId = async (db: Db, publicId: string): Promise<HashedApiKey | undefined> => {
  const [row] = await db
    .select({ record: recordColumns, hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.publicId, publicId))
  return row
}

export interface ApiKeyReference {
  readonly organisationId: string
  readonly id: string
  /** In a transaction: nobody else changes or revokes the key until its end. */
  readonly isToChange?: boolean
}

/** A key of the organisation, unless it was revoked. */
export const findApiKey = async (
  db: Db,
  { organisationId, id, isToChange = false }: ApiKeyReference,
): Promise<ApiKeyRecord | undefined> => {
  const found = db
    .select(recordColumns)
    .from(apiKeys)
    .where(and(eq(apiKeys.organisationId, organisationId), eq(apiKeys.id, id), ne(apiKeys.status, 'revoked')))
  const [row] = await (isToChange ? found.for('update') : found)
  return row
}

export interface ApiKeyFilter {
  readonly organisationId: string
  /** Keys of this workspace only; null for those of none. */
  readonly workspaceId?: string | null
  readonly kinds?: readonly ApiKeyKind[]
  /** `expired` are those past their time, whatever their row says. */
  readonly status?: Exclude<ApiKeyStatus, 'revoked'>
}

/** By time of creation, the oldest first; without the revoked ones. */
export const listApiKeys = async (db: Db, filter: ApiKeyFilter, page: Page): Promise<Paged<ApiKeyRecord>> => {
  const where = and(
    eq(apiKeys.organisationId, filter.organisationId),
    ne(apiKeys.status, 'revoked'),
    ofWorkspace(filter.workspaceId),
    filter.kinds === undefined ? undefined : inArray(apiKeys.kind, [...filter.kinds]),
    filter.status === undefined ? undefined : inStatus(filter.status),
  )
  const rows = await db
    .select(recordColumns)
    .from(apiKeys)
    .where(where)
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, apiKeys, where) }
}

const ofWorkspace = (workspaceId: string | null | undefined): SQL | undefined => {
  if (workspaceId === undefined) return undefined
  return workspaceId === null ? isNull(apiKeys.workspaceId) : eq(apiKeys.workspaceId, workspaceId)
}

const inStatus = (status: ApiKeyStatus): SQL | undefined =>
  status === 'expired'
    ? or(eq(apiKeys.status, 'expired'), lte(apiKeys.expiresAt, sql`now()`))
    : and(eq(apiKeys.status, status), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)))

/**
 * Writes the given fields of one key. `status: 'revoked'` ends it, with both of its secrets.
 * @returns undefined when there is no such key
 */
export const updateApiKey = async (
  db: Db,
  { id, ...changes }: Pick<ApiKeyRecord, 'id'> & Partial<NewApiKeyRecord>,
): Promise<ApiKeyRecord | undefined> => {
  const [row] = await db
    .update(apiKeys)
    .set({ ...changes, lastUpdatedAt: sql`now()` })
    .where(eq(apiKeys.id, id))
    .returning(recordColumns)
  return row
}

export interface ApiKeyRotation {
  readonly id: string
  /** The new secret. */
  readonly next: KeyDescription
  /** Until when the secret of now goes on working. */
  readonly previousExpiresAt: Date
}

/**
 * Gives a key a new secret; the one of now works until the given time.
 * @returns undefined when there is nothing to rotate: the key is revoked or unknown, preset by the environment, or still
 *   in the transition of its last rotation, when a third secret would be alive
 */
export const rotateApiKey = async (
  db: Db,
  { id, next, previousExpiresAt }: ApiKeyRotation,
): Promise<ApiKeyRecord | undefined> => {
  const [row] = await db
    .update(apiKeys)
    .set({
      publicId: next.publicId,
      hash: next.hash,
      maskedKey: next.masked,
      previousPublicId: sql`${apiKeys.publicId}`,
      previousHash: sql`${apiKeys.hash}`,
      previousExpiresAt,
    })
    .where(
      and(
        eq(apiKeys.id, id),
        ne(apiKeys.status, 'revoked'),
        isNull(apiKeys.preset),
        or(isNull(apiKeys.previousExpiresAt), lte(apiKeys.previousExpiresAt, sql`now()`)),
      ),
    )
    .returning(recordColumns)
  return row
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
