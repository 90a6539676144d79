import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray } from 'drizzle-orm'
import { StoreFull } from './errors.ts'
import { isUuid } from './objects/rows.ts'
import { storedFiles } from './schema/log-exports.ts'
import type { Db } from './types.ts'

/** Files in parts, by ids. What is in them is sealed by whoever writes them. */
export interface FileStore {
  /** Writes a part, or writes it anew. @throws StoreFull, StoreUnavailable */
  write(file: string, part: number, content: string): Promise<void>
  /** @returns undefined for a part that is not there */
  read(file: string, part: number): Promise<string | undefined>
  /** Ids of all files. */
  list(): Promise<readonly string[]>
  remove(files: readonly string[]): Promise<void>
}

/** Files in the database: every process finds them. */
export const createDatabaseFiles = (db: Db): FileStore => ({
  async write(file, part, content) {
    const target = [storedFiles.file, storedFiles.part]
    await db.insert(storedFiles).values({ file, part, content }).onConflictDoUpdate({ target, set: { content } })
  },
  async read(file, part) {
    const [row] = await db
      .select({ content: storedFiles.content })
      .from(storedFiles)
      .where(and(eq(storedFiles.file, file), eq(storedFiles.part, part)))
    return row?.content
  },
  async list() {
    const rows = await db.selectDistinct({ file: storedFiles.file }).from(storedFiles)
    return rows.map(({ file }) => file)
  },
  async remove(files) {
    if (files.length > 0) await db.delete(storedFiles).where(inArray(storedFiles.file, [...files]))
  },
})

/** Files in a folder of this machine: one folder each, made with the first part. */
export const createFolderFiles = (folder: string): FileStore => ({
  async write(file, part, content) {
    const own = join(folder, file)
    mkdirSync(own, { recursive: true, mode: 0o700 })
    const path = join(own, String(part))
    try {
      await writeFile(`${path}.new`, content, { mode: 0o600, flush: true })
      await rename(`${path}.new`, path)
    } catch (thrown) {
      throw codeOf(thrown) === 'ENOSPC' ? new StoreFull('the disk is full', { cause: thrown }) : thrown
    }
  },
  async read(file, part) {
    try {
      return await readFile(join(folder, file, String(part)), 'utf8')
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return undefined
      throw thrown
    }
  },
  async list() {
    try {
      return (await readdir(folder)).filter(isUuid)
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return []
      throw thrown
    }
  },
  async remove(files) {
    for (const file of files.filter(isUuid)) await rm(join(folder, file), { recursive: true, force: true })
  },
})

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined)
