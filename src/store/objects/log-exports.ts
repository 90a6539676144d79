import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { logExports } from '../schema/log-exports.ts'
import type { Db } from '../types.ts'
import { newId } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type LogExport = Readonly<typeof logExports.$inferSelect>

/** The newest first. */
export const logExportRows = rowsOf(logExports, { order: [desc(logExports.createdAt), desc(logExports.id)] })

const inMs = (ms: number) => sql`now() + ${ms}::double precision * interval '1 millisecond'`

/** Lets a process run it, from its beginning. @param question what is asked of the store of records */
export const startExport = (db: Db, id: string, question: unknown): Promise<LogExport | undefined> =>
  logExportRows.update(db, {
    id,
    question,
    status: 'in_progress',
    fileId: newId(),
    parts: 0,
    rows: 0,
    bytes: 0,
    at: null,
    error: null,
    startedAt: sql`now()` as never,
    endedAt: null,
    expiresAt: null,
    claimedBy: null,
    claimedUntil: null,
  })

/** Takes the one that has waited for longest and that nobody runs, for a while. */
export const claimExport = async (db: Db, by: string, forMs: number): Promise<LogExport | undefined> => {
  const isFree = or(isNull(logExports.claimedUntil), lte(logExports.claimedUntil, sql`now()`))
  const next = db
    .select({ id: logExports.id })
    .from(logExports)
    .where(and(eq(logExports.status, 'in_progress'), isFree))
    .orderBy(asc(logExports.startedAt), asc(logExports.id))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(logExports)
    .set({ claimedBy: by, claimedUntil: inMs(forMs) })
    .where(eq(logExports.id, sql`(${next})`))
    .returning()
  return row
}

/** What a process says of an export that it runs. */
type Progress = Partial<
  Pick<LogExport, 'status' | 'parts' | 'rows' | 'bytes' | 'at' | 'error'> & {
    /** Milliseconds for which it stays with the process; 0 lets it go. */
    readonly claimMs: number
    readonly isOver: boolean
    /** Milliseconds that its file is kept. */
    readonly keepMs: number
  }
>

/** @returns false when it was cancelled, or another process has taken it over: nothing is changed then */
export const updateClaimed = async (
  db: Db,
  { id, fileId }: Pick<LogExport, 'id' | 'fileId'>,
  by: string,
  { claimMs, isOver, keepMs, ...changes }: Progress,
): Promise<boolean> => {
  const isMine = and(
    eq(logExports.id, id),
    eq(logExports.status, 'in_progress'),
    eq(logExports.claimedBy, by),
    fileId === null ? undefined : eq(logExports.fileId, fileId),
  )
  const rows = await db
    .update(logExports)
    .set({
      ...changes,
      ...(claimMs !== undefined && { claimedUntil: inMs(claimMs) }),
      ...(isOver === true && { endedAt: sql`now()`, claimedBy: null, claimedUntil: null }),
      ...(keepMs !== undefined && { expiresAt: inMs(keepMs) }),
    })
    .where(isMine)
    .returning({ id: logExports.id })
  return rows.length > 0
}

/** No process runs any: for a database that only one process can have open, at its start. */
export const releaseExports = async (db: Db): Promise<void> => {
  await db
    .update(logExports)
    .set({ claimedBy: null, claimedUntil: null })
    .where(and(eq(logExports.status, 'in_progress'), isNotNull(logExports.claimedBy)))
}

/** Forgets the files of exports that are past their time. */
export const expireExports = async (db: Db): Promise<void> => {
  await db
    .update(logExports)
    .set({ fileId: null })
    .where(and(isNotNull(logExports.fileId), lte(logExports.expiresAt, sql`now()`)))
}

/** Files that exports still have, of any workspace. */
export const filesOfExports = async (db: Db): Promise<ReadonlySet<string>> => {
  const rows = await db.select({ file: logExports.fileId }).from(logExports).where(isNotNull(logExports.fileId))
  return new Set(rows.flatMap(({ file }) => file ?? []))
}

/** One of any organisation: for a link that names it. */
export const findExport = async (db: Db, id: string): Promise<LogExport | undefined> => {
  const [row] = await db.select().from(logExports).where(eq(logExports.id, id))
  return row
}
