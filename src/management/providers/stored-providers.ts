import type { OwnedLimits } from '../../core/limits.ts'
import { StoredProviderExhausted, StoredProviderExpired } from '../../errors/gateway-error.ts'
import type { StoredModels, StoredProvider, StoredProviders } from '../../kit/plugin.ts'
import type { SecretReferences } from '../../secret-managers/secret-references.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { ProviderSnapshot } from '../../store/memory/provider-snapshot.ts'
import type { ProviderRecord, StoredIntegration, StoredModel } from '../../store/memory/stored-providers.ts'
import type { SealedFields, SecretMapping } from '../../store/schema/integrations.ts'
import type { Configurations } from '../integrations/configurations.ts'
import { sealedField } from '../integrations/sealing.ts'
import { toOwnedBudgets } from '../own-budgets/own-budgets.ts'
import { fillRecord, findUses, isCurrent, type Running, type Use } from './mapped-record.ts'
import { statusOf } from './model.ts'
import { namesOfModel, toTargetSettings } from './target-settings.ts'

export interface StoredProvidersOptions {
  readonly snapshot: Pick<ProviderSnapshot, 'find' | 'list'>
  readonly secretBox: Pick<SecretBox, 'open'>
  /** Values that are kept elsewhere. */
  readonly references: SecretReferences
  readonly running: () => Running
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A provider that was opened, and what was taken from elsewhere for it. */
interface Made {
  readonly target: StoredProvider
  readonly uses: readonly Use[]
}

const NO_USES: readonly Use[] = []
const NO_MAPPINGS: readonly SecretMapping[] = []

/**
 * Opens the secrets of stored providers, once for each version of a record: what is opened lives as long as the record of
 * the snapshot that it was made from, or until a value that is kept elsewhere is another one.
 */
export const createStoredProviders = (options: StoredProvidersOptions): StoredProviders => {
  const { snapshot, references, now } = options
  const made = new WeakMap<ProviderRecord, Made>()
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
      const known = made.get(record)
      if (known !== undefined && isCurrent(known.uses, record, references)) return known.target
      const keep = (opened: Made): StoredProvider => {
        made.set(record, opened)
        return opened.target
      }
      const opened = open(record, options)
      return opened instanceof Promise ? opened.then(keep) : keep(opened)
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

const open = (record: ProviderRecord, options: StoredProvidersOptions): Made | Promise<Made> => {
  const mappings = record.integration.secretMappings ?? NO_MAPPINGS
  if (mappings.length === 0) {
    const opened = openSecrets(record, options.secretBox)
    const toMade = (secrets: OpenedSecrets): Made => ({ target: toTarget(record, secrets), uses: NO_USES })
    return opened instanceof Promise ? opened.then(toMade) : toMade(opened)
  }
  return openMapped(record, mappings, options)
}

/** One whose values have to be looked for first. */
const openMapped = (
  record: ProviderRecord,
  mappings: readonly SecretMapping[],
  { secretBox, references, running }: StoredProvidersOptions,
): Made | Promise<Made> => {
  const opened = openSecrets(record, secretBox)
  // Its failure is heard of below, unless a secret cannot be had before that.
  if (opened instanceof Promise) opened.catch(() => undefined)
  const uses = findUses(record, mappings, references)
  const toMade = (found: readonly Use[], { own, ofModels }: OpenedSecrets): Made => {
    const { configurations, secrets } = fillRecord(record, own, found, running())
    const filled = { ...record, integration: { ...record.integration, configurations } }
    return { target: toTarget(filled, { own: secrets, ofModels }), uses: found }
  }
  if (!(opened instanceof Promise) && !(uses instanceof Promise)) return toMade(uses, opened)
  return Promise.all([uses, opened]).then(([found, secrets]) => toMade(found, secrets))
}

type Opened = Readonly<Record<string, string>>

/** The secrets of a record in clear. */
interface OpenedSecrets {
  readonly own: Opened
  readonly ofModels: ReadonlyMap<string, Opened>
}

const openSecrets = (
  { integration }: ProviderRecord,
  secretBox: StoredProvidersOptions['secretBox'],
): OpenedSecrets | Promise<OpenedSecrets> => {
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
    return { own, ofModels: new Map(ofModels) }
  }
  const waiting = ofModels.map(async ([slug, opened]) => [slug, await opened] as const)
  return Promise.all([own, Promise.all(waiting)]).then(([key, models]) => ({ own: key, ofModels: new Map(models) }))
}

const isOpen = (opened: Opened | Promise<Opened>): opened is Opened => !(opened instanceof Promise)

/** Waits only when one of the texts must be waited for. */
const settle = (opening: readonly [string, string | Promise<string>][]): Opened | Promise<Opened> => {
  const isReady = (entry: [string, string | Promise<string>]): entry is [string, string] => typeof entry[1] === 'string'
  if (opening.every(isReady)) return Object.fromEntries(opening)
  return Promise.all(opening.map(async ([name, text]) => [name, await text] as const)).then(Object.fromEntries)
}

const toTarget = (record: ProviderRecord, { own: secrets, ofModels }: OpenedSecrets): StoredProvider => {
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
