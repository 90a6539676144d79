import { sql } from 'drizzle-orm'
import type { Db } from '../types.ts'

/**
 * A number that grows with every change of what gateways keep in memory, the same for all gateways on one database. It
 * may grow before the change is committed, and for one that is undone.
 */
export const readChangeCount = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ count: sql<string>`case when is_called then last_value else 0 end` })
    .from(sql`"public"."weir_changes"`)
  return Number(row?.count ?? 0)
}
