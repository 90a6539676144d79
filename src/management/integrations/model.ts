import { type Static, Type as t } from '@sinclair/typebox'
import { Description, Name, nullable, RateLimit, Reference, Slug, UsageLimits, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { CustomHeaders } from './configuration-fields.ts'
import { PricingAdjustments, PricingConfig } from './pricing.ts'
import { SecretMappings } from './secret-mappings.ts'

const Key = t.String({ minLength: 1, maxLength: 8192, description: 'Key of the provider. Never shown again.' })
const ModelSlug = t.String({ minLength: 1, maxLength: 255 })
const UsageLimitList = t.Array(UsageLimits, { maxItems: 1 })
const RateLimitList = t.Array(RateLimit, { maxItems: 1 })
/** Which fields there are depends on the provider; see `configuration-fields.ts`. */
const Configurations = t.Record(t.String({ pattern: '^[a-z0-9_]{1,64}$' }), t.Unknown(), {
  additionalProperties: false,
  description: 'Fields of the provider, such as `custom_host`; a field that is null is removed.',
})

export const IntegrationQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: t.Optional(Reference),
  type: t.Optional(
    t.Union([t.Literal('workspace'), t.Literal('organisation'), t.Literal('all')], {
      default: 'all',
      description: 'Whose: those of one workspace, those of the organisation, or both.',
    }),
  ),
})

export const Tags = t.Record(
  t.String({ minLength: 1, maxLength: 128 }),
  t.Union([t.String({ maxLength: 255 }), t.Number(), t.Boolean()]),
  { maxProperties: 50, additionalProperties: false, description: 'What to file it under: free names and values.' },
)

const change = {
  tags: t.Optional(nullable(Tags)),
  key: t.Optional(Key),
  description: t.Optional(Description),
  configurations: t.Optional(Configurations),
  secret_mappings: t.Optional(SecretMappings),
  pricing_adjustments: t.Optional(nullable(PricingAdjustments)),
}

export const NewIntegration = t.Object({
  name: Name,
  ai_provider_id: t.String({ minLength: 1, maxLength: 64, description: 'Id of a running provider, such as `openai`.' }),
  slug: t.Optional(Slug),
  ...change,
  workspace_id: t.Optional(Reference),
  create_default_provider: t.Boolean({
    default: true,
    description: 'Makes a provider of it at once; only for an integration of one workspace.',
  }),
  default_provider_slug: t.Optional(Slug),
})

export const IntegrationChange = t.Object({ name: t.Optional(Name), ...change }, { minProperties: 1 })
export type IntegrationChangeBody = Static<typeof IntegrationChange>

export const GlobalWorkspaceAccess = t.Object(
  {
    enabled: t.Boolean(),
    usage_limits: t.Optional(nullable(UsageLimitList)),
    rate_limits: t.Optional(nullable(RateLimitList)),
  },
  { description: 'Access of every workspace that is not listed on its own, also of those created later.' },
)

export const IntegrationReceipt = t.Object({ id: Uuid, slug: t.String() })

const modelFields = {
  is_custom: t.Optional(t.Boolean()),
  is_finetune: t.Optional(t.Boolean()),
  base_model_slug: t.Optional(nullable(ModelSlug)),
}

export const ModelsChange = t.Object({
  models: t.Array(
    t.Object({
      slug: ModelSlug,
      enabled: t.Boolean(),
      ...modelFields,
      configurations: t.Optional(
        t.Object({
          custom_host: t.Optional(t.String({ minLength: 1, maxLength: 2048 })),
          custom_headers: t.Optional(CustomHeaders),
        }),
      ),
      pricing_config: t.Optional(nullable(PricingConfig)),
    }),
    { maxItems: 1000, description: 'Models not listed here stay as they are.' },
  ),
  allow_all_models: t.Optional(
    t.Boolean({ description: 'True: every model may be used but those that are listed as not enabled.' }),
  ),
})
export type ModelsChangeBody = Static<typeof ModelsChange>

export const ModelsAnswer = t.Object({
  total: t.Integer({ minimum: 0 }),
  models: t.Array(
    t.Object({
      slug: t.String(),
      name: t.String(),
      enabled: t.Boolean(),
      ...modelFields,
      configurations: t.Optional(t.Record(t.String(), t.Unknown())),
      pricing_config: nullable(PricingConfig),
    }),
  ),
})

export const ModelsRemoval = t.Object({
  slugs: t.String({ minLength: 1, maxLength: 8192, description: 'Slugs of custom models, with commas between them.' }),
})

const providerChoice = {
  create_default_provider: t.Optional(t.Boolean()),
  default_provider_slug: t.Optional(Slug),
}

export const WorkspacesChange = t.Object(
  {
    workspaces: t.Optional(
      t.Array(
        t.Object({
          id: Reference,
          enabled: t.Boolean(),
          usage_limits: t.Optional(nullable(UsageLimitList)),
          rate_limits: t.Optional(nullable(RateLimitList)),
          reset_usage: t.Optional(
            t.Boolean({ description: 'True: what the workspace has spent at the integration counts from 0 again.' }),
          ),
          ...providerChoice,
        }),
        { maxItems: 200, description: 'Workspaces not listed here stay as they are, unless overridden.' },
      ),
    ),
    global_workspace_access: t.Optional(nullable(GlobalWorkspaceAccess)),
    override_existing_workspaces_access: t.Optional(
      t.Boolean({ description: 'Older spelling of `override_existing_workspace_access`.' }),
    ),
    override_existing_workspace_access: t.Optional(
      t.Boolean({ description: 'True: workspaces not listed lose their own setting and follow the global one.' }),
    ),
    ...providerChoice,
  },
  { minProperties: 1 },
)
export type WorkspacesChangeBody = Static<typeof WorkspacesChange>

export const WorkspacesAnswer = t.Object({
  total: t.Integer({ minimum: 0 }),
  workspaces: t.Array(
    t.Object({
      id: Uuid,
      enabled: t.Boolean(),
      usage_limits: nullable(UsageLimitList),
      rate_limits: nullable(RateLimitList),
    }),
  ),
})
