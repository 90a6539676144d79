import { integrationModels, integrations, integrationWorkspaces } from '../schema/integrations.ts'
import type { RateLimit, UsageLimits } from '../schema/own-limits.ts'
import { providers } from '../schema/providers.ts'
import type { Db } from '../types.ts'

type ProviderRow = typeof providers.$inferSelect
type IntegrationRow = typeof integrations.$inferSelect
type ModelRow = typeof integrationModels.$inferSelect
type GrantRow = typeof integrationWorkspaces.$inferSelect

/** What is stored of one model of an integration; its secrets are sealed under the id of the integration. */
export type StoredModel = Readonly<Omit<ModelRow, 'integrationId' | 'masked' | 'createdAt' | 'lastUpdatedAt'>>

/** An integration as calls need it. All providers of it share one. */
export interface StoredIntegration
  extends Readonly<
    Pick<
      IntegrationRow,
      | 'id'
      | 'organisationId'
      | 'workspaceId'
      | 'slug'
      | 'name'
      | 'aiProviderId'
      | 'status'
      | 'configurations'
      | 'secrets'
      | 'secretMappings'
      | 'pricingAdjustments'
    >
  > {
  readonly models: {
    /** Whether a model may be used that is not in `bySlug`. */
    readonly allowAll: boolean
    readonly bySlug: ReadonlyMap<string, StoredModel>
  }
}

/** What `@slug` means in one workspace. */
export interface ProviderRecord
  extends Readonly<Pick<ProviderRow, 'id' | 'workspaceId' | 'slug' | 'name' | 'status' | 'expiresAt'>> {
  /** Its own budget. */
  readonly usageLimits: UsageLimits | null
  /** Budgets of the workspace at the integration. */
  readonly grantedUsageLimits: readonly UsageLimits[]
  /** Its own, or else those that the integration gives the workspace. */
  readonly rateLimits: readonly RateLimit[]
  /** Whose `rateLimits` those are. */
  readonly rateLimitsOwner: 'provider' | 'integration'
  /** False once the integration was taken away from the workspace. */
  readonly isGranted: boolean
  readonly integration: StoredIntegration
}

/** By workspace id, then by slug. */
export type ProviderRecords = ReadonlyMap<string, ReadonlyMap<string, ProviderRecord>>

/** Whether the integration serves the model: its own row decides, else `allowAll`. */
export const isModelAllowed = ({ models }: StoredIntegration, model: string): boolean =>
  models.bySlug.get(model)?.enabled ?? models.allowAll

/** Everything that is stored of providers. */
export const readStoredProviders = async (db: Db): Promise<ProviderRecords> =>
  assemble({
    providers: await db.select().from(providers),
    integrations: await db.select().from(integrations),
    models: await db.select().from(integrationModels),
    grants: await db.select().from(integrationWorkspaces),
  })

interface Rows {
  readonly providers: readonly ProviderRow[]
  readonly integrations: readonly IntegrationRow[]
  readonly models: readonly ModelRow[]
  readonly grants: readonly GrantRow[]
}

const assemble = (rows: Rows): ProviderRecords => {
  const models = Map.groupBy(rows.models, ({ integrationId }) => integrationId)
  const grants = new Map(rows.grants.map((grant) => [grantKey(grant.integrationId, grant.workspaceId), grant]))
  const byId = new Map(
    rows.integrations.map((row) => [row.id, { row, stored: toIntegration(row, models.get(row.id) ?? []) }]),
  )
  const workspaces = new Map<string, Map<string, ProviderRecord>>()
  for (const provider of rows.providers) {
    const integration = byId.get(provider.integrationId)
    if (integration === undefined) continue
    const grant = grants.get(grantKey(provider.integrationId, provider.workspaceId))
    const ofWorkspace = workspaces.get(provider.workspaceId) ?? new Map<string, ProviderRecord>()
    ofWorkspace.set(provider.slug, toProvider(provider, integration.row, integration.stored, grant))
    workspaces.set(provider.workspaceId, ofWorkspace)
  }
  return workspaces
}

const grantKey = (integrationId: string, workspaceId: string): string => `${integrationId} ${workspaceId}`

const toIntegration = (row: IntegrationRow, models: readonly ModelRow[]): StoredIntegration => ({
  id: row.id,
  organisationId: row.organisationId,
  workspaceId: row.workspaceId,
  slug: row.slug,
  name: row.name,
  aiProviderId: row.aiProviderId,
  status: row.status,
  configurations: row.configurations,
  secrets: row.secrets,
  secretMappings: row.secretMappings,
  pricingAdjustments: row.pricingAdjustments,
  models: { allowAll: row.allowAllModels, bySlug: new Map(models.map((model) => [model.slug, toModel(model)])) },
})

const toModel = ({ integrationId: _, masked: __, createdAt: ___, lastUpdatedAt: ____, ...model }: ModelRow) => model

const toProvider = (
  row: ProviderRow,
  integrationRow: IntegrationRow,
  integration: StoredIntegration,
  grant: GrantRow | undefined,
): ProviderRecord => {
  const access = grant ?? integrationRow.globalWorkspaceAccess
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    slug: row.slug,
    name: row.name,
    status: row.status,
    expiresAt: row.expiresAt,
    usageLimits: row.usageLimits,
    grantedUsageLimits: access?.usageLimits ?? [],
    rateLimits: row.rateLimits ?? access?.rateLimits ?? [],
    rateLimitsOwner: row.rateLimits === null ? 'integration' : 'provider',
    isGranted:
      integration.workspaceId === row.workspaceId || (integration.workspaceId === null && access?.enabled === true),
    integration,
  }
}
