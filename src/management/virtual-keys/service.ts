import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { findIntegrationsById, type Integration } from '../../store/integrations.ts'
import type { ProviderWithIntegration } from '../../store/providers.ts'
import type { Db } from '../../store/types.ts'
import { fromMapping } from '../integrations/answers.ts'
import { checkUrl } from '../integrations/configurations.ts'
import type { ProviderDeps } from '../integrations/deps.ts'
import type { SecretMapping } from '../integrations/secret-mappings.ts'
import { createIntegration, findRunning, type IntegrationFields, updateIntegration } from '../integrations/service.ts'
import { invalidField } from '../invalid-field.ts'
import { createProvider, toProviderAnswer, updateProvider } from '../providers/service.ts'
import { suffix, toSlug } from '../slug.ts'
import { fromTargetField, missingField, toConfigurations, toModelConfig, toTargetField } from './azure-fields.ts'
import type { AzureFields, NewVirtualKeyBody, VirtualKeyChangeBody } from './model.ts'

/** A virtual key: a provider together with the integration that holds its key. */
export interface VirtualKey {
  readonly provider: ProviderWithIntegration
  readonly integration: Integration
}

export interface VirtualKeyPlace {
  readonly organisationId: string
  readonly workspaceId: string
}

/** Makes an integration of the workspace, and its provider. @throws as the two services do, with the older field names */
export const createVirtualKey = async (
  db: Db,
  deps: ProviderDeps,
  { organisationId, workspaceId }: VirtualKeyPlace,
  body: NewVirtualKeyBody,
): Promise<VirtualKey> => {
  const { name, provider: aiProviderId, key, note, usage_limits, rate_limits, expires_at } = body
  findRunning(deps, aiProviderId, 'provider')
  const fields = toIntegrationFields(deps, aiProviderId, body)
  const mapped = new Set((fields.secret_mappings ?? []).map((mapping) => mapping.target_field.replace(/^.*\./, '')))
  const missing = missingField(aiProviderId, body, mapped)
  if (missing !== undefined) throw invalidField(missing, 'is missing')
  const slug = body.slug ?? toSlug(name, deps.randomId, 'provider')
  const integration = await createIntegration(db, deps, {
    organisationId,
    workspaceId,
    name,
    aiProviderId,
    // Slugs of integrations are unique in the organisation, those of virtual keys only in their workspace.
    slug: `${slug.slice(0, 240)}-${suffix(deps.randomId)}`,
    fields: key === undefined ? fields : { ...fields, key },
  })
  const provider = await createProvider(db, deps, {
    workspaceId,
    integration,
    name,
    slug,
    fields: defined({ note, usage_limits, rate_limits, expires_at }),
  })
  return { provider, integration }
}

/**
 * Changes the provider, and its integration where that is the workspace's own.
 * @throws ManagementForbidden for a field that belongs to an integration of the organisation; ManagementInvalid
 */
export const updateVirtualKey = async (
  db: Db,
  deps: ProviderDeps,
  stored: VirtualKey,
  body: Omit<VirtualKeyChangeBody, 'workspace_id'>,
): Promise<VirtualKey> => {
  const { name, key, note, usage_limits, rate_limits, expires_at, reset_usage } = body
  const fields = toIntegrationFields(deps, stored.integration.aiProviderId, body)
  const changes = key === undefined ? fields : { ...fields, key }
  const changesIntegration = Object.keys(changes).length > 0
  if (changesIntegration && stored.integration.workspaceId === null) {
    throw new ManagementForbidden('The key belongs to an integration of the organisation: change it there.')
  }
  const integration = changesIntegration
    ? await updateIntegration(db, deps, stored.integration, changes)
    : stored.integration
  const ofProvider = defined({ name, note, usage_limits, rate_limits, expires_at, reset_usage })
  return { integration, provider: await updateProvider(db, deps, stored.provider, ofProvider) }
}

/** Adds their integrations to providers of one organisation. */
export const withIntegrations = async (
  db: Db,
  organisationId: string,
  providers: readonly ProviderWithIntegration[],
): Promise<readonly VirtualKey[]> => {
  const ids = [...new Set(providers.map(({ integrationId }) => integrationId))]
  const byId = new Map((await findIntegrationsById(db, { organisationId, ids })).map((row) => [row.id, row]))
  return providers.flatMap((provider) => {
    const integration = byId.get(provider.integrationId)
    return integration === undefined ? [] : [{ provider, integration }]
  })
}

export const toVirtualKeyAnswer = ({ provider, integration }: VirtualKey, nowMs: number) => {
  const { name, note, status, usage_limits, rate_limits, created_at, slug, expires_at } = toProviderAnswer(
    provider,
    nowMs,
  )
  return {
    name,
    provider: integration.aiProviderId,
    note,
    status,
    key: integration.masked.key ?? null,
    model_config: toModelConfig(integration.configurations),
    secret_mappings: (integration.secretMappings ?? [])
      .map(fromMapping)
      .map((mapping) => ({ ...mapping, target_field: fromTargetField(mapping.target_field) })),
    usage_limits,
    rate_limits,
    created_at,
    slug,
    expires_at,
    object: 'virtual-key' as const,
  }
}

const toIntegrationFields = (
  { checkCustomHost }: ProviderDeps,
  aiProviderId: string,
  body: AzureFields & Pick<VirtualKeyChangeBody, 'custom_host' | 'secret_mappings'>,
): IntegrationFields => {
  const { custom_host: host } = body
  // Checked here as well: the refusal shall name the field of this form.
  if (typeof host === 'string') checkUrl('custom_host', host, checkCustomHost)
  const configurations = {
    ...toConfigurations(aiProviderId, body),
    ...(host === undefined ? {} : { custom_host: host }),
  }
  const mappings = body.secret_mappings?.map(
    (mapping): SecretMapping => ({ ...mapping, target_field: toTargetField(mapping.target_field) }),
  )
  return {
    ...(Object.keys(configurations).length === 0 ? {} : { configurations }),
    ...(mappings === undefined ? {} : { secret_mappings: mappings }),
  }
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without the fields that are undefined. */
const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
