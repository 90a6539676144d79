import { boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { RateLimit, UsageLimits } from './own-limits.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** An archived integration serves no calls. */
export const INTEGRATION_STATUSES = ['active', 'archived'] as const

/** Settings without a secret in them, by the field name of the contract. */
export type Configurations = Readonly<Record<string, unknown>>
/** Sealed secrets (see `src/secrets`) by field: `key`, `configurations.aws_secret_access_key`. */
export type SealedFields = Readonly<Record<string, string>>
/** What people may see of the secrets, under the same field names. */
export type MaskedFields = Readonly<Record<string, string>>

/** Takes the value of a field from a secret kept elsewhere (contract 1.7). */
export interface SecretMapping {
  /** `key` or `configurations.<field>`. */
  readonly targetField: string
  /** Id or slug. */
  readonly secretReferenceId: string
  readonly secretKey?: string
  readonly valueFormat?: 'json' | 'string'
}

/** Factors on the public price, by kind of token (contract 1.7): 0.8 is 20 % off. */
export interface PricingAdjustments {
  readonly multiplier?: Readonly<Record<string, unknown>>
}

/** What workspaces get that have no row of their own in `integration_workspaces`, later ones too. */
export interface GlobalWorkspaceAccess {
  readonly enabled: boolean
  readonly usageLimits?: readonly UsageLimits[]
  readonly rateLimits?: readonly RateLimit[]
  /** A workspace gets a provider of the integration together with its access. */
  readonly createDefaultProvider?: boolean
  /** Slug of that provider, if not that of the integration. */
  readonly defaultProviderSlug?: string
}

/** What the operator files an integration under: free names and values. */
export type Tags = Readonly<Record<string, string | number | boolean>>

/** One account at a provider of models: its credential and settings (contract 3.3). */
export const integrations = pgTable(
  'integrations',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Set on one that belongs to a single workspace. */
    workspaceId: uuid().references(() => workspaces.id),
    /** Unique within the organisation. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text(),
    tags: jsonb().$type<Tags>(),
    /** Id of a provider plugin: `openai`. */
    aiProviderId: text().notNull(),
    status: text({ enum: INTEGRATION_STATUSES }).notNull().default('active'),
    configurations: jsonb().$type<Configurations>().notNull().default({}),
    secrets: jsonb().$type<SealedFields>().notNull().default({}),
    masked: jsonb().$type<MaskedFields>().notNull().default({}),
    secretMappings: jsonb().$type<readonly SecretMapping[]>(),
    pricingAdjustments: jsonb().$type<PricingAdjustments>(),
    /** False: only the models that are listed and enabled. */
    allowAllModels: boolean().notNull().default(true),
    globalWorkspaceAccess: jsonb().$type<GlobalWorkspaceAccess>(),
    ...rowTimes(),
  },
  (table) => [
    unique('integrations_organisation_slug').on(table.organisationId, table.slug),
    index('integrations_workspace').on(table.workspaceId),
  ],
)

const ofIntegration = () =>
  uuid()
    .notNull()
    .references(() => integrations.id, { onDelete: 'cascade' })

/** What is known of a model at one integration: whether it may be used, and what differs from the public one. */
export const integrationModels = pgTable(
  'integration_models',
  {
    integrationId: ofIntegration(),
    slug: text().notNull(),
    enabled: boolean().notNull(),
    /** Known here only, not part of the provider's public list. */
    isCustom: boolean().notNull().default(false),
    isFinetune: boolean().notNull().default(false),
    baseModelSlug: text(),
    configurations: jsonb().$type<Configurations>().notNull().default({}),
    secrets: jsonb().$type<SealedFields>().notNull().default({}),
    masked: jsonb().$type<MaskedFields>().notNull().default({}),
    /** Prices in the form of the interface: `{type: 'static', pay_as_you_go: {...}}`. */
    pricingConfig: jsonb().$type<Readonly<Record<string, unknown>>>(),
    ...rowTimes(),
  },
  (table) => [primaryKey({ columns: [table.integrationId, table.slug] })],
)

/** Whether a workspace may use an integration, and how much. */
export const integrationWorkspaces = pgTable(
  'integration_workspaces',
  {
    integrationId: ofIntegration(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    enabled: boolean().notNull(),
    usageLimits: jsonb().$type<readonly UsageLimits[]>(),
    rateLimits: jsonb().$type<readonly RateLimit[]>(),
    ...rowTimes(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.workspaceId] }),
    index('integration_workspaces_workspace').on(table.workspaceId),
  ],
)
