import { asc, eq } from 'drizzle-orm'
import type { LogSettings } from '../../core/log-settings.ts'
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

export const findOrganisation = async (db: Db, id: string): Promise<Organisation | undefined> => {
  const [found] = await db.select().from(organisations).where(eq(organisations.id, id))
  return found
}

/** Fields that are absent stay as they are. */
export const changeOrganisation = async (
  db: Db,
  id: string,
  changes: { readonly logs?: LogSettings | null | undefined },
): Promise<Organisation> =>
  only(await db.update(organisations).set(changes).where(eq(organisations.id, id)).returning())

/** The organisation that was made first, or undefined in an empty database. */
export const findFirstOrganisation = async (db: Db): Promise<Organisation | undefined> => {
  const [first] = await db
    .select()
    .from(organisations)
    .orderBy(asc(organisations.createdAt), asc(organisations.id))
    .limit(1)
  return first
}
