import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

/** A folder for the prompts of a workspace. */
export const collections = pgTable(
  'collections',
  {
    ...objectColumns(),
    /** Unique within the workspace; never changes. */
    slug: text().notNull(),
    name: text().notNull(),
    /** Null at the top; of the same workspace. */
    parentCollectionId: uuid().references((): AnyPgColumn => collections.id),
    /** Made by the gateway, for prompts that name no collection; cannot be deleted. */
    isDefault: boolean().notNull().default(false),
    ...rowTimes(),
  },
  (table) => [
    unique('collections_workspace_slug').on(table.workspaceId, table.slug),
    uniqueIndex('collections_workspace_default').on(table.workspaceId).where(sql`${table.isDefault}`),
    index('collections_parent').on(table.parentCollectionId),
  ],
)
