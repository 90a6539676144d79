import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { keptResponses } from '../schema/kept-responses.ts'
import type { Db } from '../types.ts'

export type KeptResponseRow = Readonly<typeof keptResponses.$inferSelect>

/** What is read of one. */
export type SealedResponse = Pick<KeptResponseRow, 'id' | 'organisationId' | 'previousId' | 'sealed'>

const SEALED = {
  id: keptResponses.id,
  organisationId: keptResponses.organisationId,
  previousId: keptResponses.previousId,
  sealed: keptResponses.sealed,
}

const lasting = (workspaceId: string) =>
  and(eq(keptResponses.workspaceId, workspaceId), gt(keptResponses.expiresAt, sql`now()`))

const one = (workspaceId: string, id: string) => and(lasting(workspaceId), eq(keptResponses.id, id))

export const findKeptResponse = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<SealedResponse | undefined> => {
  const [row] = await db.select(SEALED).from(keptResponses).where(one(workspaceId, id))
  return row
}

/** Most responses of one conversation that are put together: each is a part of what the next call asks. */
const MOST_TURNS = 1_000

/** A response and those that it goes on from, the oldest first. Empty where one of them is gone, or there are too many. */
export const findConversation = async (db: Db, workspaceId: string, id: string): Promise<readonly SealedResponse[]> => {
  const [last] = await db
    .select({ conversationId: keptResponses.conversationId })
    .from(keptResponses)
    .where(one(workspaceId, id))
  if (last === undefined) return []
  const turns = await db
    .select({ id: keptResponses.id, previousId: keptResponses.previousId })
    .from(keptResponses)
    .where(and(lasting(workspaceId), eq(keptResponses.conversationId, last.conversationId)))
  const path = pathTo(id, new Map(turns.map((turn) => [turn.id, turn.previousId])))
  if (path.length === 0) return []
  const rows = await db
    .select(SEALED)
    .from(keptResponses)
    .where(and(lasting(workspaceId), inArray(keptResponses.id, path)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = path.flatMap((each) => byId.get(each) ?? [])
  return found.length === path.length ? found : []
}

const pathTo = (id: string, previous: ReadonlyMap<string, string | null>): string[] => {
  const path: string[] = []
  for (let at: string | null | undefined = id; at !== null; at = previous.get(at)) {
    if (at === undefined || !previous.has(at) || path.length === MOST_TURNS) return []
    path.push(at)
  }
  return path.reverse()
}

/**
 * Keeps one, if it is not kept already, and those that it goes on from for as long.
 * @param ttlMs milliseconds until it expires
 */
export const insertKeptResponse = async (
  transaction: Db,
  row: Pick<KeptResponseRow, 'id' | 'organisationId' | 'workspaceId' | 'previousId' | 'sealed'>,
  ttlMs: number,
): Promise<void> => {
  const expiresAt = sql`now() + ${ttlMs}::double precision * interval '1 millisecond'`
  const conversationId = await conversationOf(transaction, row.workspaceId, row.previousId)
  await transaction
    .insert(keptResponses)
    .values({ ...row, conversationId: conversationId ?? row.id, expiresAt })
    .onConflictDoNothing()
  if (conversationId === undefined) return
  await transaction
    .update(keptResponses)
    .set({ expiresAt: sql`greatest(${keptResponses.expiresAt}, ${expiresAt})` })
    .where(and(lasting(row.workspaceId), eq(keptResponses.conversationId, conversationId)))
}

const conversationOf = async (db: Db, workspaceId: string, id: string | null): Promise<string | undefined> => {
  if (id === null) return undefined
  const [row] = await db
    .select({ conversationId: keptResponses.conversationId })
    .from(keptResponses)
    .where(one(workspaceId, id))
  return row?.conversationId
}

export const deleteKeptResponse = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await db.delete(keptResponses).where(one(workspaceId, id)).returning({ id: keptResponses.id })
  return rows.length > 0
}

/** Removes what has expired, in any workspace. */
export const clearExpiredResponses = async (db: Db): Promise<void> => {
  await db.delete(keptResponses).where(lte(keptResponses.expiresAt, sql`now()`))
}
