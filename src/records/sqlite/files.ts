import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inTransaction } from '../../store/database/sqlite-transaction.ts'
import { APPLICATION_ID, addedColumns, type FileKind, SCHEMA_VERSION, SCHEMAS } from './schema.ts'

const DAY_US = 86_400_000_000

const BODY_PAGE_BYTES = 16 * 1024

/** A file of the store by its name: `records-2026-11-22.db`. */
export interface FileName {
  readonly kind: FileKind
  /** Days since 1970, of UTC. Of feedback: 0. */
  readonly day: number
}

export const dayOf = (timeUs: number): number => Math.floor(timeUs / DAY_US)
export const startOfDay = (day: number): number => day * DAY_US

export const fileName = ({ kind, day }: FileName): string =>
  kind === 'feedback' ? 'feedback.db' : `${kind}-${new Date(startOfDay(day) / 1000).toISOString().slice(0, 10)}.db`

const parseName = (name: string): FileName | undefined => {
  if (name === 'feedback.db') return { kind: 'feedback', day: 0 }
  const [, kind, date] = /^(records|bodies)-(\d{4}-\d\d-\d\d)\.db$/.exec(name) ?? []
  const timeMs = Date.parse(`${date}T00:00:00Z`)
  return (kind === 'records' || kind === 'bodies') && !Number.isNaN(timeMs)
    ? { kind, day: dayOf(timeMs * 1000) }
    : undefined
}

/** The files of a folder by day, the newest first. Empty where there is no folder. */
export const listFiles = (folder: string): FileName[] => {
  try {
    return readdirSync(folder)
      .flatMap((name) => parseName(name) ?? [])
      .sort((one, other) => other.day - one.day)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** What is in a file's place is not a file of this store, or is broken. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile'
}

/** Codes of SQLite for a file that is none, or is broken. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:NOTADB|CORRUPT)/.test(String(error.code))

interface Pragmas {
  readonly application_id: number
  readonly user_version: number
}

const checked = (database: Database, path: string): 'empty' | 'ours' => {
  const { application_id: application } = database.query('pragma application_id').get() as Pragmas
  const { user_version: version } = database.query('pragma user_version').get() as Pragmas
  const { tables } = database.query('select count(*) as tables from sqlite_schema').get() as { tables: number }
  if (application === 0 && version === 0 && tables === 0) return 'empty'
  if (application !== APPLICATION_ID) throw new ForeignFile(`${path} is not a file of records`)
  if (version !== SCHEMA_VERSION)
    throw new ForeignFile(`${path} has form ${version}, this version of Weir writes ${SCHEMA_VERSION}`)
  return 'ours'
}

/** Statements for the columns that it lacks. */
const missingIn = (database: Database): readonly string[] => {
  const known = database.query<{ name: string }, []>("select name from pragma_table_info('calls')").all()
  return addedColumns(new Set(known.map(({ name }) => name)))
}

/** Brings a file of records up to date. Its rows have none of the new columns. */
const addColumns = (database: Database): void => {
  for (const statement of missingIn(database)) database.run(statement)
}

/**
 * Opens a file to write, and makes it where there is none.
 * @throws ForeignFile for one that is something else or broken; the error of SQLite for anything else
 */
export const openToWrite = (folder: string, name: FileName): Database => {
  const path = join(folder, fileName(name))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new Database(path, { create: true, readwrite: true })
  try {
    database.run('pragma busy_timeout = 5000')
    // Before anything of it is changed.
    checked(database, path)
    // Sealed bodies of some KB each fill small pages badly, and each page is two writes. Only a file that is made now heeds it.
    if (name.kind === 'bodies') database.run(`pragma page_size = ${BODY_PAGE_BYTES}`)
    // What was written before is on the disk before the spool lets go of it.
    database.run('pragma journal_mode = wal')
    database.run('pragma synchronous = full')
    inTransaction(database, 'immediate', () => {
      if (checked(database, path) === 'ours') {
        if (name.kind === 'records') addColumns(database)
        return
      }
      for (const statement of SCHEMAS[name.kind]) database.run(statement)
      database.run(`pragma application_id = ${APPLICATION_ID}`)
      database.run(`pragma user_version = ${SCHEMA_VERSION}`)
    })
    return database
  } catch (error) {
    database.close()
    throw isBroken(error) ? new ForeignFile(`${path} is broken`, { cause: error }) : error
  }
}

/** Opens a file to read. Undefined where there is none yet, or nothing in it. @throws as `openToWrite` */
export const openToRead = (folder: string, name: FileName): Database | undefined => {
  const path = join(folder, fileName(name))
  let database: Database
  try {
    // Not `readonly`: the index of the write-ahead log may have to be made.
    database = new Database(path, { create: false, readwrite: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CANTOPEN') return undefined
    throw error
  }
  try {
    database.run('pragma busy_timeout = 1000')
    database.run('pragma cache_size = -16000')
    database.run('pragma mmap_size = 1073741824')
    if (checked(database, path) === 'empty') {
      database.close()
      return undefined
    }
    if (name.kind === 'records' && missingIn(database).length > 0)
      inTransaction(database, 'immediate', () => addColumns(database))
    database.run('pragma query_only = 1')
    return database
  } catch (error) {
    database.close()
    throw isBroken(error) ? new ForeignFile(`${path} is broken`, { cause: error }) : error
  }
}

/** Moves a file out of the way, with what belongs to it. @returns its new name */
export const setAside = (folder: string, name: FileName): string => {
  const path = join(folder, fileName(name))
  const aside = `${path}.aside-${Date.now()}`
  for (const end of ['', '-wal', '-shm']) {
    try {
      renameSync(`${path}${end}`, `${aside}${end}`)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return aside
}
