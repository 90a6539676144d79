import type { Static } from '@sinclair/typebox'
import type { IntegrationModel } from '../../store/integration-models.ts'
import type { IntegrationWorkspace } from '../../store/integration-workspaces.ts'
import type { Integration } from '../../store/integrations.ts'
import type {
  GlobalWorkspaceAccess as StoredAccess,
  SecretMapping as StoredMapping,
} from '../../store/schema/integrations.ts'
import { fromUsageLimits, toUsageLimits } from '../limits.ts'
import type { GlobalWorkspaceAccess, WorkspacesChangeBody } from './model.ts'
import type { SecretMapping } from './secret-mappings.ts'

export const toSummary = (integration: Integration) => ({
  id: integration.id,
  organisation_id: integration.organisationId,
  workspace_id: integration.workspaceId,
  ai_provider_id: integration.aiProviderId,
  name: integration.name,
  status: integration.status,
  created_at: integration.createdAt.toISOString(),
  last_updated_at: integration.lastUpdatedAt.toISOString(),
  slug: integration.slug,
  description: integration.description,
  tags: integration.tags,
  object: 'integration' as const,
})

/** The whole integration, its secrets masked: what the item route answers and the audit log keeps. */
export const toDetail = (integration: Integration, workspaceCount: number) => ({
  ...toSummary(integration),
  masked_key: integration.masked.key ?? null,
  configurations: toShownConfigurations(integration),
  global_workspace_access_settings:
    integration.globalWorkspaceAccess === null ? null : fromAccess(integration.globalWorkspaceAccess),
  allow_all_models: integration.allowAllModels,
  workspace_count: workspaceCount,
  secret_mappings: (integration.secretMappings ?? []).map(fromMapping),
  pricing_adjustments: integration.pricingAdjustments,
})

/** Plain fields as they are, secret ones as `masked_<field>`. */
const toShownConfigurations = ({
  configurations,
  masked,
}: Pick<Integration, 'configurations' | 'masked'>): Record<string, unknown> => {
  const shown: Record<string, unknown> = { ...configurations }
  for (const [name, text] of Object.entries(masked)) {
    const field = name.replace(/^configurations\./, '')
    if (field !== name) shown[`masked_${field}`] = text
  }
  return shown
}

export const toModelAnswer = (model: IntegrationModel) => ({
  slug: model.slug,
  name: model.slug,
  enabled: model.enabled,
  is_custom: model.isCustom,
  is_finetune: model.isFinetune,
  base_model_slug: model.baseModelSlug,
  configurations: toShownConfigurations(model),
  pricing_config: model.pricingConfig,
})

export const toGrantAnswer = (grant: IntegrationWorkspace) => ({
  id: grant.workspaceId,
  enabled: grant.enabled,
  usage_limits: grant.usageLimits?.map(fromUsageLimits) ?? null,
  rate_limits: grant.rateLimits,
})

type AccessBody = Static<typeof GlobalWorkspaceAccess>

export const toAccess = (
  body: AccessBody,
  choice: Pick<WorkspacesChangeBody, 'create_default_provider' | 'default_provider_slug'>,
): StoredAccess => ({
  enabled: body.enabled,
  createDefaultProvider: choice.create_default_provider ?? true,
  ...(choice.default_provider_slug === undefined ? {} : { defaultProviderSlug: choice.default_provider_slug }),
  ...(body.usage_limits
    ? {
        usageLimits: body.usage_limits.map((limits, index) =>
          toUsageLimits(limits, `global_workspace_access.usage_limits[${index}]`),
        ),
      }
    : {}),
  ...(body.rate_limits ? { rateLimits: body.rate_limits } : {}),
})

const fromAccess = ({ enabled, usageLimits, rateLimits }: StoredAccess) => ({
  enabled,
  usage_limits: usageLimits?.map(fromUsageLimits) ?? null,
  rate_limits: rateLimits ?? null,
})

export const toMapping = (body: SecretMapping): StoredMapping => ({
  targetField: body.target_field,
  secretReferenceId: body.secret_reference_id,
  ...(body.secret_key === undefined ? {} : { secretKey: body.secret_key }),
  ...(body.value_format === undefined ? {} : { valueFormat: body.value_format }),
})

export const fromMapping = (stored: StoredMapping): SecretMapping => ({
  target_field: stored.targetField,
  secret_reference_id: stored.secretReferenceId,
  ...(stored.secretKey === undefined ? {} : { secret_key: stored.secretKey }),
  ...(stored.valueFormat === undefined ? {} : { value_format: stored.valueFormat }),
})
