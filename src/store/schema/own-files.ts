import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { organisations, workspaces } from './tenancy.ts'

/** Files that Weir keeps for workspaces. What is in them lies elsewhere, sealed. */
export const ownFiles = pgTable(
  'own_files',
  {
    /** `file-weir-…` */
    id: text().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    filename: text().notNull(),
    purpose: text().notNull(),
    contentType: text(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Of the content, in hexadecimal letters. */
    sha256: text().notNull(),
    /** Version of the data key that seals it. */
    keyVersion: integer().notNull(),
    /** Gateway key that it was sent with. */
    apiKeyId: text(),
    createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    /** It is removed then. */
    expiresAt: timestamp({ withTimezone: true }),
  },
  (table) => [
    index('own_files_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('own_files_expiry').on(table.expiresAt),
  ],
)
