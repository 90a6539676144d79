import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../src/store/types.ts'

const namesOfTables = async (db: Db): Promise<readonly string[]> => {
  const tables = await db
    .select({ name: sql<string>`table_name::text` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public' and table_type = 'BASE TABLE'`)
  return tables.map(({ name }) => name)
}

/** Every row of every table, as text, by table. */
export const dumpTables = async (db: Db): Promise<ReadonlyMap<string, readonly string[]>> => {
  const dump = new Map<string, readonly string[]>()
  for (const name of await namesOfTables(db)) {
    const rows = await db.select({ row: sql<string>`to_jsonb(t)::text` }).from(sql`${sql.identifier(name)} as t`)
    dump.set(name, rows.map(({ row }) => row).toSorted())
  }
  return dump
}

/** The hash of all rows of a table, by table: to see that nothing changed, as often as one likes. */
export const hashTables = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const parts = (await namesOfTables(db)).map(
    (name): SQL =>
      sql`select ${name}::text as name, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as hash from ${sql.identifier(name)} as t`,
  )
  const hashed = await db
    .select({ name: sql<string>`name`, hash: sql<string>`hash` })
    .from(sql`(${sql.join(parts, sql` union all `)}) as hashes`)
  return new Map(hashed.map(({ name, hash }) => [name, hash]))
}
