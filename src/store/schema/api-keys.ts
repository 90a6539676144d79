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

/** How a key is rotated by itself (contract 3.8): by a period, by days, or once, at its `nextRotationAt`. */
export interface RotationPolicy {
  readonly rotationPeriod?: 'weekly' | 'monthly'
  /** 1 to 365. */
  readonly rotationPeriodDays?: number
  /** Where its periods are counted from: the making of the policy, or a rotation by hand. ISO 8601. */
  readonly anchorAt: string
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
    /** When it is due for a new secret; null: never by itself. */
    nextRotationAt: timestamp({ withTimezone: true }),
    /** The secret that it got by itself, sealed, until it is collected. */
    rotatedSecret: text(),
    /** While that waits: when its owner is reminded, and after that `previousExpiresAt`, when it is given up. */
    uncollectedCheckAt: timestamp({ withTimezone: true }),
    alertEmails: text().array(),
    creationMode: text({ enum: CREATION_MODES }).notNull().default('api'),
    ...rowTimes(),
  },
  (table) => [
    // With the order of lists, so that a page of a hundred thousand keys needs no sort of them all.
    index('api_keys_organisation_list').on(table.organisationId, table.createdAt, table.id),
    index('api_keys_workspace_list').on(table.workspaceId, table.createdAt, table.id),
    index('api_keys_user').on(table.userId).where(sql`${table.userId} is not null`),
    check('api_keys_workspace_of_kind', sql`(${table.kind} = 'organisation-service') = (${table.workspaceId} is null)`),
    check(
      'api_keys_previous_complete',
      sql`num_nonnulls(${table.previousPublicId}, ${table.previousHash}, ${table.previousExpiresAt}) in (0, 3)`,
    ),
    check(
      'api_keys_uncollected_complete',
      sql`num_nonnulls(${table.rotatedSecret}, ${table.uncollectedCheckAt}) in (0, 2)`,
    ),
    // Few keys rotate by themselves, and they are looked for every few seconds.
    index('api_keys_next_rotation').on(table.nextRotationAt).where(sql`${table.nextRotationAt} is not null`),
    index('api_keys_uncollected').on(table.uncollectedCheckAt).where(sql`${table.uncollectedCheckAt} is not null`),
  ],
)
