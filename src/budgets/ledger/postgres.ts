import type { Sql, TransactionSql } from 'postgres'
import type { BudgetType, CounterKey } from '../../core/budgets.ts'
import { openConnection } from '../../store/database/connection.ts'
import { toJson } from '../../store/database/json-rows.ts'
import { QueryFailed } from '../../store/errors.ts'
import { byCounter, KEPT_MS, LOADED_MS, MOST_LOADED, mustBeBefore, nameOf } from './charges.ts'
import type { Ledger, LedgerBatch, LedgerNews, LedgerTotal } from './ledger.ts'
import { KEY_COLUMNS, prepareSchema, SCHEMA } from './postgres-schema.ts'

const STATEMENT_TIMEOUT_MS = 10_000
const DEADLINE_MS = 12_000
/** Deadlocks and the like are over when one of two gave way. */
const TRIES = 4
const TRY_AGAIN: ReadonlySet<string> = new Set(['40001', '40P01'])
/** A spool that nobody wrote for so long is gone. */
const SPOOLS_KEPT = '400 days'
/** Held by who adds, shared, and by who resets, alone: what was spent before a reset is told from what was spent after it. */
const RESET_LOCK = '1466263922, 19'
/** It waits no longer for those who add. */
const RESET_LOCK_MS = 2_000

const TOTAL_COLUMNS = `${KEY_COLUMNS}, end_ms, type, label, total::text as total, generation, reset_at_us, changed::text as changed`
const KEY_TYPES =
  'workspace_id text collate "C", budget_id text collate "C", group_hash text collate "C", start_ms bigint'

interface Row {
  readonly workspace_id: string
  readonly budget_id: string
  readonly group_hash: string
  readonly start_ms: number
  readonly end_ms: number | null
  readonly type: BudgetType
  readonly label: string
  readonly total: string
  readonly generation: number
  readonly reset_at_us: number
  readonly changed: string
}

/** One row even where there are no counts. */
type NewsRow = { readonly position: number; readonly next: string } & (Row | { readonly workspace_id: null })

/** Takes counts, the position of a spool, and where the next look begins, as they were at one moment. */
const newsOf = (counters: string): string =>
  `select coalesce((select position from ${SCHEMA}.spools where spool = $1), 0) as position,
     pg_snapshot_xmin(pg_current_snapshot())::text as next, found.*
   from (select 1) as always left join (${counters}) as found on true`

const LOAD = newsOf(
  `select ${TOTAL_COLUMNS} from ${SCHEMA}.counters known where end_ms is null or end_ms > $2
   order by known.changed desc limit ${MOST_LOADED}`,
)
const CHANGES = newsOf(`select ${TOTAL_COLUMNS} from ${SCHEMA}.counters known where known.changed >= $2::xid8`)
const FIND = newsOf(
  `select ${TOTAL_COLUMNS} from ${SCHEMA}.counters
   join (select * from json_to_recordset($2::text::json) as each (${KEY_TYPES})) as given using (${KEY_COLUMNS})`,
)

/** The row of the spool is locked until the end of the transaction: a second try, or an heir, waits for the first. */
const TAKE_PLACE = `insert into ${SCHEMA}.spools as known (spool, position)
  select $1, 0 from (select pg_advisory_xact_lock_shared(${RESET_LOCK})) as locked
  on conflict (spool) do update set seen_at = now() returning position`

/** In one order, so that processes which add to the same counts wait for each other and never in a ring. */
const ADD = `insert into ${SCHEMA}.counters as known (${KEY_COLUMNS}, end_ms, type, label, total)
  select ${KEY_COLUMNS}, given.end_ms, given.type, given.label, (
    select coalesce(sum(amount), 0) from unnest(given.amounts, given.ended_us) as spent (amount, at)
    where at > coalesce(before.reset_at_us, 0)
  )
  from json_to_recordset($1::text::json)
    as given (${KEY_TYPES}, end_ms bigint, type text, label text, amounts bigint[], ended_us bigint[])
  left join ${SCHEMA}.counters before using (${KEY_COLUMNS})
  order by ${KEY_COLUMNS}
  on conflict (${KEY_COLUMNS}) do update
  set total = known.total + excluded.total, end_ms = excluded.end_ms, label = excluded.label, changed = pg_current_xact_id()
  returning ${TOTAL_COLUMNS}`

const RESET = `insert into ${SCHEMA}.counters as known (${KEY_COLUMNS}, end_ms, type, label, generation, reset_at_us)
  values ($1, $2, $3, $4, $5, $6, $7, 1, $8)
  on conflict (${KEY_COLUMNS}) do update
  set total = 0, generation = known.generation + 1, reset_at_us = greatest(known.reset_at_us, excluded.reset_at_us),
    changed = pg_current_xact_id()
  returning ${TOTAL_COLUMNS}`

export interface PostgresLedgerOptions {
  readonly databaseUrl: string
}

/**
 * Opens the ledger in a database that all processes share. Connects when it is first used, and makes its tables then.
 * @throws StoreUnavailable for what is no URL of Postgres
 */
export const openPostgresLedger = ({ databaseUrl }: PostgresLedgerOptions): Ledger => {
  const connection = openConnection({
    databaseUrl,
    name: 'weir-budgets',
    // One question after the other: what is told of totals and positions stays in order.
    connections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    deadlineMs: DEADLINE_MS,
    prepare: prepareSchema,
  })
  /** Transactions from here on may not have been seen. */
  let since = '0'
  /** What was told last, which may come again. */
  let told: ReadonlyMap<string, string> = new Map()

  const look = async (query: string, spool: string, parameter: string | number): Promise<readonly NewsRow[]> =>
    connection.use((sql) => sql.unsafe<NewsRow[]>(query, [spool, parameter]))

  const repeat = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof QueryFailed && TRY_AGAIN.has(error.sqlState ?? '') && tries < TRIES) continue
        throw error
      }
    }
  }

  const inTransaction = <T>(work: (transaction: TransactionSql) => Promise<T>): Promise<T> =>
    repeat(() => connection.use((sql: Sql) => sql.begin(work) as Promise<T>))

  return {
    apply: (batch) => inTransaction((transaction) => apply(transaction, batch)),
    async load(spool, nowMs) {
      const rows = await look(LOAD, spool, nowMs - LOADED_MS)
      since = rows[0]?.next ?? since
      return toNews(rows)
    },
    async find(spool, keys) {
      return toNews(await look(FIND, spool, toJson(keys.map(keyRow))))
    },
    async changes(spool) {
      const rows = await look(CHANGES, spool, since)
      since = rows[0]?.next ?? since
      const changed = new Map(rows.flatMap((row) => (row.workspace_id === null ? [] : [[nameOf(toTotal(row)), row]])))
      const fresh = [...changed].filter(([name, row]) => told.get(name) !== row.changed)
      told = new Map([...changed].map(([name, row]) => [name, row.changed]))
      return { position: rows[0]?.position ?? 0, totals: fresh.map(([, row]) => toTotal(row)) }
    },
    async reset({ workspaceId, budgetId, group, startMs, endMs = null, type, label }, atUs, beforeMs) {
      const parameters = [workspaceId, budgetId, group, startMs, endMs, type, label, atUs]
      const [row] = await inTransaction(async (transaction) => {
        await transaction.unsafe(`set local lock_timeout = ${RESET_LOCK_MS}`)
        await transaction.unsafe(`select pg_advisory_xact_lock(${RESET_LOCK})`)
        // The connection may have been away for longer than anybody waits.
        mustBeBefore(beforeMs)
        return transaction.unsafe<Row[]>(RESET, parameters)
      })
      if (row === undefined) throw new Error('An insert that changes what is there gave no row.')
      return toTotal(row)
    },
    async expire(nowMs) {
      await connection.use(async (sql) => {
        await sql.unsafe(`delete from ${SCHEMA}.counters where end_ms < $1`, [nowMs - KEPT_MS])
        await sql.unsafe(`delete from ${SCHEMA}.spools where seen_at < now() - interval '${SPOOLS_KEPT}'`)
      })
    },
    close: () => connection.close(),
  }
}

const apply = async (transaction: TransactionSql, { spool, to, charges }: LedgerBatch): Promise<LedgerNews> => {
  const [place] = await transaction.unsafe<{ position: number }[]>(TAKE_PLACE, [spool])
  if (place === undefined) throw new Error('An insert that changes what is there gave no row.')
  const fresh = charges.filter(({ position }) => position >= place.position)
  const position = Math.max(place.position, to)
  await transaction.unsafe(`update ${SCHEMA}.spools set position = $2 where spool = $1`, [spool, position])
  if (fresh.length === 0 || fresh.length < charges.length) {
    if (fresh.length > 0) await add(transaction, fresh)
    const keys = byCounter(charges).map(({ counter }) => keyRow(counter))
    return toNews(await transaction.unsafe<NewsRow[]>(FIND, [spool, toJson(keys)]))
  }
  return { position, totals: await add(transaction, fresh) }
}

/** Last in the transaction: others wait for these rows until its end. */
const add = async (transaction: TransactionSql, charges: LedgerBatch['charges']): Promise<readonly LedgerTotal[]> => {
  const given = byCounter(charges).map(({ counter, amounts, endedUs }) => {
    const { endMs, type, label } = counter
    return { ...keyRow(counter), end_ms: endMs, type, label, amounts, ended_us: endedUs }
  })
  return (await transaction.unsafe<Row[]>(ADD, [toJson(given)])).map(toTotal)
}

const keyRow = ({ workspaceId, budgetId, group, startMs }: CounterKey) => ({
  workspace_id: workspaceId,
  budget_id: budgetId,
  group_hash: group,
  start_ms: startMs,
})

const toNews = (rows: readonly NewsRow[]): LedgerNews => ({
  position: rows[0]?.position ?? 0,
  totals: rows.flatMap((row) => (row.workspace_id === null ? [] : toTotal(row))),
})

const toTotal = (row: Row): LedgerTotal => ({
  workspaceId: row.workspace_id,
  budgetId: row.budget_id,
  group: row.group_hash,
  startMs: row.start_ms,
  ...(row.end_ms === null ? {} : { endMs: row.end_ms }),
  type: row.type,
  label: row.label,
  total: BigInt(row.total),
  generation: row.generation,
  resetAtUs: row.reset_at_us,
})
