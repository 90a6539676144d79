import { and, eq, getTableColumns, inArray, isNull, lte } from 'drizzle-orm'
import { appGrants } from '../schema/app-grants.ts'
import type { Db } from '../types.ts'

const {
  codeHash: _,
  refreshHash: __,
  formerRefreshHash: ___,
  codeChallenge: ____,
  ...shownColumns
} = getTableColumns(appGrants)

/** A grant without what its code and tokens could be found by. */
export type AppGrant = Readonly<
  Omit<typeof appGrants.$inferSelect, 'codeHash' | 'refreshHash' | 'formerRefreshHash' | 'codeChallenge'>
>

export const insertAppGrant = async (db: Db, grant: typeof appGrants.$inferInsert): Promise<void> => {
  await db.insert(appGrants).values(grant)
}

export const readAppGrants = (db: Db, ids: readonly string[]): Promise<readonly AppGrant[]> =>
  db
    .select(shownColumns)
    .from(appGrants)
    .where(inArray(appGrants.id, [...ids]))

/** A grant and what its code must be shown with. */
export interface GrantOfCode extends AppGrant {
  readonly codeChallenge: string
}

export const findGrantByCode = async (db: Db, codeHash: string): Promise<GrantOfCode | undefined> => {
  const [found] = await db
    .select({ ...shownColumns, codeChallenge: appGrants.codeChallenge })
    .from(appGrants)
    .where(eq(appGrants.codeHash, codeHash))
  return found
}

/** @returns false where the code was used in the meantime */
export const useGrantCode = async (
  db: Db,
  id: string,
  { now, refreshHash, endsAt }: { readonly now: Date; readonly refreshHash: string; readonly endsAt: Date },
): Promise<boolean> => {
  const used = await db
    .update(appGrants)
    .set({ codeUsedAt: now, refreshHash, endsAt })
    .where(and(eq(appGrants.id, id), isNull(appGrants.codeUsedAt)))
    .returning({ id: appGrants.id })
  return used.length > 0
}

export const findGrantByRefresh = async (db: Db, refreshHash: string): Promise<AppGrant | undefined> => {
  const [found] = await db.select(shownColumns).from(appGrants).where(eq(appGrants.refreshHash, refreshHash))
  return found
}

/** The grant whose token before the present one this is. */
export const findGrantByFormerRefresh = async (db: Db, refreshHash: string): Promise<AppGrant | undefined> => {
  const [found] = await db.select(shownColumns).from(appGrants).where(eq(appGrants.formerRefreshHash, refreshHash))
  return found
}

/** @returns false where the token was replaced in the meantime */
export const replaceRefreshToken = async (
  db: Db,
  { from, to, endsAt }: { readonly from: string; readonly to: string; readonly endsAt: Date },
): Promise<boolean> => {
  const replaced = await db
    .update(appGrants)
    .set({ refreshHash: to, formerRefreshHash: from, endsAt })
    .where(eq(appGrants.refreshHash, from))
    .returning({ id: appGrants.id })
  return replaced.length > 0
}

export const removeAppGrant = async (db: Db, id: string): Promise<boolean> => {
  const removed = await db.delete(appGrants).where(eq(appGrants.id, id)).returning({ id: appGrants.id })
  return removed.length > 0
}

/** Removed at a time. */
const BATCH = 1_000

/** Removes grants that are over. Asks first: what is deleted is announced to all gateways, even if it is nothing. */
export const forgetOverGrants = async (db: Db, now: Date): Promise<void> => {
  const over = await db.select({ id: appGrants.id }).from(appGrants).where(lte(appGrants.endsAt, now)).limit(BATCH)
  if (over.length === 0) return
  await db.delete(appGrants).where(
    inArray(
      appGrants.id,
      over.map(({ id }) => id),
    ),
  )
}
