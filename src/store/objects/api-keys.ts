import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { KeyDescription } from '../key-material.ts'
import { type ApiKeyKind, type ApiKeyStatus, apiKeys, type PresetSlot } from '../schema/api-keys.ts'
import type { Db } from '../types.ts'
import { rowsOf } from './rows-of.ts'

const { hash: _, previousHash: __, rotatedSecret: ___, ...recordColumns } = getTableColumns(apiKeys)

/** What of a key does not leave the store with it. */
export type HiddenOfKey = 'hash' | 'previousHash' | 'rotatedSecret'

/** A stored key as the rest of the gateway sees it: neither the hashes nor a secret that waits to be collected. */
export type ApiKeyRecord = Readonly<Omit<typeof apiKeys.$inferSelect, HiddenOfKey>>

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
    | 'id'
    | 'createdAt'
    | 'lastUpdatedAt'
    | 'previousPublicId'
    | 'previousHash'
    | 'previousExpiresAt'
    | 'rotatedSecret'
    | 'uncollectedCheckAt'
  >
>

/** Revoked ones are as good as deleted. Found by id alone. */
export const apiKeyRows = rowsOf(apiKeys, {
  hidden: ['hash', 'previousHash', 'rotatedSecret'] satisfies HiddenOfKey[],
  where: ne(apiKeys.status, 'revoked'),
  filters: {
    kinds: (kinds: readonly ApiKeyKind[]) => inArray(apiKeys.kind, [...kinds]),
    userId: (userId: string) => eq(apiKeys.userId, userId),
    status: (status: ShownStatus) => inStatus(status),
    /** Those that are exhausted: by their row, or as their budgets are. Ids. */
    spent: (ids: readonly string[]) => and(or(eq(apiKeys.status, 'exhausted'), isOneOf(ids)), isInTime()),
    /** Those that are active, and whose budgets are not used up. Ids of the others. */
    unspent: (ids: readonly string[]) => and(inStatus('active'), not(isOneOf(ids))),
  },
})

/** One parameter, however many there are. */
const isOneOf = (ids: readonly string[]): SQL =>
  sql`${apiKeys.id} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

const isInTime = (): SQL | undefined => or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`))

/** The keys that have a budget and reach models. */
export const listBudgetedKeys = (
  db: Db,
  { organisationId, workspaceId }: { readonly organisationId: string; readonly workspaceId?: string | undefined },
): Promise<readonly Pick<ApiKeyRecord, 'id' | 'workspaceId' | 'usageLimits'>[]> =>
  db
    .select({ id: apiKeys.id, workspaceId: apiKeys.workspaceId, usageLimits: apiKeys.usageLimits })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organisationId, organisationId),
        workspaceId === undefined ? isNotNull(apiKeys.workspaceId) : eq(apiKeys.workspaceId, workspaceId),
        ne(apiKeys.status, 'revoked'),
        isNotNull(apiKeys.usageLimits),
      ),
    )

type ShownStatus = Exclude<ApiKeyStatus, 'revoked'>

/** `expired` are those past their time, whatever their row says. */
const inStatus = (status: ShownStatus): SQL | undefined =>
  status === 'expired'
    ? or(eq(apiKeys.status, 'expired'), lte(apiKeys.expiresAt, sql`now()`))
    : and(eq(apiKeys.status, status), isInTime())

/** A key in any status, by the public id of its current secret. */
export const findApiKeyByPublicId = async (db: Db, publicId: string): Promise<HashedApiKey | undefined> => {
  const [row] = await db
    .select({ record: recordColumns, hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.publicId, publicId))
  return row
}

export interface ApiKeyRotation {
  readonly id: string
  /** The new secret. */
  readonly next: KeyDescription
  /** Until when the secret of now goes on working. */
  readonly previousExpiresAt: Date
  /** What becomes of its policy. Absent: nothing. */
  readonly schedule?: Pick<NewApiKeyRecord, 'rotationPolicy' | 'nextRotationAt'>
  /** The new secret, sealed, where nobody gets it in an answer, and when to look whether it was collected. */
  readonly uncollected?: { readonly rotatedSecret: string; readonly uncollectedCheckAt: Date }
}

/**
 * Gives a key a new secret; the one of now works until the given time. One that was never collected is forgotten.
 * @returns undefined when there is nothing to rotate: the key is revoked or unknown, preset by the environment, or still
 *   in the transition of its last rotation, when a third secret would be alive
 */
export const rotateApiKey = async (
  db: Db,
  { id, next, previousExpiresAt, schedule, uncollected }: ApiKeyRotation,
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
      rotatedSecret: null,
      uncollectedCheckAt: null,
      ...uncollected,
      ...schedule,
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

/**
 * The keys of a user. To be called in a transaction: nobody else changes them until its end.
 * @returns none that is revoked
 */
export const holdKeysOfUser = (
  transaction: Db,
  { organisationId, userId }: { readonly organisationId: string; readonly userId: string },
): Promise<Pick<ApiKeyRecord, 'id' | 'workspaceId' | 'scopes' | 'creationMode'>[]> =>
  transaction
    .select({
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      scopes: apiKeys.scopes,
      creationMode: apiKeys.creationMode,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.organisationId, organisationId), eq(apiKeys.userId, userId), ne(apiKeys.status, 'revoked')))
    .orderBy(asc(apiKeys.id))
    .for('update')

/** Ends keys, with both of their secrets. They are gone from lists, and stay in the store for the sake of the audit log. */
export const revokeApiKeys = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db
    .update(apiKeys)
    .set({ status: 'revoked', nextRotationAt: null, rotatedSecret: null, uncollectedCheckAt: null })
    .where(inArray(apiKeys.id, [...ids]))
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
