import { and, count, desc, eq, exists, gt, inArray, isNotNull, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { type COMPLETION_WINDOWS, ownBatches, ownBatchLines, type StoredBatchError } from '../schema/own-batches.ts'
import type { Db } from '../types.ts'
import { only } from './rows.ts'

export type OwnBatchRow = Readonly<typeof ownBatches.$inferSelect>
export type OwnBatchLine = Readonly<typeof ownBatchLines.$inferSelect>

const RUNNING = ['validating', 'in_progress', 'finalizing', 'cancelling'] as const

const inMs = (ms: number) => sql`now() + ${ms}::double precision * interval '1 millisecond'`
const isPast = (column: SQL | typeof ownBatches.claimedUntil | typeof ownBatchLines.notBefore) =>
  or(sql`${column} is null`, sql`${column} <= now()`)
const isUnclaimed = () => isPast(ownBatches.claimedUntil)

/** @param forMs milliseconds until it expires */
export const insertBatch = async (
  db: Db,
  row: Omit<typeof ownBatches.$inferInsert, 'expiresAt'>,
  forMs: number,
): Promise<OwnBatchRow> =>
  only(
    await db
      .insert(ownBatches)
      .values({ ...row, expiresAt: inMs(forMs) as never })
      .returning(),
  )

/** Batches of a workspace that have not ended. */
export const countRunningBatches = async (db: Db, workspaceId: string): Promise<number> => {
  const [row] = await db
    .select({ batches: count() })
    .from(ownBatches)
    .where(and(eq(ownBatches.workspaceId, workspaceId), inArray(ownBatches.status, [...RUNNING])))
  return row?.batches ?? 0
}

/** Whether there is anything to do, in any workspace. */
export const hasRunningBatches = async (db: Db): Promise<boolean> => {
  const rows = await db
    .select({ id: ownBatches.id })
    .from(ownBatches)
    .where(inArray(ownBatches.status, [...RUNNING]))
    .limit(1)
  return rows.length > 0
}

export const findBatch = async (db: Db, workspaceId: string, id: string): Promise<OwnBatchRow | undefined> => {
  const [row] = await db
    .select()
    .from(ownBatches)
    .where(and(eq(ownBatches.workspaceId, workspaceId), eq(ownBatches.id, id)))
  return row
}

/** The newest first, behind another one; nothing behind one that is not there. */
export const listBatches = (
  db: Db,
  workspaceId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<OwnBatchRow[]> => {
  const anchor = sql`(select b.created_at, b.id from own_batches b where b.workspace_id = ${workspaceId} and b.id = ${after})`
  const behind = after === undefined ? undefined : sql`(${ownBatches.createdAt}, ${ownBatches.id}) < ${anchor}`
  return db
    .select()
    .from(ownBatches)
    .where(and(eq(ownBatches.workspaceId, workspaceId), behind))
    .orderBy(desc(ownBatches.createdAt), desc(ownBatches.id))
    .limit(limit)
}

export interface LineCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
}

/** Lines of batches that run, by the id of the batch. */
export const countLines = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, LineCounts>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: ownBatchLines.batchId,
      total: count(),
      completed: sql<number>`count(*) filter (where ${ownBatchLines.isOk})`.mapWith(Number),
      failed: sql<number>`count(*) filter (where not ${ownBatchLines.isOk})`.mapWith(Number),
    })
    .from(ownBatchLines)
    .where(inArray(ownBatchLines.batchId, [...ids]))
    .groupBy(ownBatchLines.batchId)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** One that has ended stays as it is. @returns the batch as it is now */
export const cancelBatch = async (db: Db, workspaceId: string, id: string): Promise<OwnBatchRow | undefined> => {
  await db
    .update(ownBatches)
    .set({ status: 'cancelling', cancellingAt: sql`now()` as never })
    .where(
      and(
        eq(ownBatches.workspaceId, workspaceId),
        eq(ownBatches.id, id),
        inArray(ownBatches.status, ['validating', 'in_progress']),
      ),
    )
  return findBatch(db, workspaceId, id)
}

/** Takes a batch for a while. @param what which it may be @param changes besides */
const claim = async (
  db: Db,
  by: string,
  forMs: number,
  what: SQL | undefined,
  changes: Partial<Record<keyof OwnBatchRow, unknown>> = {},
): Promise<OwnBatchRow | undefined> => {
  const next = db
    .$with('next')
    .as(
      db
        .select({ id: ownBatches.id })
        .from(ownBatches)
        .where(and(what, isUnclaimed()))
        .orderBy(ownBatches.createdAt)
        .limit(1)
        .for('update', { skipLocked: true }),
    )
  const [row] = await db
    .with(next)
    .update(ownBatches)
    .set({ ...changes, claim: by, claimedUntil: inMs(forMs) } as never)
    .from(next)
    .where(eq(ownBatches.id, next.id))
    .returning()
  return row as OwnBatchRow | undefined
}

/** Takes one whose input is to be looked through. */
export const claimValidation = (db: Db, by: string, forMs: number): Promise<OwnBatchRow | undefined> =>
  claim(db, by, forMs, eq(ownBatches.status, 'validating'))

/**
 * Takes one that is to be finished: all of its lines have a result, its time is over, or it was cancelled and nothing of it is in
 * flight. It begins no more lines.
 * @param files ids of those that it makes, if it has none yet
 */
export const claimFinish = (
  db: Db,
  by: string,
  forMs: number,
  files: { readonly outputFileId: string; readonly errorFileId: string },
): Promise<OwnBatchRow | undefined> => {
  const lines = db
    .select({ one: sql`1` })
    .from(ownBatchLines)
    .where(and(eq(ownBatchLines.batchId, ownBatches.id), isNull(ownBatchLines.result), isNull(ownBatchLines.isOk)))
  const inFlight = db
    .select({ one: sql`1` })
    .from(ownBatchLines)
    .where(
      and(
        eq(ownBatchLines.batchId, ownBatches.id),
        isNull(ownBatchLines.result),
        gt(ownBatchLines.claimedUntil, sql`now()`),
      ),
    )
  const { status, expiresAt } = ownBatches
  const what = or(
    eq(status, 'finalizing'),
    and(eq(status, 'in_progress'), or(not(exists(lines)), lte(expiresAt, sql`now()`))),
    and(eq(status, 'cancelling'), or(not(exists(inFlight)), lte(expiresAt, sql`now()`))),
  )
  return claim(db, by, forMs, what, {
    status: sql`case when ${status} = 'cancelling' then ${status} else 'finalizing' end`,
    finalizingAt: sql`case when ${status} = 'cancelling' then null else coalesce(${ownBatches.finalizingAt}, now()) end`,
    outputFileId: sql`coalesce(${ownBatches.outputFileId}, ${files.outputFileId})`,
    errorFileId: sql`coalesce(${ownBatches.errorFileId}, ${files.errorFileId})`,
  })
}

const isMine = (id: string, by: string) => and(eq(ownBatches.id, id), eq(ownBatches.claim, by))

/** @returns false when it is somebody else's now, or another state was set: nothing is changed then */
const updateClaimed = async (
  db: Db,
  { id, by, status }: { readonly id: string; readonly by: string; readonly status?: OwnBatchRow['status'] },
  changes: Partial<Record<keyof OwnBatchRow, unknown>>,
): Promise<boolean> => {
  const rows = await db
    .update(ownBatches)
    .set(changes as never)
    .where(and(isMine(id, by), status === undefined ? undefined : eq(ownBatches.status, status)))
    .returning({ id: ownBatches.id })
  return rows.length > 0
}

/** For so many milliseconds more. */
export const renewBatch = (db: Db, id: string, by: string, forMs: number): Promise<boolean> =>
  updateClaimed(db, { id, by }, { claimedUntil: inMs(forMs) })

/** Lets it go, for whoever comes after so many milliseconds. */
export const releaseBatch = (db: Db, id: string, by: string, afterMs: number): Promise<boolean> =>
  updateClaimed(db, { id, by }, { claim: null, claimedUntil: inMs(afterMs) })

export type NewLine = Pick<OwnBatchLine, 'line' | 'customId' | 'start' | 'end'>

/** Adds lines of one that is being looked through. @returns false when it is somebody else's now */
export const insertLines = (
  db: Db,
  { id, by, forMs }: { readonly id: string; readonly by: string; readonly forMs: number },
  lines: readonly NewLine[],
): Promise<boolean> =>
  db.transaction(async (transaction) => {
    const mine = { id, by, status: 'validating' } as const
    if (!(await updateClaimed(transaction, mine, { claimedUntil: inMs(forMs) }))) return false
    if (lines.length > 0)
      await transaction.insert(ownBatchLines).values(lines.map((line) => ({ ...line, batchId: id })))
    return true
  })

/** Forgets what another process had begun to look through. */
export const clearLines = async (db: Db, id: string): Promise<void> => {
  await db.delete(ownBatchLines).where(eq(ownBatchLines.batchId, id))
}

export type CompletionWindow = (typeof COMPLETION_WINDOWS)[number]

/**
 * Takes lines for a while: those that stand first, of all batches of a kind. Batches take turns so, and a short one need not wait
 * for a long one.
 */
export const claimLines = async (
  db: Db,
  { by, forMs, limit, window }: { by: string; forMs: number; limit: number; window: CompletionWindow },
): Promise<readonly (OwnBatchLine & { readonly batch: OwnBatchRow })[]> => {
  const next = db.$with('next').as(
    db
      .select({ batchId: ownBatchLines.batchId, line: ownBatchLines.line })
      .from(ownBatchLines)
      .innerJoin(ownBatches, eq(ownBatches.id, ownBatchLines.batchId))
      .where(
        and(
          isNull(ownBatchLines.result),
          eq(ownBatches.status, 'in_progress'),
          eq(ownBatches.completionWindow, window),
          gt(ownBatches.expiresAt, sql`now()`),
          isPast(sql`${ownBatches.pausedUntil}`),
          isPast(sql`${ownBatchLines.claimedUntil}`),
          isPast(ownBatchLines.notBefore),
        ),
      )
      .orderBy(ownBatchLines.line)
      .limit(limit)
      .for('update', { of: ownBatchLines, skipLocked: true }),
  )
  const lines = await db
    .with(next)
    .update(ownBatchLines)
    .set({ claim: by, claimedUntil: inMs(forMs) as never, claims: sql`${ownBatchLines.claims} + 1` as never })
    .from(next)
    .where(and(eq(ownBatchLines.batchId, next.batchId), eq(ownBatchLines.line, next.line)))
    .returning()
  const ids = [...new Set(lines.map(({ batchId }) => batchId))]
  if (ids.length === 0) return []
  const batches = await db.select().from(ownBatches).where(inArray(ownBatches.id, ids))
  const byId = new Map(batches.map((batch) => [batch.id, batch]))
  return lines.flatMap((line) => {
    const batch = byId.get(line.batchId)
    return batch === undefined ? [] : [{ ...line, batch }]
  })
}

/** For so many milliseconds more: all lines that were taken by these. */
export const renewLines = async (db: Db, claims: readonly string[], forMs: number): Promise<void> => {
  if (claims.length === 0) return
  await db
    .update(ownBatchLines)
    .set({ claimedUntil: inMs(forMs) as never })
    .where(and(inArray(ownBatchLines.claim, [...claims]), isNull(ownBatchLines.result)))
}

type LineKey = Pick<OwnBatchLine, 'batchId' | 'line'> & { readonly by: string }

const myLine = ({ batchId, line, by }: LineKey) =>
  and(
    eq(ownBatchLines.batchId, batchId),
    eq(ownBatchLines.line, line),
    eq(ownBatchLines.claim, by),
    isNull(ownBatchLines.result),
  )

/** Stores the result of a line, unless somebody else has taken it meanwhile: it has one, once. */
export const storeResult = async (
  db: Db,
  key: LineKey,
  { result, isOk }: { readonly result: string; readonly isOk: boolean },
): Promise<boolean> => {
  const rows = await db
    .update(ownBatchLines)
    .set({ result, isOk, claim: null, claimedUntil: null })
    .where(myLine(key))
    .returning({ line: ownBatchLines.line })
  return rows.length > 0
}

/** Gives a line back. @param afterMs milliseconds until it may be taken again */
export const releaseLine = async (
  db: Db,
  key: LineKey,
  { afterMs, isTry }: { readonly afterMs: number; readonly isTry: boolean },
): Promise<void> => {
  await db
    .update(ownBatchLines)
    .set({
      claim: null,
      claimedUntil: null,
      notBefore: inMs(afterMs) as never,
      claims: sql`greatest(${ownBatchLines.claims} - 1, 0)` as never,
      ...(isTry ? { tries: sql`${ownBatchLines.tries} + 1` as never } : {}),
    })
    .where(myLine(key))
}

/** No lines of it are begun for so many milliseconds. */
export const pauseBatch = async (db: Db, id: string, forMs: number): Promise<void> => {
  const until = inMs(forMs)
  await db
    .update(ownBatches)
    .set({ pausedUntil: sql`greatest(${ownBatches.pausedUntil}, ${until})` as never })
    .where(eq(ownBatches.id, id))
}

/** What has no result now gets none any more. */
export const giveUpLines = async (db: Db, batchId: string): Promise<void> => {
  await db
    .update(ownBatchLines)
    .set({ isOk: false, claim: null, claimedUntil: null })
    .where(and(eq(ownBatchLines.batchId, batchId), isNull(ownBatchLines.result)))
}

export type EndedLine = Pick<OwnBatchLine, 'line' | 'customId' | 'result'>

/** Lines in their order, behind one of them. @param isOk those with a good result, or the others */
export const endedLines = (
  db: Db,
  batchId: string,
  { isOk, behind, limit }: { readonly isOk: boolean; readonly behind: number; readonly limit: number },
): Promise<EndedLine[]> =>
  db
    .select({ line: ownBatchLines.line, customId: ownBatchLines.customId, result: ownBatchLines.result })
    .from(ownBatchLines)
    .where(and(eq(ownBatchLines.batchId, batchId), eq(ownBatchLines.isOk, isOk), gt(ownBatchLines.line, behind)))
    .orderBy(ownBatchLines.line)
    .limit(limit)

/** Its lines are ready. @returns false when it was cancelled, or is somebody else's now: nothing is changed then */
export const beginBatch = (db: Db, { id, by }: { readonly id: string; readonly by: string }): Promise<boolean> =>
  updateClaimed(
    db,
    { id, by, status: 'validating' },
    { status: 'in_progress', inProgressAt: sql`now()`, claim: null, claimedUntil: null },
  )

/** How a batch ends. What it was asked with is forgotten then, and so are its lines. */
export type BatchEnd =
  | { readonly status: 'failed'; readonly errors: readonly StoredBatchError[] }
  | ({
      readonly status: 'completed' | 'expired' | 'cancelled'
      readonly outputFileId: string | null
      readonly errorFileId: string | null
    } & LineCounts)

/** Ends it for good. @returns false when it is somebody else's now: nothing is changed then */
export const endBatch = (
  db: Db,
  mine: { readonly id: string; readonly by: string; readonly status?: OwnBatchRow['status'] },
  end: BatchEnd,
): Promise<boolean> =>
  db.transaction(async (transaction) => {
    const ended = { [`${end.status}At`]: sql`now()`, claim: null, claimedUntil: null, asked: '' }
    const isEnded = await updateClaimed(transaction, mine, { ...end, ...ended })
    if (isEnded) await clearLines(transaction, mine.id)
    return isEnded
  })

/** Forgets batches that ended so many days ago, in any workspace. */
export const clearBatches = async (db: Db, days: number): Promise<void> => {
  const ended = sql`greatest(${ownBatches.completedAt}, ${ownBatches.failedAt}, ${ownBatches.expiredAt}, ${ownBatches.cancelledAt})`
  await db
    .delete(ownBatches)
    .where(and(not(inArray(ownBatches.status, [...RUNNING])), sql`${ended} < now() - ${days} * interval '1 day'`))
}

/** No process runs any: for a database that only one process can have open, at its start. */
export const releaseBatches = async (db: Db): Promise<void> => {
  await db.update(ownBatches).set({ claim: null, claimedUntil: null }).where(isNotNull(ownBatches.claim))
  await db.update(ownBatchLines).set({ claim: null, claimedUntil: null }).where(isNotNull(ownBatchLines.claim))
}
