import { type SQL, sql } from 'drizzle-orm'
import { MIGRATIONS } from '../../store/migration-index.ts'
import type { Db } from '../../store/types.ts'
import { DATA_KEYS, type MirroredTable, type MirrorScope } from '../tables.ts'

/** Marks of the parts of a table, by part. */
export type Marks = ReadonlyMap<string, string>

/** The tables of this version: with others, every mark is another. */
const SCHEMA = Bun.CryptoHasher.hash('sha256', MIGRATIONS.map(({ name }) => name).join(), 'hex').slice(0, 16)

const keyOf = ({ key }: MirroredTable): SQL =>
  sql.join(
    key.map((column) => sql`t.${sql.identifier(column)}::text`),
    sql` || '/' || `,
  )

const partOf = (table: MirroredTable): SQL => sql`left(md5(${keyOf(table)}), 2)`

/**
 * Tells a row from what it was before. The transaction that wrote it moves with every change, whoever made it, and is
 * cheaper than a look at all of its columns; the time beside it tells two rows apart that a restore gave the same one.
 */
const versionOf = ({ name, changedAt }: MirroredTable): SQL => {
  if (changedAt === undefined) return sql`md5(t::text)`
  const time = sql`extract(epoch from t.${sql.identifier(changedAt)})`
  return name === DATA_KEYS ? sql`t.version || ':' || ${time}` : sql`t.xmin::text || ':' || ${time}`
}

/** The marks of all parts of a table in which a deployment has rows. @param schema of the data plane */
export const readMarks = async (db: Db, table: MirroredTable, scope: MirrorScope, schema: string): Promise<Marks> => {
  const key = keyOf(table)
  const part = sql<string>`${partOf(table)}`.as('part')
  const row = sql`${key} || ':' || ${versionOf(table)}`
  const rows = await db
    .select({
      part,
      mark: sql<string>`md5(${`${SCHEMA} ${schema} `}::text || string_agg(${row}, ',' order by ${key}))`,
    })
    .from(sql`${sql.identifier(table.name)} t`)
    .where(table.where(scope))
    .groupBy(sql`1`)
  return new Map(rows.map((found) => [found.part, found.mark]))
}

/** The rows of some parts of a table, as the JSON of the database, by part. */
export const readParts = async (
  db: Db,
  table: MirroredTable,
  scope: MirrorScope,
  parts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { name, hidden = [] } = table
  // Without hidden columns as `json`, which keeps the order of keys as it was written.
  const json =
    hidden.length === 0
      ? sql<string>`row_to_json(t)::text`
      : sql<string>`(to_jsonb(t) - ${sql`array[${sql.join(
          hidden.map((column) => sql`${column}::text`),
          sql`, `,
        )}]`})::text`
  const part = partOf(table)
  const wanted = sql`array[${sql.join(
    parts.map((each) => sql`${each}::text`),
    sql`, `,
  )}]`
  const rows = await db
    .select({ part: sql<string>`${part}`, json })
    .from(sql`${sql.identifier(name)} t`)
    .where(sql`${table.where(scope)} and ${part} = any(${wanted})`)
  const grouped = Map.groupBy(rows, (row) => row.part)
  return new Map(parts.map((each) => [each, (grouped.get(each) ?? []).map((row) => row.json)]))
}
