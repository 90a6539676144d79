import { boolean, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

/** A word that calls may name a version of a prompt by: `pp-...@production` (behaviours 3.2). */
export const labels = pgTable(
  'labels',
  {
    ...objectColumns(),
    /** Letters, digits, `_` and `-`; unique within the workspace. */
    name: text().notNull(),
    description: text(),
    colorCode: text(),
    /** Every workspace has it from its start; can neither be renamed nor deleted. */
    isUniversal: boolean().notNull().default(false),
    ...rowTimes(),
  },
  (table) => [unique('labels_workspace_name').on(table.workspaceId, table.name)],
)
