import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { collections } from './collections.ts'
import { labels } from './labels.ts'
import { versionColumns, versionedColumns } from './workspace-objects.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** A prompt template of a workspace, by name; what it says is in its versions (behaviours 3.2). */
export const prompts = pgTable(
  'prompts',
  {
    ...versionedColumns(),
    /** Collection of the same workspace. */
    collectionId: uuid()
      .notNull()
      .references(() => collections.id),
    /** Number of the version that calls get which name none. */
    publishedVersion: integer().notNull().default(1),
  },
  (table) => [
    unique('prompts_workspace_slug').on(table.workspaceId, table.slug),
    index('prompts_collection').on(table.collectionId),
  ],
)

/**
 * What a prompt said at a time. Never changed: a change of the prompt adds one. Its objects are kept as `json`, which
 * unlike `jsonb` keeps the order of keys: to a model, the order of the properties of a tool means something.
 */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    ...versionColumns(),
    promptId: uuid()
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
    /** JSON text of messages, or plain text. */
    template: text().notNull(),
    /** Whether sections of the template may build messages and parts. */
    isRawTemplate: boolean().notNull().default(false),
    /** Model parameters; never `stream`. */
    parameters: json().$type<JsonObject>().notNull(),
    /** Slug of a stored provider of the workspace, without `@`. */
    virtualKey: text(),
    model: text(),
    functions: json().$type<readonly unknown[]>(),
    tools: json().$type<readonly unknown[]>(),
    toolChoice: json().$type<unknown>(),
    /** For whoever edits the prompt; no call reads it. */
    templateMetadata: json().$type<JsonObject>(),
    /** JSON Schema of the variables. */
    variablesSchema: json().$type<JsonObject>(),
    /** Whether a missing variable refuses the call. */
    strict: boolean().notNull().default(false),
    description: text(),
  },
  (table) => [unique('prompt_versions_number').on(table.promptId, table.number)],
)

/** Which version of a prompt a label names: one at a time. A version may carry several labels. */
export const promptLabels = pgTable(
  'prompt_labels',
  {
    promptId: uuid()
      .notNull()
      .references(() => prompts.id, { onDelete: 'cascade' }),
    labelId: uuid()
      .notNull()
      .references(() => labels.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    /** When it was put on this version. */
    setAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.promptId, table.labelId] }),
    foreignKey({
      name: 'prompt_labels_version',
      columns: [table.promptId, table.number],
      foreignColumns: [promptVersions.promptId, promptVersions.number],
    }).onDelete('cascade'),
    index('prompt_labels_label').on(table.labelId),
  ],
)
