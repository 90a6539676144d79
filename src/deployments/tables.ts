import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../store/types.ts'

/** Whose rows are meant. */
export interface MirrorScope {
  readonly organisationId: string
  readonly deploymentId: string
}

/** A table of which a data plane has the rows that its deployment is allowed, as `t`. */
export interface MirroredTable {
  readonly name: string
  /** Columns of its primary key. */
  readonly key: readonly string[]
  /** A column that moves with every change of a row, besides the transaction that wrote it. Absent: the row itself is looked at. */
  readonly changedAt?: 'last_updated_at' | 'created_at' | 'set_at'
  /** Other tables that say which rows of this one are meant. */
  readonly follows?: readonly string[]
  /** Columns that stay where they are. */
  readonly hidden?: readonly string[]
  readonly where: (scope: MirrorScope) => SQL
}

/** Tables that say which workspaces a deployment is allowed: what they change may concern all others. */
export const SCOPE_TABLES: readonly string[] = ['deployments', 'deployment_workspaces', 'workspaces']

/** Ids of the workspaces that a deployment is allowed. */
const allowed = ({ organisationId, deploymentId }: MirrorScope): SQL => sql`(
  select w.id from workspaces w where w.organisation_id = ${organisationId} and (
    exists (select 1 from deployments d where d.id = ${deploymentId} and d.allow_all_workspaces)
    or w.id in (select dw.workspace_id from deployment_workspaces dw where dw.deployment_id = ${deploymentId})
  ))`

/** As `allowed`, for whoever has to know them. */
export const allowedWorkspaceIds = async (db: Db, scope: MirrorScope): Promise<ReadonlySet<string>> => {
  const rows = await db
    .select({ id: sql<string>`t.id::text` })
    .from(sql`workspaces t`)
    .where(sql`t.id in ${allowed(scope)}`)
  return new Set(rows.map(({ id }) => id))
}

/** Integrations of which an allowed workspace has a provider: nobody else can call them. */
const integrationsInUse = (scope: MirrorScope): SQL =>
  sql`(select p.integration_id from providers p where p.workspace_id in ${allowed(scope)})`

/** Likewise, of which an allowed workspace has an MCP server. */
const mcpIntegrationsInUse = (scope: MirrorScope): SQL =>
  sql`(select m.integration_id from mcp_servers m where m.workspace_id in ${allowed(scope)})`

const inWorkspace = (scope: MirrorScope): SQL => sql`t.workspace_id in ${allowed(scope)}`

/** Rows of an object that is in an allowed workspace. */
const partsOf =
  (table: string, column: string) =>
  (scope: MirrorScope): SQL =>
    sql`t.${sql.identifier(column)} in (select o.id from ${sql.identifier(table)} o where o.workspace_id in ${allowed(scope)})`

/** Guardrails of allowed workspaces, and those of the organisation. */
const guardrailOf = (alias: string, scope: MirrorScope): SQL => {
  const [organisation, workspace] = ['organisation_id', 'workspace_id'].map((column) => sql.raw(`${alias}.${column}`))
  return sql`${organisation} = ${scope.organisationId} and (${workspace} is null or ${workspace} in ${allowed(scope)})`
}
const partsOfGuardrail = (scope: MirrorScope): SQL =>
  sql`t.guardrail_id in (select g.id from guardrails g where ${guardrailOf('g', scope)})`

/** References to secrets that all workspaces may use, or one of those that are allowed. */
const referenceOf = (scope: MirrorScope): SQL =>
  sql`t.organisation_id = ${scope.organisationId} and (t.allow_all_workspaces or t.id in (
    select srw.secret_reference_id from secret_reference_workspaces srw where srw.workspace_id in ${allowed(scope)}
  ))`

const ofWorkspace = (name: string): MirroredTable => ({
  name,
  key: ['id'],
  changedAt: 'last_updated_at',
  where: inWorkspace,
})
const versionsOf = (name: string, object: string, column: string): MirroredTable => ({
  name,
  key: ['id'],
  changedAt: 'created_at',
  follows: [object],
  where: partsOf(object, column),
})

/** The one whose rows are sealed for whoever holds them. */
export const DATA_KEYS = 'data_keys'

/**
 * What a data plane has, those that others refer to first. Keys of the organisation are not among it: they manage, and a
 * data plane is not managed.
 */
export const MIRRORED_TABLES: readonly MirroredTable[] = [
  {
    name: 'organisations',
    key: ['id'],
    changedAt: 'last_updated_at',
    where: ({ organisationId }) => sql`t.id = ${organisationId}`,
  },
  {
    name: DATA_KEYS,
    key: ['id'],
    // Wrapped anew by another master key it is still the same.
    changedAt: 'created_at',
    hidden: ['wrapped', 'master_key_id'],
    where: ({ organisationId }) => sql`t.organisation_id = ${organisationId}`,
  },
  {
    name: 'workspaces',
    key: ['id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`t.id in ${allowed(scope)}`,
  },
  {
    name: 'integrations',
    follows: ['providers'],
    key: ['id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`t.organisation_id = ${scope.organisationId} and t.id in ${integrationsInUse(scope)}`,
  },
  {
    name: 'integration_models',
    follows: ['providers'],
    key: ['integration_id', 'slug'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`t.integration_id in ${integrationsInUse(scope)}`,
  },
  {
    name: 'integration_workspaces',
    follows: ['providers'],
    key: ['integration_id', 'workspace_id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`${inWorkspace(scope)} and t.integration_id in ${integrationsInUse(scope)}`,
  },
  {
    name: 'secret_references',
    key: ['id'],
    changedAt: 'last_updated_at',
    follows: ['secret_reference_workspaces'],
    where: referenceOf,
  },
  {
    name: 'secret_reference_workspaces',
    key: ['secret_reference_id', 'workspace_id'],
    where: inWorkspace,
  },
  ofWorkspace('providers'),
  ofWorkspace('configs'),
  versionsOf('config_versions', 'configs', 'config_id'),
  {
    name: 'guardrails',
    key: ['id'],
    changedAt: 'last_updated_at',
    where: (scope) => guardrailOf('t', scope),
  },
  {
    name: 'guardrail_versions',
    key: ['id'],
    changedAt: 'created_at',
    follows: ['guardrails'],
    where: partsOfGuardrail,
  },
  {
    name: 'guardrail_mcp_servers',
    key: ['id'],
    changedAt: 'last_updated_at',
    follows: ['guardrails'],
    where: partsOfGuardrail,
  },
  { name: 'guardrail_defaults', key: ['id'], where: (scope) => guardrailOf('t', scope) },
  { name: 'guardrail_exclusions', key: ['workspace_id', 'stage'], where: inWorkspace },
  ofWorkspace('collections'),
  ofWorkspace('prompts'),
  versionsOf('prompt_versions', 'prompts', 'prompt_id'),
  ofWorkspace('labels'),
  {
    name: 'prompt_labels',
    follows: ['prompts'],
    key: ['prompt_id', 'label_id'],
    changedAt: 'set_at',
    where: partsOf('prompts', 'prompt_id'),
  },
  ofWorkspace('prompt_partials'),
  versionsOf('prompt_partial_versions', 'prompt_partials', 'partial_id'),
  {
    name: 'mcp_integrations',
    follows: ['mcp_servers'],
    key: ['id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`t.organisation_id = ${scope.organisationId} and t.id in ${mcpIntegrationsInUse(scope)}`,
  },
  {
    name: 'mcp_integration_workspaces',
    follows: ['mcp_servers'],
    key: ['integration_id', 'workspace_id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`${inWorkspace(scope)} and t.integration_id in ${mcpIntegrationsInUse(scope)}`,
  },
  {
    name: 'mcp_capabilities',
    follows: ['mcp_servers'],
    key: ['id'],
    changedAt: 'last_updated_at',
    where: (scope) => sql`t.integration_id in ${mcpIntegrationsInUse(scope)}`,
  },
  ofWorkspace('mcp_servers'),
  {
    name: 'mcp_server_capabilities',
    follows: ['mcp_servers'],
    key: ['server_id', 'capability_id'],
    changedAt: 'last_updated_at',
    where: partsOf('mcp_servers', 'server_id'),
  },
  {
    name: 'mcp_user_access',
    follows: ['mcp_servers'],
    key: ['server_id', 'user_id'],
    changedAt: 'last_updated_at',
    where: partsOf('mcp_servers', 'server_id'),
  },
  {
    name: 'signing_keys',
    key: ['id'],
    changedAt: 'last_updated_at',
    where: ({ organisationId }) => sql`t.organisation_id = ${organisationId}`,
  },
  ofWorkspace('rate_limit_policies'),
  ofWorkspace('usage_limit_policies'),
  // Last of all: whoever has one of them can call what stands above.
  {
    name: 'api_keys',
    key: ['id'],
    changedAt: 'last_updated_at',
    hidden: ['rotated_secret', 'uncollected_check_at'],
    where: (scope) => sql`${inWorkspace(scope)} and t.status <> 'revoked'`,
  },
]

/** Tables that every gateway has for itself, and why a data plane gets nothing of them. */
export const OWN_TABLES: Readonly<Record<string, string>> = {
  alerts: 'raised where budgets are counted for all',
  alert_deliveries: 'as alerts',
  alert_webhooks: 'as alerts',
  app_grants: 'people sign in at the control plane',
  audit_log: 'changes are made at the control plane',
  deployment_instances: 'of the control plane',
  deployment_workspaces: 'of the control plane',
  deployments: 'of the control plane',
  invites: 'people sign in at the control plane',
  kept_responses: 'made here',
  log_exports: 'records are at the control plane',
  mcp_connections: 'people agree at the control plane',
  mcp_oauth_clients: 'as mcp_connections',
  mirror_parts: 'about the mirror',
  mirror_state: 'about the mirror',
  own_batch_lines: 'made here',
  own_batches: 'made here',
  own_files: 'made here',
  scim_group_members: 'people sign in at the control plane',
  scim_groups: 'people sign in at the control plane',
  scim_workspaces: 'people sign in at the control plane',
  secret_canary: 'of the own master key',
  sessions: 'people sign in at the control plane',
  stored_files: 'records are at the control plane',
  user_identities: 'people sign in at the control plane',
  users: 'people sign in at the control plane; their keys say who they are',
  weir_migrations: 'of the own schema',
  workspace_members: 'people sign in at the control plane',
}
