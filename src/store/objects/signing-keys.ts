import { asc, eq } from 'drizzle-orm'
import { signingKeys } from '../schema/mcp.ts'
import type { Db } from '../types.ts'

export type SigningKey = Readonly<Omit<typeof signingKeys.$inferSelect, 'createdAt' | 'lastUpdatedAt'>>

/** The key of an organisation: the given one, unless there is one already. */
export const keepSigningKey = async (db: Db, key: SigningKey): Promise<SigningKey> => {
  await db.insert(signingKeys).values(key).onConflictDoNothing()
  return (await findSigningKey(db, key.organisationId)) ?? key
}

export const findSigningKey = async (db: Db, organisationId: string): Promise<SigningKey | undefined> => {
  const [found] = await db.select().from(signingKeys).where(eq(signingKeys.organisationId, organisationId))
  return found
}

/** The public keys of all organisations. */
export const listPublicKeys = async (db: Db): Promise<readonly SigningKey['publicKey'][]> =>
  (await db.select({ publicKey: signingKeys.publicKey }).from(signingKeys).orderBy(asc(signingKeys.createdAt))).map(
    ({ publicKey }) => publicKey,
  )
