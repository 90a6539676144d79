import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { versionColumns, versionedColumns } from './workspace-objects.ts'

/** A piece of text that the templates of a workspace share by name: `{{>slug}}` (behaviours 3.1). */
export const promptPartials = pgTable(
  'prompt_partials',
  {
    ...versionedColumns(),
    /** Number of the version that templates get which name none. */
    publishedVersion: integer().notNull().default(1),
  },
  (table) => [unique('prompt_partials_workspace_slug').on(table.workspaceId, table.slug)],
)

/** What a partial said at a time. Never changed: a change of the partial adds one. */
export const promptPartialVersions = pgTable(
  'prompt_partial_versions',
  {
    ...versionColumns(),
    partialId: uuid()
      .notNull()
      .references(() => promptPartials.id, { onDelete: 'cascade' }),
    template: text().notNull(),
    description: text(),
  },
  (table) => [unique('prompt_partial_versions_number').on(table.partialId, table.number)],
)
