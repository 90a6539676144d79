import { asc, desc, eq, ne, type SQL } from 'drizzle-orm'
import { takeLock } from './locks.ts'
import { only } from './objects/rows.ts'
import { dataKeys, secretCanary } from './schema/secrets.ts'
import type { Db } from './types.ts'

/** A data key as it is stored: wrapped by the master key of that id. */
export type WrappedDataKey = Readonly<Omit<typeof dataKeys.$inferSelect, 'createdAt'>>
export type Canary = Readonly<Pick<typeof secretCanary.$inferSelect, 'sealed' | 'masterKeyId'>>

const selectDataKeys = (db: Db, where?: SQL) =>
  db
    .select({
      id: dataKeys.id,
      organisationId: dataKeys.organisationId,
      version: dataKeys.version,
      wrapped: dataKeys.wrapped,
      masterKeyId: dataKeys.masterKeyId,
    })
    .from(dataKeys)
    .where(where)
    .$dynamic()

/** Data keys of one organisation, or of all of them. */
export const readDataKeys = (db: Db, organisationId?: string): Promise<WrappedDataKey[]> =>
  selectDataKeys(db, organisationId === undefined ? undefined : eq(dataKeys.organisationId, organisationId))

/** The one that seals. */
export const findNewestDataKey = async (db: Db, organisationId: string): Promise<WrappedDataKey | undefined> => {
  const [newest] = await selectDataKeys(db, eq(dataKeys.organisationId, organisationId))
    .orderBy(desc(dataKeys.version))
    .limit(1)
  return newest
}

export const insertDataKey = async (db: Db, input: WrappedDataKey): Promise<void> => {
  await db.insert(dataKeys).values(input)
}

/** Some of the data keys that another master key wraps. Locked: nobody else wraps them again meanwhile. */
export const lockDataKeysOfOthers = (
  transaction: Db,
  { masterKeyId, limit }: { readonly masterKeyId: string; readonly limit: number },
): Promise<WrappedDataKey[]> =>
  selectDataKeys(transaction, ne(dataKeys.masterKeyId, masterKeyId))
    .orderBy(asc(dataKeys.id))
    .limit(limit)
    .for('update')

export const replaceWrapping = async (
  transaction: Db,
  { id, wrapped, masterKeyId }: Pick<WrappedDataKey, 'id' | 'wrapped' | 'masterKeyId'>,
): Promise<void> => {
  await transaction.update(dataKeys).set({ wrapped, masterKeyId }).where(eq(dataKeys.id, id))
}

export const findCanary = async (db: Db): Promise<Canary | undefined> => {
  const [row] = await selectCanary(db)
  return row
}

/** The canary, which no rotation can replace until the transaction ends. */
export const holdCanary = async (transaction: Db): Promise<Canary | undefined> => {
  const [row] = await selectCanary(transaction).for('share')
  return row
}

const selectCanary = (db: Db) =>
  db.select({ sealed: secretCanary.sealed, masterKeyId: secretCanary.masterKeyId }).from(secretCanary)

/** Stores the canary of a new database. @returns the one that counts: that of another process, if it was first */
export const insertCanary = (db: Db, canary: Canary): Promise<Canary> =>
  db.transaction(async (transaction) => {
    await takeLock(transaction, 'canary')
    const stored = await findCanary(transaction)
    return stored ?? only(await transaction.insert(secretCanary).values(canary).returning())
  })

export const replaceCanary = async (db: Db, canary: Canary): Promise<void> => {
  await db.update(secretCanary).set(canary)
}
