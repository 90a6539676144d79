import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { organisations } from './tenancy.ts'

const createdAt = () => timestamp({ withTimezone: true }).notNull().default(sql`now()`)

/** The keys that seal the secrets of an organisation, each wrapped by the master key, which the database never sees. */
export const dataKeys = pgTable(
  'data_keys',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** From 1; the highest seals, all open. */
    version: integer().notNull(),
    wrapped: text().notNull(),
    /** Tells master keys apart without telling what they are. */
    masterKeyId: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique('data_keys_organisation_version').on(table.organisationId, table.version)],
)

/** One row: a known text under the master key, by which a wrong one is noticed at the start. */
export const secretCanary = pgTable(
  'secret_canary',
  {
    id: boolean().primaryKey().default(true),
    sealed: text().notNull(),
    masterKeyId: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [check('secret_canary_one_row', sql`${table.id}`)],
)
