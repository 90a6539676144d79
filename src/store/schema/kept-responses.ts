import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { organisations, workspaces } from './tenancy.ts'

/** Responses that calls asked to store, of providers that keep none. What was said is sealed; the rest is to find it again. */
export const keptResponses = pgTable(
  'kept_responses',
  {
    /** `resp_weir_…` */
    id: text().notNull(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Id of the first one of its conversation: its own where it goes on from none. */
    conversationId: text().notNull(),
    previousId: text(),
    /** Input and response as JSON, sealed. */
    sealed: text().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'kept_responses_key', columns: [table.workspaceId, table.id] }),
    index('kept_responses_conversation').on(table.workspaceId, table.conversationId),
    index('kept_responses_expiry').on(table.expiresAt),
  ],
)
