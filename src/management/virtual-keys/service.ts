import { defined } from '../../core/defined.ts'
import { ManagementForbidden } from '../../errors/gateway-error.ts'
import type { ProviderWithIntegration } from '../../store/objects/providers.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { checkUrl } from '../integrations/configurations.ts'
import type { ProviderDeps, ProviderRoutesDeps } from '../integrations/deps.ts'
import type { SecretMapping } from '../integrations/secret-mappings.ts'
import { findRunning, type IntegrationFields, updateIntegration } from '../integrations/service.ts'
import { invalidField } from '../invalid-field.ts'
import { createOwnProvider, updateProvider } from '../providers/service.ts'
import { missingField, toConfigurations, toTargetField } from './azure-fields.ts'
import type { NewVirtualKeyBody, VirtualKeyChangeBody } from './model.ts'

/** Makes an integration of the workspace, and its provider. @throws as the two services do, with the older field names */
export const createVirtualKey = (
  db: Db,
  deps: ProviderDeps,
  place: WorkspacePlace,
  body: NewVirtualKeyBody,
): Promise<ProviderWithIntegration> => {
  const { name, slug, provider: aiProviderId, note, usage_limits, rate_limits, expires_at } = body
  findRunning(deps, aiProviderId, 'provider')
  const fields = toIntegrationFields(deps, aiProviderId, body)
  const mapped = new Set((fields.secret_mappings ?? []).map((mapping) => mapping.target_field.replace(/^.*\./, '')))
  const missing = missingField(aiProviderId, body, mapped)
  if (missing !== undefined) throw invalidField(missing, 'is missing')
  const input = defined({ name, slug, note, usage_limits, rate_limits, expires_at })
  return createOwnProvider(db, deps, place, aiProviderId, input, fields)
}

/**
 * Changes the provider, and its integration where that is the workspace's own.
 * @throws ManagementForbidden for a field that belongs to an integration of the organisation; ManagementInvalid
 */
export const updateVirtualKey = async (
  db: Db,
  deps: ProviderRoutesDeps,
  stored: ProviderWithIntegration,
  body: VirtualKeyChangeBody,
  addNote: (fields: object) => void,
): Promise<ProviderWithIntegration> => {
  const { name, note, usage_limits, rate_limits, expires_at, reset_usage } = body
  const { integration: before } = stored
  const changes = toIntegrationFields(deps, before.aiProviderId, body)
  const changesIntegration = Object.keys(changes).length > 0
  if (changesIntegration && before.workspaceId === null) {
    throw new ManagementForbidden('The key belongs to an integration of the organisation: change it there.')
  }
  const integration = changesIntegration ? await updateIntegration(db, deps, before, changes) : before
  const ofProvider = defined({ name, note, usage_limits, rate_limits, expires_at, reset_usage })
  return updateProvider(db, deps, { ...stored, integration }, ofProvider, addNote)
}

const toIntegrationFields = (
  { checkCustomHost }: ProviderDeps,
  aiProviderId: string,
  body: VirtualKeyChangeBody,
): IntegrationFields => {
  const { custom_host: host, key } = body
  // Checked here as well: the refusal shall name the field of this form.
  if (typeof host === 'string') checkUrl('custom_host', host, checkCustomHost)
  const configurations = { ...toConfigurations(aiProviderId, body), ...defined({ custom_host: host }) }
  const mappings = body.secret_mappings?.map(
    (mapping): SecretMapping => ({ ...mapping, target_field: toTargetField(mapping.target_field) }),
  )
  return defined({
    key,
    configurations: Object.keys(configurations).length === 0 ? undefined : configurations,
    secret_mappings: mappings,
  })
}
