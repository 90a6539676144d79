import type { OwnedLimits } from '../../core/limits.ts'
import { StoredProviderExhausted, StoredProviderExpired, UnsupportedConfig } from '../../errors/gateway-error.ts'
import type { StoredModels, StoredProvider, StoredProviders } from '../../kit/plugin.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { ProviderSnapshot } from '../../store/memory/provider-snapshot.ts'
import type { ProviderRecord, StoredIntegration, StoredModel } from '../../store/memory/stored-providers.ts'
import type { SealedFields } from '../../store/schema/integrations.ts'
import type { Configurations } from '../integrations/configurations.ts'
import { sealedField } from '../integrations/sealing.ts'
import { toOwnedBudgets } from '../own-budgets/own-budgets.ts'
import { statusOf } from './model.ts'
import { namesOfModel, toTargetSettings } from './target-settings.ts'

export interface StoredProvidersOptions {
  readonly snapshot: Pick<ProviderSnapshot, 'find' | 'list'>
  readonly secretBox: Pick<SecretBox, 'open'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Opens the secrets of stored providers, once for each version of a record: what is opened lives as long as the record of
 * the snapshot that it was made from.
 */
export const createStoredProviders = ({ snapshot, secretBox, now }: StoredProvidersOptions): StoredProviders => {
  const targets = new WeakMap<ProviderRecord, StoredProvider>()
  const listed = new WeakMap<StoredIntegration, Pick<StoredModels, 'models' | 'bases'>>()
  const modelsOf = (integration: StoredIntegration): Pick<StoredModels, 'models' | 'bases'> => {
    const known = listed.get(integration)
    if (known !== undefined) return known
    const enabled = [...integration.models.bySlug.values()].filter((model) => model.enabled)
    const bases = enabled.flatMap(({ slug, baseModelSlug }) => (baseModelSlug ? [[slug, baseModelSlug] as const] : []))
    const made = { models: enabled.map(({ slug }) => slug), bases: new Map(bases) }
    listed.set(integration, made)
    return made
  }
  return {
    find(workspaceId, slug) {
      const record = snapshot.find(workspaceId, slug)
      if (record === undefined || !isUsable(record)) return undefined
      refuseSpent(record, now())
      const known = targets.get(record)
      if (known !== undefined) return known
      const keep = (target: StoredProvider): StoredProvider => {
        targets.set(record, target)
        return target
      }
      const target = openTarget(record, secretBox)
      return target instanceof Promise ? target.then(keep) : keep(target)
    },
    models: (workspaceId) =>
      snapshot
        .list(workspaceId)
        .filter((record) => isUsable(record) && statusOf(record, now()) === 'active')
        .map(({ slug, integration }) => ({ slug, providerId: integration.aiProviderId, ...modelsOf(integration) })),
  }
}

const isUsable = ({ isGranted, integration }: ProviderRecord): boolean => isGranted && integration.status === 'active'

const refuseSpent = (record: ProviderRecord, nowMs: number): void => {
  const status = statusOf(record, nowMs)
  if (status === 'active') return
  const param = `@${record.slug}`
  throw status === 'expired'
    ? new StoredProviderExpired(`The stored provider '${record.slug}' has expired.`, { param })
    : new StoredProviderExhausted(`The budget of the stored provider '${record.slug}' is used up.`, { param })
}

type Opened = Readonly<Record<string, string>>

const openTarget = (record: ProviderRecord, secretBox: StoredProvidersOptions['secretBox']) => {
  const { integration } = record
  if ((integration.secretMappings ?? []).length > 0) {
    throw new UnsupportedConfig(
      `The stored provider '${record.slug}' takes values from a secret manager, which is not supported here.`,
      { param: `@${record.slug}` },
    )
  }
  const place = { organisationId: integration.organisationId, integrationId: integration.id }
  const openAll = (secrets: SealedFields, modelSlug?: string): readonly [string, string | Promise<string>][] =>
    Object.entries(secrets).map(([name, sealed]) => {
      const field = sealedField(modelSlug === undefined ? place : { ...place, modelSlug }, name)
      return [name, secretBox.open(place.organisationId, place.integrationId, field, sealed)]
    })
  const own = settle(openAll(integration.secrets))
  const ofModels = [...integration.models.bySlug.values()]
    .filter(({ secrets }) => Object.keys(secrets).length > 0)
    .map(({ slug, secrets }) => [slug, settle(openAll(secrets, slug))] as const)
  if (!(own instanceof Promise) && ofModels.every((entry): entry is [string, Opened] => isOpen(entry[1]))) {
    return toTarget(record, own, new Map(ofModels))
  }
  const waiting = ofModels.map(async ([slug, opened]) => [slug, await opened] as const)
  return Promise.all([own, Promise.all(waiting)]).then(([key, models]) => toTarget(record, key, new Map(models)))
}

const isOpen = (opened: Opened | Promise<Opened>): opened is Opened => !(opened instanceof Promise)

/** Waits only when one of the texts must be waited for. */
const settle = (opening: readonly [string, string | Promise<string>][]): Opened | Promise<Opened> => {
  const isReady = (entry: [string, string | Promise<string>]): entry is [string, string] => typeof entry[1] === 'string'
  if (opening.every(isReady)) return Object.fromEntries(opening)
  return Promise.all(opening.map(async ([name, text]) => [name, await text] as const)).then(Object.fromEntries)
}

const toTarget = (record: ProviderRecord, secrets: Opened, ofModels: ReadonlyMap<string, Opened>): StoredProvider => {
  const { integration } = record
  const configurations = withSecrets(integration.configurations, secrets)
  return {
    slug: record.slug,
    providerId: integration.aiProviderId,
    apiKey: secrets.key ?? '',
    ...(record.rateLimits.length === 0 ? {} : { limits: toOwnedLimits(record) }),
    ...toOwnedBudgets(
      ['virtual_key', record.id, record.usageLimits && [record.usageLimits]],
      ['integration', integration.id, record.grantedUsageLimits],
    ),
    ...(isRestricted(integration) ? { isRestricted: true as const } : {}),
    allows: (model) => isAllowed(integration, namesOfModel(configurations, model)),
    forModel(model) {
      const own = toTargetSettings(integration.aiProviderId, configurations, model)
      const special = model === undefined ? undefined : findModel(integration, namesOfModel(configurations, model))
      if (special === undefined) return own
      const given = withSecrets(special.configurations, ofModels.get(special.slug) ?? {})
      const { headers, customHost } = toTargetSettings('', given, model)
      if (customHost === undefined || customHost === own.customHost) {
        return { ...own, headers: { ...own.headers, ...headers } }
      }
      // Who may add a model may not read the key, so a host that came with a model gets what is stored with that model only.
      return { settings: own.settings, headers, customHost, withoutKey: true }
    },
  }
}

/** A limit that the integration gives the workspace counts for all providers that the workspace made of it. */
const toOwnedLimits = ({ id, integration, rateLimits, rateLimitsOwner }: ProviderRecord): OwnedLimits =>
  rateLimitsOwner === 'provider'
    ? { owner: 'virtual_key', id, limits: rateLimits }
    : { owner: 'integration', id: integration.id, limits: rateLimits }

/** The model's own row decides, under any of its names and against more than for; else the integration does. */
const isAllowed = ({ models }: StoredIntegration, names: readonly string[]): boolean => {
  const rows = names.flatMap((name) => models.bySlug.get(name) ?? [])
  return rows.length === 0 ? models.allowAll : rows.every(({ enabled }) => enabled)
}

const isRestricted = ({ models }: StoredIntegration): boolean =>
  !models.allowAll || [...models.bySlug.values()].some(({ enabled }) => !enabled)

const findModel = ({ models }: StoredIntegration, names: readonly string[]): StoredModel | undefined =>
  names.flatMap((name) => models.bySlug.get(name) ?? [])[0]

/** Configuration fields with the secret ones in clear; headers are kept as JSON, see `configurations.ts`. */
const withSecrets = (plain: Configurations, secrets: Opened): Configurations => {
  const all: Record<string, unknown> = { ...plain }
  for (const [name, text] of Object.entries(secrets)) {
    const field = name.replace(/^configurations\./, '')
    if (field !== name) all[field] = field === 'custom_headers' ? JSON.parse(text) : text
  }
  return all
}
