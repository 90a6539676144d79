import { sql } from 'drizzle-orm'
import type { Db } from './types.ts'

/** First half of every advisory lock of ours, so that it meets no lock of another program: "Weir" in ASCII. */
const LOCK_SPACE = 0x57656972

const LOCKS = { migrate: 1, bootstrap: 2, canary: 3 } as const

/** Waits until no other process holds the lock, and holds it until the transaction ends. */
export const takeLock = async (transaction: Db, name: keyof typeof LOCKS): Promise<void> => {
  await transaction.execute(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${LOCKS[name]}::int)`)
}

/**
 * Takes a lock of one organisation: others are not held up. A transaction that needs several takes them in the order in which
 * they stand here, or two of them could wait for each other.
 */
export const takeOrganisationLock = async (
  transaction: Db,
  name: 'data-key' | 'people' | 'audit',
  organisationId: string,
): Promise<void> => {
  const key = `weir:${name}:${organisationId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${LOCK_SPACE}::bigint))`)
}

/**
 * Takes part in the changes of one organisation until the transaction ends: beside others, or alone. It does not wait, as who
 * waits would keep a connection that the others may need. Comes before all other locks.
 * @returns false where others are in the way
 */
export const tryChangesLock = async (transaction: Db, organisationId: string, isAlone: boolean): Promise<boolean> => {
  const key = `weir:changes:${organisationId}`
  const lock = sql`hashtextextended(${key}, ${LOCK_SPACE}::bigint)`
  const taken = isAlone ? sql`pg_try_advisory_xact_lock(${lock})` : sql`pg_try_advisory_xact_lock_shared(${lock})`
  const [row] = await transaction.select({ taken: sql<boolean>`${taken}` }).from(sql`(values (1)) as one`)
  return row?.taken === true
}

/** Takes a lock of one workspace: others are not held up. */
export const takeWorkspaceLock = async (
  transaction: Db,
  name: 'files' | 'batches',
  workspaceId: string,
): Promise<void> => {
  const key = `weir:${name}:${workspaceId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${LOCK_SPACE}::bigint))`)
}
