import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Tags } from './integrations.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

export const DEPLOYMENT_TYPES = ['production', 'non_production'] as const
export const DEPLOYMENT_STATUSES = ['active', 'archived'] as const

/** What is said of a deployment beside the workspaces that it is allowed, by the field names of the contract. */
export interface DeploymentSettings {
  readonly gateway_base_url?: string
  readonly mcp_gateway_base_url?: string
  readonly is_dataservice_hosted?: 0 | 1
  readonly is_playground_proxy_allowed?: 0 | 1
  readonly jwt_subs_allowed?: readonly string[]
  readonly jwt_sub_workspace_mapping?: Readonly<Record<string, string>>
}

/** A data plane: another Weir that gets its configuration from this one (contract 3.9). One that is archived gets nothing. */
export const deployments = pgTable(
  'deployments',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Unique within the organisation; never changes. */
    slug: text().notNull(),
    name: text().notNull(),
    type: text({ enum: DEPLOYMENT_TYPES }).notNull().default('production'),
    status: text({ enum: DEPLOYMENT_STATUSES }).notNull().default('active'),
    isDefault: boolean().notNull().default(false),
    /** Whatever the operator wants to keep with it. */
    deploymentConfig: jsonb().$type<Readonly<Record<string, unknown>>>(),
    settings: jsonb().$type<DeploymentSettings>().notNull().default({}),
    /** Every workspace of the organisation, later ones too; else those of `deployment_workspaces`. */
    allowAllWorkspaces: boolean().notNull().default(false),
    tags: jsonb().$type<Tags>(),
    /** First half of its credentials: not secret. */
    username: text().notNull().unique('deployments_username'),
    /** SHA-256 of the other half, hex. That carries 256 random bits, so no slow hash is needed. */
    passwordHash: text().notNull(),
    /** What people may see of the secrets. */
    masked: jsonb().$type<{ readonly password: string; readonly clientAuth: string }>().notNull(),
    /** Id of the user or key that made it, or the subject of a token. */
    createdBy: text().notNull(),
    ...rowTimes(),
  },
  (table) => [
    unique('deployments_organisation_slug').on(table.organisationId, table.slug),
    uniqueIndex('deployments_organisation_default').on(table.organisationId).where(sql`${table.isDefault}`),
    check('deployments_default_is_active', sql`not ${table.isDefault} or ${table.status} = 'active'`),
  ],
)

const ofDeployment = () =>
  uuid()
    .notNull()
    .references(() => deployments.id, { onDelete: 'cascade' })

/** Workspaces whose configuration a deployment gets. */
export const deploymentWorkspaces = pgTable(
  'deployment_workspaces',
  {
    deploymentId: ofDeployment(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.deploymentId, table.workspaceId] }),
    index('deployment_workspaces_workspace').on(table.workspaceId),
  ],
)

/** A process of a deployment that was connected. Written often, so nothing is announced of it. */
export const deploymentInstances = pgTable(
  'deployment_instances',
  {
    deploymentId: ofDeployment(),
    /** Of its data folder. */
    instanceId: uuid().notNull(),
    version: text().notNull(),
    connectedAt: timestamp({ withTimezone: true }).notNull(),
    /** When it was last known to listen. */
    seenAt: timestamp({ withTimezone: true }).notNull(),
    /** When it last had all that it is to have. */
    syncedAt: timestamp({ withTimezone: true }),
    /** When it last began with nothing. */
    resyncedAt: timestamp({ withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.deploymentId, table.instanceId] })],
)
