import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { IntegrationModel } from '../../store/objects/integration-models.ts'
import type { IntegrationWorkspace } from '../../store/objects/integration-workspaces.ts'
import type { Integration } from '../../store/objects/integrations.ts'
import type {
  GlobalWorkspaceAccess as StoredAccess,
  SecretMapping as StoredMapping,
} from '../../store/schema/integrations.ts'
import { DateTime, nullable, Uuid } from '../fields.ts'
import { showUsageLimits, type WithUse } from '../own-budgets/live-budgets.ts'
import { fromUsageLimits, toUsageLimitsList } from '../own-budgets/usage-limits.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { answerOf } from '../resource/answer.ts'
import { GlobalWorkspaceAccess, Tags, type WorkspacesChangeBody } from './model.ts'
import { PricingAdjustments } from './pricing.ts'
import { type SecretMapping, SecretMappings } from './secret-mappings.ts'

const summary = {
  id: Uuid,
  organisation_id: Uuid,
  workspace_id: nullable(Uuid),
  ai_provider_id: t.String(),
  name: t.String(),
  status: t.Union([t.Literal('active'), t.Literal('archived')]),
  created_at: DateTime,
  last_updated_at: DateTime,
  slug: t.String(),
  description: nullable(t.String()),
  tags: nullable(Tags),
  object: t.Literal('integration'),
}

/** An integration in a list. */
export const listedIntegration = answerOf<Integration>()(summary)

/** An integration with how many workspaces may use it. */
export interface ShownIntegration extends Integration {
  readonly workspaceCount: number
}

/** The whole integration, its secrets masked: what the item route answers and the audit log keeps. */
export const integrationAnswer = answerOf<ShownIntegration>()(
  {
    ...summary,
    masked_key: nullable(t.String()),
    configurations: t.Record(t.String(), t.Unknown()),
    global_workspace_access_settings: nullable(GlobalWorkspaceAccess),
    allow_all_models: t.Boolean(),
    workspace_count: outsideTag(t.Integer()),
    secret_mappings: SecretMappings,
    pricing_adjustments: nullable(PricingAdjustments),
  },
  {
    masked_key: ({ masked }) => masked.key ?? null,
    configurations: toShownConfigurations,
    global_workspace_access_settings: ({ globalWorkspaceAccess: access }) =>
      access && {
        enabled: access.enabled,
        usage_limits: access.usageLimits?.map(fromUsageLimits) ?? null,
        rate_limits: access.rateLimits ? [...access.rateLimits] : null,
      },
    secret_mappings: ({ secretMappings }) => (secretMappings ?? []).map(fromMapping),
  },
)

/** Plain fields as they are, secret ones as `masked_<field>`. */
function toShownConfigurations({
  configurations,
  masked,
}: Pick<Integration, 'configurations' | 'masked'>): Record<string, unknown> {
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

export const toGrantAnswer = (grant: WithUse<IntegrationWorkspace>) => ({
  id: grant.workspaceId,
  enabled: grant.enabled,
  usage_limits: grant.usageLimits?.map((stored) => showUsageLimits(stored, 'integration', grant.budgetUse)) ?? null,
  rate_limits: grant.rateLimits,
})

type AccessBody = Static<typeof GlobalWorkspaceAccess>

export const toAccess = (
  { enabled, usage_limits: usageLimits, rate_limits: rateLimits }: AccessBody,
  choice: Pick<WorkspacesChangeBody, 'create_default_provider' | 'default_provider_slug'>,
  at: { readonly before: StoredAccess | null; readonly nowMs: number },
): StoredAccess => ({
  enabled,
  createDefaultProvider: choice.create_default_provider ?? true,
  ...defined({
    defaultProviderSlug: choice.default_provider_slug,
    usageLimits:
      usageLimits == null
        ? undefined
        : toUsageLimitsList(usageLimits, {
            path: 'global_workspace_access.usage_limits',
            before: at.before?.usageLimits,
            nowMs: at.nowMs,
          }),
    rateLimits: rateLimits ?? undefined,
  }),
})

export const toMapping = (body: SecretMapping): StoredMapping => ({
  targetField: body.target_field,
  secretReferenceId: body.secret_reference_id,
  ...defined({ secretKey: body.secret_key, valueFormat: body.value_format }),
})

export const fromMapping = (stored: StoredMapping): SecretMapping => ({
  target_field: stored.targetField,
  secret_reference_id: stored.secretReferenceId,
  ...defined({ secret_key: stored.secretKey, value_format: stored.valueFormat }),
})
