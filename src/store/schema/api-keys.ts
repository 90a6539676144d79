import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { KeyLogSettings } from '../../core/log-settings.ts'
import type { KeyRateLimit, UsageLimits } from './own-limits.ts'
import { organisations, type RequestDefaults, rowTimes, workspaces } from './tenancy.ts'

/** What a key may reach (contract 1.3). A key never changes its kind. */
export const API_KEY_KINDS = ['organisation-service', 'workspace-service', 'workspace-user'] as const
export type ApiKeyKind = (typeof API_KEY_KINDS)[number]

/** `revoked` keys are as good as unknown; the other three are what the management routes show. */
export const API_KEY_STATUSES = ['active', 'exhausted', 'expired', 'revoked'] as const
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number]

/** Which environment variable a key was preset by. */
export const PRESET_SLOTS = ['admin', 'api'] as const
export type PresetSlot = (typeof PRESET_SLOTS)[number]

/** Who asked for a key: a person at a screen, a call of the management interface, or the gateway itself. */
export const CREATION_MODES = ['ui', 'api', 'auto'] as const

/** How a key is to be rotated by itself (contract 3.8): by a period, by days, or at a time. */
export interface RotationPolicy {
  readonly rotationPeriod?: 'weekly' | 'monthly'
  /** 1 to 365. */
  readonly rotationPeriodDays?: number
  /** ISO 8601. */
  readonly nextRotationAt?: string
  /** How long the old secret goes on working after a rotation; at least 1,800,000. */
  readonly keyTransitionPeriodMs?: number
}

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    /** Not secret: finds the row of a key before the hash is compared. */
    publicId: text().notNull().unique('api_keys_public_id'),
    /** SHA-256 of the whole key, hex. The key itself is never stored. */
    hash: text().notNull(),
    /** What lists show: first and last three characters. */
    maskedKey: text().notNull(),
    name: text().notNull(),
    description: text(),
    kind: text({ enum: API_KEY_KINDS }).notNull(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    workspaceId: uuid().references(() => workspaces.id),
    userId: uuid(),
    scopes: text().array().notNull(),
    defaults: jsonb().$type<RequestDefaults>(),
    rateLimits: jsonb().$type<readonly KeyRateLimit[]>(),
    usageLimits: jsonb().$type<UsageLimits>(),
    /** What is kept of its calls. */
    logs: jsonb().$type<KeyLogSettings>(),
    status: text({ enum: API_KEY_STATUSES }).notNull().default('active'),
    /** Set on keys that come from the environment; see `bootstrap`. */
    preset: text({ enum: PRESET_SLOTS }),
    expiresAt: timestamp({ withTimezone: true }),
    /** The secret before the last rotation, which works until `previousExpiresAt`: all three are set, or none. */
    previousPublicId: text().unique('api_keys_previous_public_id'),
    previousHash: text(),
    previousExpiresAt: timestamp({ withTimezone: true }),
    rotationPolicy: jsonb().$type<RotationPolicy>(),
    alertEmails: text().array(),
    creationMode: text({ enum: CREATION_MODES }).notNull().default('api'),
    ...rowTimes(),
  },
  (table) => [
    // With the order of lists, so that a page of a hundred thousand keys needs no sort of them all.
    index('api_keys_organisation_list').on(table.organisationId, table.createdAt, table.id),
    index('api_keys_workspace_list').on(table.workspaceId, table.createdAt, table.id),
    check('api_keys_workspace_of_kind', sql`(${table.kind} = 'organisation-service') = (${table.workspaceId} is null)`),
    check(
      'api_keys_previous_complete',
      sql`num_nonnulls(${table.previousPublicId}, ${table.previousHash}, ${table.previousExpiresAt}) in (0, 3)`,
    ),
  ],
)
