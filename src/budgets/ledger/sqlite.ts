import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BudgetType, CounterKey } from '../../core/budgets.ts'
import { inTransaction } from '../../store/database/sqlite-transaction.ts'
import { byCounter, type CounterCharges, KEPT_MS, LOADED_MS, MOST_LOADED, mustBeBefore } from './charges.ts'
import type { CounterAbout, Ledger, LedgerNews, LedgerTotal } from './ledger.ts'

/** Marks the file as ours: "WrBu" in ASCII. */
const APPLICATION_ID = 0x57724275
const SCHEMA_VERSION = 1
/** Totals are integers of 64 bits: what is beyond, 9.2 million dollars, stays there, and does not become a fraction. */
const MOST: bigint = 2n ** 63n - 1n

const KEY = 'workspace_id, budget_id, group_hash, start_ms'

/** `change` numbers all changes of the file, one behind the other: only one writes at a time. */
const SCHEMA: readonly string[] = [
  'create table spools (spool text primary key, position integer not null) without rowid',
  `create table counters (
     workspace_id text not null, budget_id text not null, group_hash text not null, start_ms integer not null,
     end_ms integer, type text not null, label text not null, total integer not null default 0,
     generation integer not null default 0, reset_at_us integer not null default 0, change integer not null,
     primary key (${KEY})
   ) without rowid`,
  'create unique index counters_change on counters (change)',
]

const OF_KEY = 'workspace_id = ? and budget_id = ? and group_hash = ? and start_ms = ?'
const NEXT_CHANGE = '(select coalesce(max(change), 0) + 1 from counters)'

interface Row {
  readonly workspace_id: string
  readonly budget_id: string
  readonly group_hash: string
  readonly start_ms: bigint
  readonly end_ms: bigint | null
  readonly type: BudgetType
  readonly label: string
  readonly total: bigint
  readonly generation: bigint
  readonly reset_at_us: bigint
  readonly change: bigint
}

export interface SqliteLedgerOptions {
  /** Of the file. It is made with the first charge. */
  readonly path: string
}

/** That of a data plane hears what its control plane has counted, of all data planes. */
export interface SqliteLedger extends Ledger {
  /** Counts of periods that run, those first that changed last. */
  running(nowMs: number, limit: number): Promise<readonly CounterKey[]>
  /**
   * Takes over totals that are counted elsewhere, with all that was counted here. Nothing where more of the spool was counted
   * here than there; a total never falls but by a reset.
   * @param position up to where the spool was counted there
   */
  adopt(spool: string, position: number, totals: readonly LedgerTotal[]): Promise<void>
}

/** Opens the ledger of a gateway without a database: plain code, to be run in a worker. */
export const openSqliteLedger = ({ path }: SqliteLedgerOptions): SqliteLedger => {
  let opened: Database | undefined
  /** Changes up to here were seen. */
  let seen = 0n

  /** @throws where the file is something else, or is broken: nobody's budget begins anew for that */
  const open = (): Database => (opened ??= openFile(path))
  /** Without making one. */
  const openToRead = (): Database | undefined => opened ?? (existsSync(path) ? open() : undefined)

  /** What is read belongs together. */
  const reading = (spool: string, read: (database: Database) => readonly Row[]): LedgerNews => {
    const database = openToRead()
    let news: LedgerNews = { position: 0, totals: [] }
    if (database === undefined) return news
    inTransaction(database, 'deferred', () => {
      const totals = read(database).map(toTotal)
      news = { position: positionOf(database, spool), totals }
    })
    return news
  }

  const changesSince = (database: Database, change: bigint): readonly Row[] =>
    database.query<Row, [bigint]>('select * from counters where change > ? order by change').all(change)

  return {
    async apply({ spool, to, charges }) {
      const database = open()
      let news: LedgerNews = { position: to, totals: [] }
      inTransaction(database, 'immediate', () => {
        const stored = positionOf(database, spool)
        for (const each of byCounter(charges.filter(({ position }) => position >= stored))) add(database, each)
        const position = Math.max(stored, to)
        database
          .query('insert into spools values (?, ?) on conflict (spool) do update set position = excluded.position')
          .run(spool, position)
        const totals = byCounter(charges)
          .flatMap(({ counter }) => rowsOf(database, counter))
          .map(toTotal)
        news = { position, totals }
      })
      return news
    },
    async load(spool, nowMs) {
      return reading(spool, (database) => {
        seen = lastChange(database)
        return database
          .query<Row, [number, number]>(
            'select * from counters where end_ms is null or end_ms > ? order by change desc limit ?',
          )
          .all(nowMs - LOADED_MS, MOST_LOADED)
      })
    },
    async find(spool, keys) {
      return reading(spool, (database) => keys.flatMap((key) => rowsOf(database, key)))
    },
    async changes(spool) {
      return reading(spool, (database) => {
        const rows = changesSince(database, seen)
        seen = rows.at(-1)?.change ?? seen
        return rows
      })
    },
    async running(nowMs, limit) {
      const rows = openToRead()
        ?.query<Row, [number, number]>(
          'select * from counters where end_ms is null or end_ms > ? order by change desc limit ?',
        )
        .all(nowMs, limit)
      return (rows ?? []).map(toTotal).map(({ workspaceId, budgetId, group, startMs }) => ({
        ...{ workspaceId, budgetId, group, startMs },
      }))
    },
    async adopt(spool, position, totals) {
      if (totals.length === 0) return
      const database = open()
      inTransaction(database, 'immediate', () => {
        if (positionOf(database, spool) > position) return
        for (const total of totals) {
          write(
            database,
            `insert into counters as known values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${NEXT_CHANGE})
             on conflict (${KEY}) do update set total = excluded.total, generation = excluded.generation,
               reset_at_us = excluded.reset_at_us, end_ms = excluded.end_ms, label = excluded.label,
               change = excluded.change
             where excluded.generation > known.generation
               or (excluded.generation = known.generation and excluded.total > known.total)`,
            [...columnsOf(total), total.total, total.generation, total.resetAtUs],
          )
        }
      })
    },
    async reset(counter, atUs, beforeMs) {
      const database = open()
      let total: LedgerTotal | undefined
      inTransaction(database, 'immediate', () => {
        mustBeBefore(beforeMs)
        write(
          database,
          `insert into counters values (?, ?, ?, ?, ?, ?, ?, 0, 1, ?, ${NEXT_CHANGE})
           on conflict (${KEY}) do update set total = 0, generation = generation + 1,
             reset_at_us = max(reset_at_us, excluded.reset_at_us), change = excluded.change`,
          [...columnsOf(counter), atUs],
        )
        total = rowsOf(database, counter).map(toTotal)[0]
      })
      if (total === undefined) throw new Error('A count that was just written is there.')
      return total
    },
    async expire(nowMs) {
      // Not the last one: its number is where the next change goes on from.
      openToRead()
        ?.query('delete from counters where end_ms < ? and change < (select max(change) from counters)')
        .run(nowMs - KEPT_MS)
    },
    async close() {
      opened?.close()
      opened = undefined
    },
  }
}

const openFile = (path: string): Database => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = new Database(path, { create: true, readwrite: true, safeIntegers: true })
  try {
    database.run('pragma busy_timeout = 5000')
    const isEmpty = checked(database, path)
    // What was counted is on the disk before the spool lets go of it.
    database.run('pragma journal_mode = wal')
    database.run('pragma synchronous = full')
    if (isEmpty) inTransaction(database, 'immediate', () => prepare(database, path))
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const prepare = (database: Database, path: string): void => {
  // Another process may have been faster.
  if (!checked(database, path)) return
  for (const statement of SCHEMA) database.run(statement)
  database.run(`pragma application_id = ${APPLICATION_ID}`)
  database.run(`pragma user_version = ${SCHEMA_VERSION}`)
}

/** @returns whether nothing is in it yet @throws where it is not our own */
const checked = (database: Database, path: string): boolean => {
  const pragmaOf = (name: string): number => Number(Object.values(database.query(`pragma ${name}`).get() ?? {})[0])
  const { tables } = database.query('select count(*) as tables from sqlite_schema').get() as { tables: bigint }
  if (pragmaOf('application_id') === 0 && tables === 0n) return true
  if (pragmaOf('application_id') !== APPLICATION_ID) throw new Error(`${path} is not a ledger of budgets`)
  if (pragmaOf('user_version') !== SCHEMA_VERSION) throw new Error(`${path} was written by a newer version of Weir`)
  return false
}

const positionOf = (database: Database, spool: string): number =>
  Number(
    database.query<{ position: bigint }, [string]>('select position from spools where spool = ?').get(spool)
      ?.position ?? 0,
  )

const lastChange = (database: Database): bigint =>
  database.query<{ last: bigint | null }, []>('select max(change) as last from counters').get()?.last ?? 0n

const rowsOf = (database: Database, { workspaceId, budgetId, group, startMs }: CounterKey): readonly Row[] =>
  database
    .query<Row, [string, string, string, number]>(`select * from counters where ${OF_KEY}`)
    .all(workspaceId, budgetId, group, startMs)

const columnsOf = ({ workspaceId, budgetId, group, startMs, endMs, type, label }: CounterAbout): SQLQueryBindings[] => [
  workspaceId,
  budgetId,
  group,
  startMs,
  endMs ?? null,
  type,
  label,
]

const write = (database: Database, statement: string, values: SQLQueryBindings[]): void => {
  database.query(statement).run(...values)
}

const add = (database: Database, { counter, amounts, endedUs }: CounterCharges): void => {
  const [before] = rowsOf(database, counter)
  const resetAtUs = Number(before?.reset_at_us ?? 0)
  let total = before?.total ?? 0n
  for (const [index, amount] of amounts.entries()) if ((endedUs[index] ?? 0) > resetAtUs) total += BigInt(amount)
  write(
    database,
    `insert into counters values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ${NEXT_CHANGE})
     on conflict (${KEY}) do update set total = excluded.total, end_ms = excluded.end_ms, label = excluded.label,
       change = excluded.change`,
    [...columnsOf(counter), total > MOST ? MOST : total],
  )
}

const toTotal = (row: Row): LedgerTotal => ({
  workspaceId: row.workspace_id,
  budgetId: row.budget_id,
  group: row.group_hash,
  startMs: Number(row.start_ms),
  ...(row.end_ms === null ? {} : { endMs: Number(row.end_ms) }),
  type: row.type,
  label: row.label,
  total: row.total,
  generation: Number(row.generation),
  resetAtUs: Number(row.reset_at_us),
})
