import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** An archived config serves no calls, and can be read and restored. */
export const CONFIG_STATUSES = ['active', 'archived'] as const

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
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** A config is a setting of its workspace, and goes with it. */
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** `pc-...`, unique within the workspace; never changes. */
    slug: text().notNull(),
    name: text().notNull(),
    status: text({ enum: CONFIG_STATUSES }).notNull().default('active'),
    /** For calls of the workspace that name no config. */
    isDefault: boolean().notNull().default(false),
    /** Number of the version in use: the highest. */
    version: integer().notNull().default(1),
    /** Id of the user or key that made it, or the subject of a token. */
    ownerId: text().notNull(),
    updatedBy: text().notNull(),
    ...rowTimes(),
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
    id: uuid().primaryKey(),
    configId: uuid()
      .notNull()
      .references(() => configs.id, { onDelete: 'cascade' }),
    /** From 1. */
    number: integer().notNull(),
    /** The config object, version 2.0, as it was written; each secret masked in its place. */
    config: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    secrets: jsonb().$type<readonly ConfigSecret[]>().notNull().default([]),
    ownerId: text().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
  },
  (table) => [unique('config_versions_number').on(table.configId, table.number)],
)
