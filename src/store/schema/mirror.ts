import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** In the database of a data plane: what the control plane called each part of a table when it was last told. */
export const mirrorParts = pgTable(
  'mirror_parts',
  {
    tableName: text().notNull(),
    part: text().notNull(),
    /** Made and understood by the control plane alone. */
    mark: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tableName, table.part] })],
)

/** In the database of a data plane, one row: whose configuration it holds, and since when. */
export const mirrorState = pgTable(
  'mirror_state',
  {
    id: boolean().primaryKey().default(true),
    instanceId: uuid().notNull(),
    organisationId: uuid(),
    deploymentId: uuid(),
    /** The tables that the marks were made for: with others, they mean nothing. */
    schemaMark: text(),
    /** When it last held all that the control plane has for it. Absent: never. */
    syncedAt: timestamp({ withTimezone: true }),
    /** Since when the control plane refuses its credentials. */
    refusedAt: timestamp({ withTimezone: true }),
  },
  (table) => [check('mirror_state_one_row', sql`${table.id}`)],
)
