import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  deleteCustomModels,
  findIntegrationModels,
  type IntegrationModel,
  listIntegrationModels,
  type NewIntegrationModel,
  putIntegrationModels,
} from '../../store/objects/integration-models.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { toModelAnswer } from './answers.ts'
import { checkHeaders, checkUrl } from './configurations.ts'
import type { ProviderDeps } from './deps.ts'
import type { ModelsChangeBody } from './model.ts'
import { type SealedSecrets, sealSecrets, secretName } from './sealing.ts'

type ModelBody = ModelsChangeBody['models'][number]

/** What the audit log keeps of a change of models. */
export interface ModelsView extends Record<string, unknown> {
  readonly models: readonly unknown[]
  readonly allow_all_models: boolean
}

/** The stored models of the integration, and those that its provider lists and nobody has said anything about. */
export const listModels = async (db: Db, deps: ProviderDeps, integration: Integration) => {
  const rows = await listIntegrationModels(db, integration.id)
  const stored = new Set(rows.map(({ slug }) => slug))
  const running = deps.providers().find(({ id }) => id === integration.aiProviderId)
  const listed = (running?.models ?? [])
    .filter((slug) => !stored.has(slug))
    .map((slug) => ({ slug, name: slug, enabled: integration.allowAllModels, pricing_config: null }))
  const models = [...rows.map(toModelAnswer), ...listed].sort((left, right) => (left.slug < right.slug ? -1 : 1))
  return { total: models.length, models }
}

/**
 * Writes the listed models; of one that is stored, fields that are not given stay.
 * @returns what changed, for the audit log
 * @throws ManagementInvalid naming the field
 */
export const putModels = async (
  db: Db,
  deps: ProviderDeps,
  integration: Integration,
  { models, allow_all_models: allowAllModels }: ModelsChangeBody,
): Promise<{ readonly before: ModelsView; readonly after: ModelsView }> => {
  const slugs = models.map(({ slug }) => slug)
  const twice = slugs.findIndex((slug, index) => slugs.indexOf(slug) !== index)
  if (twice >= 0) throw invalidField(`models[${twice}].slug`, 'is there twice')
  const place = { integrationId: integration.id, slugs }
  const stored = await findIntegrationModels(db, place)
  const rows: NewIntegrationModel[] = []
  for (const [index, body] of models.entries()) {
    const earlier = stored.find(({ slug }) => slug === body.slug)
    rows.push(await toRow(db, deps, integration, body, earlier, `models[${index}]`))
  }
  await putIntegrationModels(db, { integrationId: integration.id, models: rows })
  if (allowAllModels !== undefined) await integrationRows.update(db, { id: integration.id, allowAllModels })
  const written = await findIntegrationModels(db, place)
  return {
    before: toView(stored, integration.allowAllModels),
    after: toView(written, allowAllModels ?? integration.allowAllModels),
  }
}

/**
 * Deletes custom models. All of them, or none.
 * @returns the models as they were, for the audit log
 * @throws ManagementReference for one that is not there; ManagementInvalid for one that is not custom.
 */
export const removeModels = async (
  db: Db,
  integration: Integration,
  slugs: readonly string[],
  path: string,
): Promise<ModelsView> => {
  const stored = await findIntegrationModels(db, { integrationId: integration.id, slugs })
  const missing = slugs.find((slug) => !stored.some((model) => model.slug === slug))
  if (missing !== undefined) throw new ManagementReference(`There is no custom model '${missing}'.`, { param: path })
  const builtIn = stored.find((model) => !model.isCustom)
  if (builtIn !== undefined) throw invalidField(path, `names '${builtIn.slug}', which is no custom model`)
  await deleteCustomModels(db, { integrationId: integration.id, slugs })
  return toView(stored, integration.allowAllModels)
}

const toView = (models: readonly IntegrationModel[], allowAllModels: boolean): ModelsView => ({
  models: models.map(toModelAnswer),
  allow_all_models: allowAllModels,
})

const toRow = async (
  db: Db,
  deps: ProviderDeps,
  integration: Integration,
  body: ModelBody,
  earlier: IntegrationModel | undefined,
  path: string,
): Promise<NewIntegrationModel> => ({
  slug: body.slug,
  enabled: body.enabled,
  isCustom: body.is_custom ?? earlier?.isCustom ?? false,
  isFinetune: body.is_finetune ?? earlier?.isFinetune ?? false,
  baseModelSlug: body.base_model_slug === undefined ? (earlier?.baseModelSlug ?? null) : body.base_model_slug,
  pricingConfig: body.pricing_config === undefined ? (earlier?.pricingConfig ?? null) : body.pricing_config,
  ...(await toConfigurationColumns(db, deps, integration, body, earlier, `${path}.configurations`)),
})

type ConfigurationColumns = Pick<IntegrationModel, 'configurations'> & SealedSecrets

/** The configurations of a model are replaced as a whole. */
const toConfigurationColumns = async (
  db: Db,
  deps: ProviderDeps,
  { id, organisationId }: Integration,
  { slug, configurations }: ModelBody,
  earlier: IntegrationModel | undefined,
  path: string,
): Promise<ConfigurationColumns> => {
  if (configurations === undefined) {
    const { configurations: plain = {}, secrets = {}, masked = {} } = earlier ?? {}
    return { configurations: plain, secrets, masked }
  }
  const { custom_host: host, custom_headers: headers } = configurations
  checkHeaders(`${path}.custom_headers`, headers)
  const values = headers === undefined ? {} : { [secretName('custom_headers')]: JSON.stringify(headers) }
  const place = { organisationId, integrationId: id, modelSlug: slug }
  return {
    configurations:
      host === undefined ? {} : { custom_host: checkUrl(`${path}.custom_host`, host, deps.checkCustomHost) },
    ...(await sealSecrets(db, deps.secretBox, place, values)),
  }
}
