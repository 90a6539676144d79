import type { Database, SQLQueryBindings } from 'bun:sqlite'
import type { CallRecord, FeedbackRecord, SealedBodies } from '../../core/records.ts'
import { inTransaction } from '../../store/database/sqlite-transaction.ts'
import { RECORD_COLUMNS, type StoredColumn, storedValue } from '../columns.ts'
import { createAccumulator } from '../rollups/accumulate.ts'
import { BatchRefused, type Placed, type RecordBatch, type RecordWriter } from '../store.ts'
import { expireFiles } from './expire.ts'
import { dayOf, type FileName, ForeignFile, openToWrite, setAside } from './files.ts'
import { createOpenFiles } from './open-files.ts'
import { INSERT_RECORD } from './schema.ts'
import { createSumsWriter, type SumsWriter } from './write-sums.ts'

export interface SqliteWriterOptions {
  /** Folder of the store; made where there is none. Nobody else may write in it. */
  readonly folder: string
  /** Says aloud what an operator has to know: a file that was set aside. */
  readonly warn?: (message: string) => void
}

/** Days whose files are open to be written at once: today's and those of a backlog. */
const MOST_OPEN = 6
const LAST_TIME = Date.UTC(9999, 11, 31) * 1000
const COLUMNS = Object.keys(RECORD_COLUMNS) as StoredColumn[]
const IS_JSON = COLUMNS.map((column) => RECORD_COLUMNS[column] === 'json')

const FEEDBACK: FileName = { kind: 'feedback', day: 0 }

/** The writing end of the embedded store: plain code, to be run in a worker. */
export const openSqliteWriter = ({ folder, warn = () => {} }: SqliteWriterOptions): RecordWriter => {
  let declared: ReadonlyMap<string, readonly string[]> = new Map()

  const open = (name: FileName): Database => {
    try {
      return openToWrite(folder, name)
    } catch (error) {
      if (!(error instanceof ForeignFile)) throw error
      const aside = setAside(folder, name)
      warn(`${error.message}: it was set aside as ${aside}, and a new file takes its place`)
      return openToWrite(folder, name)
    }
  }

  const files = createOpenFiles(MOST_OPEN, (name) => {
    const database = open(name)
    const keys = name.kind === 'records' ? readyKeys(database, declared) : new Map<string, readonly string[]>()
    const addSums: SumsWriter = name.kind === 'records' ? createSumsWriter(database) : () => {}
    return { database, keys, addSums }
  })
  const fileOf = (name: FileName) => {
    const file = files.get(name)
    if (file === undefined) throw new Error('A file to write is always there')
    return file
  }
  const position = (database: Database, spool: string): number =>
    database.query<{ position: number }, [string]>('select position from spools where spool = ?').get(spool)
      ?.position ?? 0

  /** Stores rows in one file, and how far the spool is stored there. */
  const store = <Row>(
    name: FileName,
    { spool, to }: RecordBatch,
    rows: readonly Placed<Row>[],
    insert: (file: ReturnType<typeof fileOf>, rows: readonly Row[]) => void,
  ): void => {
    const file = fileOf(name)
    const storeFresh = (): void => {
      const stored = position(file.database, spool)
      if (stored >= to) return
      insert(
        file,
        rows.flatMap((each) => (each.position >= stored ? each.row : [])),
      )
      file.database
        .query('insert into spools values (?, ?) on conflict (spool) do update set position = excluded.position')
        .run(spool, to)
    }
    // Another process on the folder waits for its turn, rather than being refused in the middle.
    refusing(() => inTransaction(file.database, 'immediate', storeFresh))
  }

  return {
    async write(batch) {
      for (const [day, rows] of byDay(batch.bodies)) store({ kind: 'bodies', day }, batch, rows, insertBodies)
      for (const [day, rows] of byDay(batch.records)) store({ kind: 'records', day }, batch, rows, insertRecords)
      // The last one, whatever there is: what it says is stored is stored in all files.
      store(FEEDBACK, batch, batch.feedback, insertFeedback)
    },
    async position(spool) {
      return position(fileOf(FEEDBACK).database, spool)
    },
    declare(keys) {
      declared = keys
    },
    expire: (nowMs, rules) => expireFiles({ folder, files, nowMs, rules }),
    async close() {
      files.closeAll()
    },
  }
}

/** Runs a transaction. @throws BatchRefused where the rows are to blame */
const refusing = (transaction: () => void): void => {
  try {
    transaction()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (error instanceof TypeError || /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(code)) {
      throw new BatchRefused('SQLite does not take a row of this batch', { cause: error })
    }
    throw error
  }
}

const byDay = <Row extends { readonly time: number }>(rows: readonly Placed<Row>[]): Map<number, Placed<Row>[]> =>
  Map.groupBy(rows, ({ row: { time } }) => {
    if (!Number.isSafeInteger(time) || time < 0 || time > LAST_TIME) throw new BatchRefused('A row has no time')
    return dayOf(time)
  })

interface RecordsFile {
  readonly database: Database
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly addSums: SumsWriter
}

const insertRecords = ({ database, keys, addSums }: RecordsFile, records: readonly CallRecord[]): void => {
  const statement = database.query(INSERT_RECORD)
  const sums = createAccumulator((workspaceId) => keys.get(workspaceId) ?? [])
  const values = COLUMNS.map((): SQLQueryBindings => null)
  for (const record of records) {
    for (let index = 0; index < COLUMNS.length; index++) {
      const value = storedValue(record, COLUMNS[index] as StoredColumn)
      if (value === undefined) values[index] = null
      else values[index] = IS_JSON[index] === true ? JSON.stringify(value) : (value as SQLQueryBindings)
    }
    // One that came by another spool is there already, and in the sums.
    if (statement.run(...values).changes > 0) sums.add(record)
  }
  addSums(sums.rows())
}

const insertBodies = ({ database }: RecordsFile, rows: readonly SealedBodies[]): void => {
  const statement = database.query('insert into bodies values (?, ?, ?, ?, ?) on conflict (record_id) do nothing')
  for (const { recordId, organisationId, workspaceId, time, sealed } of rows) {
    statement.run(recordId, organisationId, workspaceId, time, sealed)
  }
}

const insertFeedback = ({ database }: RecordsFile, rows: readonly FeedbackRecord[]): void => {
  const statement = database.query('insert into rows values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const row of rows) {
    const { id, time, organisationId, workspaceId, traceId, value, weight, metadata, apiKeyId = null } = row
    statement.run(id, time, organisationId, workspaceId, traceId, value, weight, JSON.stringify(metadata), apiKeyId)
  }
}

/**
 * Metadata keys with sums in a file, by workspace. They are settled with its first record: one that is declared later has
 * sums from the next day on, as those of this day would lack what came before.
 */
const readyKeys = (
  database: Database,
  declared: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> => {
  const { count } = database.query('select count(*) as count from spools').get() as { count: number }
  if (count === 0) {
    inTransaction(database, 'immediate', () => {
      database.run('delete from keys')
      const insert = database.query('insert into keys values (?, ?)')
      for (const [workspaceId, keys] of declared) for (const key of new Set(keys)) insert.run(workspaceId, key)
    })
  }
  const rows = database.query('select workspace_id, key from keys').all() as { workspace_id: string; key: string }[]
  const grouped = Map.groupBy(rows, (row) => row.workspace_id)
  return new Map([...grouped].map(([workspaceId, all]) => [workspaceId, all.map(({ key }) => key)]))
}
