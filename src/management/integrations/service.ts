import { defined } from '../../core/defined.ts'
import { nearest } from '../../core/json/check.ts'
import { INTEGRATION_SLUG_TAKEN, type Integration, integrationRows } from '../../store/objects/integrations.ts'
import { newId } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toSlug } from '../slug.ts'
import { fromMapping, toMapping } from './answers.ts'
import { configurationFieldsOf, PLANNED_PROVIDERS } from './configuration-fields.ts'
import { type CheckedConfigurations, type Configurations, checkConfigurations } from './configurations.ts'
import type { ProviderDeps, RunningProvider } from './deps.ts'
import type { IntegrationChangeBody } from './model.ts'
import { sealSecrets, secretName } from './sealing.ts'
import { checkSecretMappings, type SecretMapping } from './secret-mappings.ts'

/** What an integration is made from, besides its place. Fields as the interface writes them. */
export type IntegrationFields = Omit<IntegrationChangeBody, 'name'>

export interface NewIntegrationInput {
  readonly organisationId: string
  /** Set for an integration of one workspace. */
  readonly workspaceId: string | null
  readonly name: string
  readonly aiProviderId: string
  readonly slug?: string
  readonly fields: IntegrationFields
}

/**
 * Stores an integration, its secrets sealed.
 * @throws ManagementInvalid naming the field; ManagementReference for an unknown secret; ManagementConflict for a slug that
 * the organisation has already.
 */
export const createIntegration = async (
  db: Db,
  deps: ProviderDeps,
  input: NewIntegrationInput,
): Promise<Integration> => {
  const { organisationId, workspaceId, name, aiProviderId, fields } = input
  const id = newId()
  const slug = input.slug ?? toSlug(name, deps.randomId, 'integration')
  const provider = findRunning(deps, aiProviderId, 'ai_provider_id')
  const checked = await checkFields(db, deps, provider, { organisationId, workspaceId }, fields, undefined)
  const place = { organisationId, integrationId: id }
  const sealed = await sealSecrets(db, deps.secretBox, place, toSecretValues(fields.key, checked))
  const row = {
    ...{ id, organisationId, workspaceId, slug, name, aiProviderId, configurations: checked.plain },
    ...sealed,
    ...toColumns(fields),
  }
  return refuseTaken(INTEGRATION_SLUG_TAKEN, 'slug', `There is an integration '${slug}' already.`, () =>
    integrationRows.insert(db, row),
  )
}

/** Fields that are stored as they are; those that are absent stay away. */
const toColumns = ({ secret_mappings: mappings, ...fields }: IntegrationChangeBody) => ({
  ...columnsOf(fields, ['name', 'description', 'tags', 'pricing_adjustments']),
  ...defined({ secretMappings: mappings?.map(toMapping) }),
})

/**
 * Writes the given fields. Configuration fields that are not given stay, those that are null go; mappings and price
 * adjustments are replaced as a whole.
 * @throws ManagementInvalid, ManagementReference
 */
export const updateIntegration = async (
  db: Db,
  deps: ProviderDeps,
  stored: Integration,
  fields: IntegrationChangeBody,
): Promise<Integration> => {
  const { id, organisationId } = stored
  const provider = deps.providers().find((running) => running.id === stored.aiProviderId) ?? { id: stored.aiProviderId }
  const checked = await checkFields(db, deps, provider, stored, fields, stored)
  const removed = Object.keys(fields.configurations ?? {}).map(secretName)
  refuseRedirection(stored, provider, checked.plain, fields.key === undefined ? removed : ['key', ...removed])
  const place = { organisationId, integrationId: id }
  const sealed = await sealSecrets(db, deps.secretBox, place, toSecretValues(fields.key, checked))
  const updated = await integrationRows.update(db, {
    id,
    ...toColumns(fields),
    configurations: checked.plain,
    secrets: { ...without(stored.secrets, removed), ...sealed.secrets },
    masked: { ...without(stored.masked, removed), ...sealed.masked },
  })
  return updated ?? stored
}

/** Fields that say to which host the key goes. */
const HOST_FIELDS = ['custom_host', 'azure_resource_name', 'azure_foundry_url', 'huggingface_base_url'] as const

/**
 * Who may change an integration may not read its secrets, so must not have them, or the tokens that they give, sent to a host
 * of theirs either: with another host they are given anew.
 * @param replaced names of the secrets that do not stay
 * @throws ManagementInvalid
 */
const refuseRedirection = (
  stored: Integration,
  { account }: RunningProvider,
  next: Configurations,
  replaced: readonly string[],
): void => {
  const headers = secretName('custom_headers')
  const kept = Object.keys(stored.secrets).find((name) => name !== headers && !replaced.includes(name))
  if (kept === undefined) return
  const moved = [...HOST_FIELDS, ...(account?.hostSettings ?? [])].find(
    (field) => next[field] !== undefined && next[field] !== stored.configurations[field],
  )
  if (moved !== undefined) throw invalidField(kept, `must be given again together with another ${moved}`)
}

/**
 * The running provider of an id.
 * @param field that names it, for the refusal
 * @throws ManagementInvalid that says which are running, and whether the one that is meant is to come
 */
export const findRunning = (deps: ProviderDeps, id: string, field: string): RunningProvider => {
  const running = deps.providers()
  const found = running.find((provider) => provider.id === id)
  if (found !== undefined) return found
  const ids = running.map((provider) => provider.id)
  const list = `running are: ${ids.join(', ') || 'none'}`
  if (PLANNED_PROVIDERS.has(id)) throw invalidField(field, `names ${id}, which this version cannot call yet; ${list}`)
  const near = nearest(id, ids)
  const hint = near === undefined ? list : `did you mean '${near}'? ${list}`
  throw invalidField(field, `is not the id of a running provider; ${hint}`)
}

/** @param stored the integration as it is, for a change */
const checkFields = async (
  db: Db,
  deps: ProviderDeps,
  provider: RunningProvider,
  place: Pick<Integration, 'organisationId' | 'workspaceId'>,
  fields: IntegrationFields,
  stored: Integration | undefined,
): Promise<CheckedConfigurations> => {
  if (stored !== undefined && fields.configurations === undefined && fields.secret_mappings === undefined) {
    return { plain: stored.configurations, secrets: {} }
  }
  const known = configurationFieldsOf(provider)
  const names = new Set(Object.keys(known.schema.properties))
  const given = fields.configurations ?? {}
  const mapped =
    fields.secret_mappings === undefined
      ? fieldsOf((stored?.secretMappings ?? []).map(fromMapping))
      : await checkSecretMappings(db, place, fields.secret_mappings, names)
  const kept = Object.keys(stored?.secrets ?? {})
    .map((name) => name.replace(/^configurations\./, ''))
    .filter((field) => given[field] === undefined)
  const merged: Configurations = { ...stored?.configurations, ...given }
  return checkConfigurations(known, merged, { mapped, stored: new Set(kept) }, deps.checkCustomHost)
}

const fieldsOf = (mappings: readonly SecretMapping[]): ReadonlySet<string> =>
  new Set(mappings.map(({ target_field: target }) => target.replace(/^configurations\./, '')))

const toSecretValues = (key: string | undefined, { secrets }: CheckedConfigurations): Record<string, string> => ({
  ...defined({ key }),
  ...Object.fromEntries(Object.entries(secrets).map(([field, value]) => [secretName(field), value])),
})

const without = (fields: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
