import { sql } from 'drizzle-orm'
import { integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { PROMPT_STATUSES } from './prompts.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** A piece of text that the templates of a workspace share by name: `{{>slug}}` (behaviours 3.1). */
export const promptPartials = pgTable(
  'prompt_partials',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** A partial is a setting of its workspace, and goes with it. */
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Unique within the workspace; never changes. */
    slug: text().notNull(),
    name: text().notNull(),
    status: text({ enum: PROMPT_STATUSES }).notNull().default('active'),
    /** Number of the newest version. */
    version: integer().notNull().default(1),
    /** Number of the version that templates get which name none. */
    publishedVersion: integer().notNull().default(1),
    /** Id of the user or key that made it, or the subject of a token. */
    ownerId: text().notNull(),
    updatedBy: text().notNull(),
    ...rowTimes(),
  },
  (table) => [unique('prompt_partials_workspace_slug').on(table.workspaceId, table.slug)],
)

/** What a partial said at a time. Never changed: a change of the partial adds one. */
export const promptPartialVersions = pgTable(
  'prompt_partial_versions',
  {
    id: uuid().primaryKey(),
    partialId: uuid()
      .notNull()
      .references(() => promptPartials.id, { onDelete: 'cascade' }),
    /** From 1. */
    number: integer().notNull(),
    /** As saved. */
    template: text().notNull(),
    description: text(),
    ownerId: text().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
  },
  (table) => [unique('prompt_partial_versions_number').on(table.partialId, table.number)],
)
