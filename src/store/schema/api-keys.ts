import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
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

/** One rate limit of a key (contract 1.7). `value` 0 blocks every call. */
export interface KeyRateLimit {
  readonly type: 'requests' | 'tokens'
  readonly unit: 'rps' | 'rpm' | 'rph' | 'rpd' | 'rpw'
  readonly value: number
}

/** The budget of a key (contract 1.7): `creditLimit` and `alertThreshold` in US dollars or in tokens, by `type`. */
export interface KeyUsageLimits {
  readonly type: 'cost' | 'tokens'
  readonly creditLimit: number
  readonly alertThreshold?: number
  readonly periodicReset?: 'monthly' | 'weekly'
  /** 1 to 365; not together with `periodicReset`. */
  readonly periodicResetDays?: number
  /** ISO 8601. */
  readonly nextUsageResetAt?: string
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
    usageLimits: jsonb().$type<KeyUsageLimits>(),
    status: text({ enum: API_KEY_STATUSES }).notNull().default('active'),
    /** Set on keys that come from the environment; see `bootstrap`. */
    preset: text({ enum: PRESET_SLOTS }),
    expiresAt: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [
    index('api_keys_organisation').on(table.organisationId),
    index('api_keys_workspace').on(table.workspaceId),
    check('api_keys_workspace_of_kind', sql`(${table.kind} = 'organisation-service') = (${table.workspaceId} is null)`),
  ],
)
