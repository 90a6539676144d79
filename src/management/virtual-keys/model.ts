import { type Static, Type as t } from '@sinclair/typebox'
import type { ProviderWithIntegration } from '../../store/objects/providers.ts'
import { DateTime, Name, nullable, RateLimit, Reference, Slug, UsageLimits } from '../fields.ts'
import { fromMapping } from '../integrations/answers.ts'
import { ModelConfigMappings } from '../integrations/secret-mappings.ts'
import { pageQuery } from '../list.ts'
import { showUsageLimits, type WithUse } from '../own-budgets/live-budgets.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { ProviderStatus, shownStatus } from '../providers/model.ts'
import { answerOf } from '../resource/answer.ts'
import { fromTargetField, toModelConfig } from './azure-fields.ts'

const Key = t.String({ minLength: 1, maxLength: 8192, description: 'Key of the provider. Never shown again.' })
const AzureText = t.String({ minLength: 1, maxLength: 255 })
const ResourceName = t.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$' })
const ApiVersion = t.String({ pattern: '^[A-Za-z0-9.-]{1,30}$' })
const RateLimits = t.Array(RateLimit, { maxItems: 6 })

export const VirtualKeyQuery = t.Object({ ...pageQuery(50, 1000), workspace_id: t.Optional(Reference) })

const fields = {
  key: t.Optional(Key),
  note: t.Optional(nullable(t.String({ maxLength: 1024 }))),
  apiVersion: t.Optional(ApiVersion),
  resourceName: t.Optional(ResourceName),
  deploymentName: t.Optional(AzureText),
  deploymentConfig: t.Optional(
    t.Array(
      t.Object({
        apiVersion: ApiVersion,
        deploymentName: AzureText,
        alias: t.Optional(AzureText),
        is_default: t.Optional(t.Boolean()),
      }),
      { minItems: 1, maxItems: 500 },
    ),
  ),
  custom_host: t.Optional(
    nullable(t.String({ minLength: 1, maxLength: 2048, description: "Base URL instead of the provider's." })),
  ),
  usage_limits: t.Optional(nullable(UsageLimits)),
  rate_limits: t.Optional(nullable(RateLimits)),
  expires_at: t.Optional(nullable(DateTime)),
  secret_mappings: t.Optional(ModelConfigMappings),
}

export const NewVirtualKey = t.Object({
  name: Name,
  provider: t.String({ minLength: 1, maxLength: 64, description: 'Id of a running provider, such as `openai`.' }),
  slug: t.Optional(Slug),
  workspace_id: t.Optional(Reference),
  ...fields,
})
export type NewVirtualKeyBody = Static<typeof NewVirtualKey>

export const VirtualKeyChange = t.Object(
  {
    name: t.Optional(Name),
    workspace_id: t.Optional(Reference),
    ...fields,
    reset_usage: t.Optional(t.Boolean({ description: 'True: its count begins at 0 again.' })),
  },
  { minProperties: 1 },
)
export type VirtualKeyChangeBody = Static<typeof VirtualKeyChange>
export type AzureFields = Pick<
  VirtualKeyChangeBody,
  'apiVersion' | 'resourceName' | 'deploymentName' | 'deploymentConfig'
>

export const VirtualKeyReceipt = t.Object({ success: t.Literal(true), data: t.Object({ slug: t.String() }) })

export const virtualKeyAnswer = (now: () => number) =>
  answerOf<WithUse<ProviderWithIntegration>>()(
    {
      name: t.String(),
      provider: t.String(),
      note: nullable(t.String()),
      status: outsideTag(ProviderStatus),
      key: nullable(t.String({ description: 'Masked.' })),
      model_config: t.Record(t.String(), t.Unknown()),
      secret_mappings: ModelConfigMappings,
      usage_limits: nullable(UsageLimits),
      rate_limits: nullable(RateLimits),
      created_at: DateTime,
      slug: t.String(),
      expires_at: nullable(DateTime),
      object: t.Literal('virtual-key'),
    },
    {
      provider: ({ integration }) => integration.aiProviderId,
      status: (provider) => shownStatus(provider, now()),
      key: ({ integration }) => integration.masked.key ?? null,
      model_config: ({ integration }) => toModelConfig(integration.configurations),
      secret_mappings: ({ integration }) =>
        (integration.secretMappings ?? [])
          .map(fromMapping)
          .map((mapping) => ({ ...mapping, target_field: fromTargetField(mapping.target_field) })),
      usage_limits: ({ usageLimits, budgetUse }) =>
        usageLimits && showUsageLimits(usageLimits, 'virtual_key', budgetUse),
    },
  )
