import { and, asc, count, desc, eq, gt, inArray, isNull, lte, or, sql, sum } from 'drizzle-orm'
import { ownFiles } from '../schema/own-files.ts'
import type { Db } from '../types.ts'
import { only } from './rows.ts'

export type OwnFileRow = Readonly<typeof ownFiles.$inferSelect>

const lasting = () => or(isNull(ownFiles.expiresAt), gt(ownFiles.expiresAt, sql`now()`))

export interface StoredFiles {
  readonly files: number
  readonly bytes: number
}

/** What a workspace keeps, what has expired and is not removed yet with it. */
export const countOwnFiles = async (db: Db, workspaceId: string): Promise<StoredFiles> => {
  const [row] = await db
    .select({ files: count(), bytes: sum(ownFiles.bytes) })
    .from(ownFiles)
    .where(eq(ownFiles.workspaceId, workspaceId))
  return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) }
}

/** Keeps one; one that is kept already stays as it is. @param ttlSeconds until it expires */
export const insertOwnFile = async (
  db: Db,
  row: Omit<typeof ownFiles.$inferInsert, 'createdAt' | 'expiresAt'>,
  ttlSeconds: number | undefined,
): Promise<OwnFileRow> => {
  const expiresAt = ttlSeconds === undefined ? null : sql`now() + ${ttlSeconds}::double precision * interval '1 second'`
  const rows = await db
    .insert(ownFiles)
    .values({ ...row, expiresAt: expiresAt as never })
    .onConflictDoUpdate({ target: ownFiles.id, set: { id: sql`excluded.id` } })
    .returning()
  return only(rows)
}

/** One that has not expired. */
export const findOwnFile = async (db: Db, workspaceId: string, id: string): Promise<OwnFileRow | undefined> => {
  const [row] = await db
    .select()
    .from(ownFiles)
    .where(and(eq(ownFiles.workspaceId, workspaceId), eq(ownFiles.id, id), lasting()))
  return row
}

export interface OwnFilePage {
  readonly purpose?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

/** By the time they were made, behind another one; nothing behind one that is not there. */
export const listOwnFiles = (db: Db, workspaceId: string, page: OwnFilePage): Promise<OwnFileRow[]> => {
  const { purpose, after, limit, order } = page
  const place = sql`(${ownFiles.createdAt}, ${ownFiles.id})`
  const anchor = sql`(select f.created_at, f.id from own_files f where f.workspace_id = ${workspaceId} and f.id = ${after})`
  const behind =
    after === undefined ? undefined : order === 'asc' ? sql`${place} > ${anchor}` : sql`${place} < ${anchor}`
  const by = order === 'asc' ? asc : desc
  return db
    .select()
    .from(ownFiles)
    .where(
      and(
        eq(ownFiles.workspaceId, workspaceId),
        purpose === undefined ? undefined : eq(ownFiles.purpose, purpose),
        lasting(),
        behind,
      ),
    )
    .orderBy(by(ownFiles.createdAt), by(ownFiles.id))
    .limit(limit)
}

/** @returns false for one that is not kept */
export const deleteOwnFile = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await db
    .delete(ownFiles)
    .where(and(eq(ownFiles.workspaceId, workspaceId), eq(ownFiles.id, id)))
    .returning({ id: ownFiles.id })
  return rows.length > 0
}

/** Forgets what has expired, in any workspace. @returns ids of the files that are to be removed */
export const clearExpiredFiles = async (db: Db, limit: number): Promise<readonly string[]> => {
  const expired = db.select({ id: ownFiles.id }).from(ownFiles).where(lte(ownFiles.expiresAt, sql`now()`)).limit(limit)
  const rows = await db.delete(ownFiles).where(inArray(ownFiles.id, expired)).returning({ id: ownFiles.id })
  return rows.map(({ id }) => id)
}

/** Which of these are kept, in whatever workspace. */
export const keptFiles = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: ownFiles.id })
    .from(ownFiles)
    .where(inArray(ownFiles.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}
