import { and, eq, getTableColumns, gt, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

const { tokenHash: _, ...shownColumns } = getTableColumns(sessions)

/** A session without what its cookie could be found by. */
export type Session = Readonly<Omit<typeof sessions.$inferSelect, 'tokenHash'>>

/** Found by id alone; the newest first. */
export const sessionRows = rowsOf(sessions, {
  hidden: ['tokenHash'],
  filters: {
    userId: equals(sessions.userId),
    apiKeyId: equals(sessions.apiKeyId),
    /** Used after this, and not over by then. */
    aliveAt: ({ now, idleMs }: AliveAt): SQL | undefined =>
      and(gt(sessions.endsAt, now), gt(sessions.lastSeenAt, new Date(now.getTime() - idleMs))),
  },
  order: [sql`${sessions.createdAt} desc`, sql`${sessions.id} desc`],
})

export interface AliveAt {
  readonly now: Date
  /** Milliseconds without use after which a session is over. */
  readonly idleMs: number
}

/** Whatever became of it: the caller looks at its times. */
export const findSessionByToken = async (db: Db, tokenHash: string): Promise<Session | undefined> => {
  const [found] = await db.select(shownColumns).from(sessions).where(eq(sessions.tokenHash, tokenHash))
  return found
}

export const removeSessionByToken = async (db: Db, tokenHash: string): Promise<void> => {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

export const readSessions = (db: Db, ids: readonly string[]): Promise<readonly Session[]> =>
  db
    .select(shownColumns)
    .from(sessions)
    .where(inArray(sessions.id, [...ids]))

/** Notes that sessions were used; a time that is older than the known one changes nothing. */
export const touchSessions = async (db: Db, ids: readonly string[], at: Date): Promise<void> => {
  await db
    .update(sessions)
    .set({ lastSeenAt: at })
    .where(and(inArray(sessions.id, [...ids]), lt(sessions.lastSeenAt, at)))
}

/** Ends the sessions of a person, or of whoever has a key. @returns ids of those that were there */
export const endSessions = async (
  db: Db,
  holder: { readonly userId: string } | { readonly apiKeyId: string },
  but?: string,
): Promise<readonly string[]> => {
  const isTheirs = 'userId' in holder ? eq(sessions.userId, holder.userId) : eq(sessions.apiKeyId, holder.apiKeyId)
  const ended = await db
    .delete(sessions)
    .where(and(isTheirs, but === undefined ? undefined : ne(sessions.id, but)))
    .returning({ id: sessions.id })
  return ended.map(({ id }) => id)
}

/** Removed at a time. */
const BATCH = 1_000

/** Removes rows of sessions that are over. Asks first: what is deleted is announced to all gateways, even if it is nothing. */
export const forgetOverSessions = async (db: Db, { now, idleMs }: AliveAt): Promise<number> => {
  const isOver = or(lte(sessions.endsAt, now), lte(sessions.lastSeenAt, new Date(now.getTime() - idleMs)))
  const over = await db.select({ id: sessions.id }).from(sessions).where(isOver).limit(BATCH)
  if (over.length === 0) return 0
  const ids = over.map(({ id }) => id)
  const removed = await db
    .delete(sessions)
    .where(and(inArray(sessions.id, ids), isOver))
    .returning({ id: sessions.id })
  return removed.length
}
