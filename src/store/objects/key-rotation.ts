import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, type SQL } from 'drizzle-orm'
import { apiKeys } from '../schema/api-keys.ts'
import type { Db } from '../types.ts'
import { type ApiKeyRecord, apiKeyRows } from './api-keys.ts'

/** A key that something is due for. */
export type DueKey = Pick<ApiKeyRecord, 'id' | 'organisationId'>

/** Keys of any organisation that are due at the time, those that have waited for longest first. */
export const findDueRotations = (db: Db, at: Date, limit: number): Promise<DueKey[]> =>
  select(db, isDue(at)).orderBy(asc(apiKeys.nextRotationAt), asc(apiKeys.id)).limit(limit)

/** Holds one of them until the end of the transaction. @returns undefined when it is not due any more, or somebody else holds it */
export const holdDueRotation = (transaction: Db, key: DueKey, at: Date): Promise<ApiKeyRecord | undefined> =>
  hold(transaction, key, isDue(at))

/** Keys of any organisation whose new secret was not collected until a time at which that is looked at. */
export const findUncollected = (db: Db, at: Date, limit: number): Promise<DueKey[]> =>
  select(db, isUncollected(at)).orderBy(asc(apiKeys.uncollectedCheckAt), asc(apiKeys.id)).limit(limit)

/** As `holdDueRotation`. */
export const holdUncollected = (transaction: Db, key: DueKey, at: Date): Promise<ApiKeyRecord | undefined> =>
  hold(transaction, key, isUncollected(at))

/** The sealed secret that waits to be collected. */
export const readRotatedSecret = async (db: Db, id: string): Promise<string | undefined> => {
  const [row] = await db.select({ sealed: apiKeys.rotatedSecret }).from(apiKeys).where(eq(apiKeys.id, id))
  return row?.sealed ?? undefined
}

const select = (db: Db, where: SQL | undefined) =>
  db.select({ id: apiKeys.id, organisationId: apiKeys.organisationId }).from(apiKeys).where(where).$dynamic()

const hold = async (
  transaction: Db,
  { id, organisationId }: DueKey,
  where: SQL | undefined,
): Promise<ApiKeyRecord | undefined> => {
  const isThis = and(eq(apiKeys.id, id), where)
  const [held] = await select(transaction, isThis).for('update', { skipLocked: true })
  return held && apiKeyRows.find(transaction, { organisationId, reference: id })
}

/** Not one that has ended, whose former secret still works, or whose new one has to be given up first. */
const isDue = (at: Date): SQL | undefined =>
  and(
    lte(apiKeys.nextRotationAt, at),
    inArray(apiKeys.status, ['active', 'exhausted']),
    isNull(apiKeys.preset),
    isNull(apiKeys.uncollectedCheckAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
    or(isNull(apiKeys.previousExpiresAt), lte(apiKeys.previousExpiresAt, at)),
  )

const isUncollected = (at: Date): SQL | undefined =>
  and(isNotNull(apiKeys.uncollectedCheckAt), lte(apiKeys.uncollectedCheckAt, at), ne(apiKeys.status, 'revoked'))
