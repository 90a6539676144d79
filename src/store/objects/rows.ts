import { count, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../types.ts'

/** Which part of a list is wanted. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** One part of a list, in a stable order. */
export interface Paged<Row> {
  readonly rows: readonly Row[]
  /** Number of rows in all parts together. */
  readonly total: number
}

/** The id of a new row, for a caller that needs it before the row is stored. */
export const newId = (): string => Bun.randomUUIDv7()

/** The one row of an insert. */
export const only = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('The database returned no row for an insert.')
  return row
}

export const countRows = async (db: Db, table: PgTable, where: SQL | undefined): Promise<number> => {
  const [row] = await db.select({ total: count() }).from(table).where(where)
  return row?.total ?? 0
}

/** The time of the database, to the millisecond. Unlike `now()` not that of the start of the transaction. */
export const readClock = async (db: Db): Promise<Date> => {
  const [row] = await db
    .select({
      epochMs: sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text`,
    })
    .from(sql`(values (1)) as one`)
  return new Date(Number(row?.epochMs))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Postgres refuses to compare a uuid with a text that is none. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** The row whose id the reference is; it may look like the other name of another row. */
export const preferId = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  reference: string,
): Row | undefined => rows.find(({ id }) => id === reference.toLowerCase()) ?? rows[0]

/** A filter for rows whose column is what is wanted. */
export const equals =
  (column: PgColumn) =>
  (wanted: string): SQL =>
    eq(column, wanted)

/** Rows whose text holds the given one, in either case; nothing in it is a wildcard. */
export const contains = (column: PgColumn, part: string): SQL =>
  sql`position(lower(${part}::text) in lower(${column})) > 0`
