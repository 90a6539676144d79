import { asc } from 'drizzle-orm'
import { organisations } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { newId, only } from './rows.ts'

export type Organisation = Readonly<typeof organisations.$inferSelect>

export const createOrganisation = async (db: Db, input: { readonly name: string }): Promise<Organisation> =>
  only(
    await db
      .insert(organisations)
      .values({ id: newId(), ...input })
      .returning(),
  )

/** The organisation that was made first, or undefined in an empty database. */
export const findFirstOrganisation = async (db: Db): Promise<Organisation | undefined> => {
  const [first] = await db
    .select()
    .from(organisations)
    .orderBy(asc(organisations.createdAt), asc(organisations.id))
    .limit(1)
  return first
}
