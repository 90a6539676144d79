import { sql } from 'drizzle-orm'
import type { Db } from '../../../src/store/types.ts'

/** Every row of every table, as text, by table. */
export const dumpTables = async (db: Db): Promise<ReadonlyMap<string, readonly string[]>> => {
  const tables = await db
    .select({ name: sql<string>`table_name::text` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public' and table_type = 'BASE TABLE'`)
  const dump = new Map<string, readonly string[]>()
  for (const { name } of tables) {
    const rows = await db.select({ row: sql<string>`to_jsonb(t)::text` }).from(sql`${sql.identifier(name)} as t`)
    dump.set(name, rows.map(({ row }) => row).toSorted())
  }
  return dump
}
