import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import type { LogSettings } from '../../core/log-settings.ts'
import type { RateLimit, UsageLimits } from './own-limits.ts'

/** Settings a key or a workspace lends to requests that do not bring their own (contract 3.8, `defaults`). */
export interface RequestDefaults {
  /** Merged under the metadata of the request. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Id or slug of the config used when the request names none. */
  readonly configId?: string
  /** False: a request that brings its own config is refused. Absent means true. */
  readonly allowConfigOverride?: boolean
}

/** An archived workspace is kept for its history. */
export const WORKSPACE_STATUSES = ['active', 'archived'] as const

/** When a row was made and last changed; the second moves by itself on every update. Both by the database's clock. */
export const rowTimes = () => ({
  createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
  lastUpdatedAt: timestamp({ withTimezone: true })
    .notNull()
    .default(sql`now()`)
    .$onUpdateFn(() => sql`now()`),
})

/** Keys that people get without asking, as members of a workspace (contract 8, `user_api_key_config`). */
export interface UserKeyConfig {
  /** True: whoever becomes a member gets one. */
  readonly isAutomatic: boolean
  /** Absent: what their role may. */
  readonly scopes?: readonly string[]
}

export const organisations = pgTable('organisations', {
  /** UUIDv7, made by the gateway. */
  id: uuid().primaryKey(),
  name: text().notNull(),
  /** What is kept of calls, where its workspaces do not say. */
  logs: jsonb().$type<LogSettings>(),
  ...rowTimes(),
})

export const workspaces = pgTable(
  'workspaces',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    name: text().notNull(),
    /** `ws-...`, unique within the organisation. */
    slug: text().notNull(),
    description: text(),
    status: text({ enum: WORKSPACE_STATUSES }).notNull().default('active'),
    defaults: jsonb().$type<RequestDefaults>(),
    usageLimits: jsonb().$type<readonly UsageLimits[]>(),
    rateLimits: jsonb().$type<readonly RateLimit[]>(),
    /** What is kept of its calls. */
    logs: jsonb().$type<LogSettings>(),
    /** Null: nobody gets a key without asking. */
    userKeyConfig: jsonb().$type<UserKeyConfig>(),
    ...rowTimes(),
  },
  (table) => [
    unique('workspaces_organisation_slug').on(table.organisationId, table.slug),
    index('workspaces_slug').on(table.slug),
  ],
)
