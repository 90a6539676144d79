import { sql } from 'drizzle-orm'
import { boolean, check, jsonb, pgTable, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { versionColumns, versionedColumns } from './workspace-objects.ts'

/** A secret of a config, kept apart from it. */
export interface ConfigSecret {
  /** Where it stands: `targets[0].api_key`. */
  readonly path: string
  /** What it is sealed under, so that it can move to another place of a later version. */
  readonly field: string
  /** See `src/secrets`. */
  readonly sealed: string
}

/** A config object of a workspace, by name: which targets calls go to, and how (contract 3.1). */
export const configs = pgTable(
  'configs',
  {
    ...versionedColumns(),
    /** For calls of the workspace that name no config. */
    isDefault: boolean().notNull().default(false),
  },
  (table) => [
    unique('configs_workspace_slug').on(table.workspaceId, table.slug),
    uniqueIndex('configs_workspace_default').on(table.workspaceId).where(sql`${table.isDefault}`),
    check('configs_default_is_active', sql`not ${table.isDefault} or ${table.status} = 'active'`),
  ],
)

/** What a config said at a time. Never changed: a change of the config adds one. */
export const configVersions = pgTable(
  'config_versions',
  {
    ...versionColumns(),
    configId: uuid()
      .notNull()
      .references(() => configs.id, { onDelete: 'cascade' }),
    /** The config object, version 2.0, as it was written; each secret masked in its place. */
    config: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    secrets: jsonb().$type<readonly ConfigSecret[]>().notNull().default([]),
  },
  (table) => [unique('config_versions_number').on(table.configId, table.number)],
)
