import { DAILY_TABLES, type DailyTable, SCHEMA } from './names.ts'
import { lockSchema, type Queries } from './schema.ts'

const TABLES = Object.keys(DAILY_TABLES) as DailyTable[]
export const DAY_US = 86_400_000_000
const DAY_MS = 86_400_000

/** Days since 1970 (UTC) of a time in microseconds. */
export const dayOf = (timeUs: number): number => Math.floor(timeUs / DAY_US)

/** A partition as it is found. */
export interface Partition {
  readonly table: DailyTable
  readonly name: string
  readonly day: number
  /** `loose`: it was taken out and not dropped. `leaving`: taking it out was interrupted. */
  readonly state: 'attached' | 'leaving' | 'loose'
}

/**
 * Makes the partitions of these days that are missing. Each is made aside and then attached, which holds up neither
 * readers nor writers of other days.
 */
export const createPartitions = async (transaction: Queries, days: readonly number[]): Promise<void> => {
  await lockSchema(transaction)
  const found = new Map((await listPartitions(transaction)).map((partition) => [partition.name, partition]))
  for (const day of days) {
    for (const table of TABLES) {
      const name = partitionName(table, day)
      const state = found.get(name)?.state
      if (state === 'attached') continue
      // What was on its way out is past its retention.
      if (state === 'leaving')
        await transaction.unsafe(`alter table ${SCHEMA}.${table} detach partition ${SCHEMA}.${name} finalize`)
      if (state !== undefined) await transaction.unsafe(`drop table ${SCHEMA}.${name}`)
      await transaction.unsafe(`create table ${SCHEMA}.${name} (like ${SCHEMA}.${table} including all)`)
      await transaction.unsafe(
        `alter table ${SCHEMA}.${table} attach partition ${SCHEMA}.${name} for values from (${day * DAY_US}) to (${(day + 1) * DAY_US})`,
      )
    }
  }
}

/** All partitions, those that were left half removed too. */
export const listPartitions = async (queries: Queries): Promise<readonly Partition[]> => {
  const rows = await queries.unsafe<{ name: string; attached: boolean; leaving: boolean }[]>(
    `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as leaving
     from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_inherits i on i.inhrelid = c.oid
     where n.nspname = $1 and c.relkind = 'r'`,
    [SCHEMA],
  )
  return rows.flatMap(({ name, attached, leaving }) => {
    const [, table, date] = /^([a-z]+)_(\d{8})$/.exec(name) ?? []
    const daily = TABLES.find((known) => known === table)
    if (daily === undefined || date === undefined) return []
    const state = leaving ? ('leaving' as const) : attached ? ('attached' as const) : ('loose' as const)
    return [{ table: daily, name, day: toDay(date), state }]
  })
}

/**
 * Removes a partition with all its rows. Not in a transaction: it is first taken out beside those who read, then dropped, so
 * that nobody waits for anybody. One that was interrupted on its way is removed by the next try.
 */
export const removePartition = async (sql: Queries, { table, name, state }: Partition): Promise<void> => {
  if (state === 'attached')
    await sql.unsafe(`alter table ${SCHEMA}.${table} detach partition ${SCHEMA}.${name} concurrently`)
  if (state === 'leaving')
    await sql.unsafe(`alter table ${SCHEMA}.${table} detach partition ${SCHEMA}.${name} finalize`)
  await sql.unsafe(`drop table if exists ${SCHEMA}.${name}`)
}

/** `calls_20261122` */
export const partitionName = (table: DailyTable, day: number): string =>
  `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`

const toDay = (date: string): number =>
  Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6))) / DAY_MS
