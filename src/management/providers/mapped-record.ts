import { SecretUnavailable } from '../../errors/gateway-error.ts'
import type { FoundSecret, SecretReferences } from '../../secret-managers/secret-references.ts'
import type { ProviderRecord } from '../../store/memory/stored-providers.ts'
import type { SecretMapping } from '../../store/schema/integrations.ts'
import type { RunningProvider } from '../integrations/deps.ts'
import { type Fillable, fillMapped, type Mapped } from './mapped-values.ts'

/** A secret that a stored provider takes values from, as it was found. */
export interface Use {
  readonly reference: string
  readonly found: FoundSecret
  /** What is taken of it. */
  readonly mappings: readonly SecretMapping[]
}

/** What values are checked by: the providers that run now, and which hosts may be reached. */
export interface Running {
  readonly providers: readonly RunningProvider[]
  readonly checkCustomHost: (url: string) => string
}

/**
 * Whether every secret is still the one that was found before. Called for every call: no more than a look at each.
 * @throws SecretUnavailable for one that cannot be had any more
 */
export const isCurrent = (uses: readonly Use[], record: ProviderRecord, references: SecretReferences): boolean => {
  for (const { reference, found } of uses) if (look(record, reference, references) !== found) return false
  return true
}

/** The secrets that mappings take values from, each looked for once: at once where all are at hand. @throws SecretUnavailable */
export const findUses = (
  record: ProviderRecord,
  mappings: readonly SecretMapping[],
  references: SecretReferences,
): readonly Use[] | Promise<readonly Use[]> => {
  const byReference = [...Map.groupBy(mappings, ({ secretReferenceId }) => secretReferenceId)]
  const looking = byReference.map(([reference]) => look(record, reference, references))
  const toUses = (all: readonly FoundSecret[]): readonly Use[] =>
    byReference.flatMap(([reference, of], index) => {
      const found = all[index]
      return found === undefined ? [] : [{ reference, found, mappings: of }]
    })
  const isReady = (found: FoundSecret | Promise<FoundSecret>): found is FoundSecret => !(found instanceof Promise)
  return looking.every(isReady) ? toUses(looking) : Promise.all(looking).then(toUses)
}

/** The settings and secrets of a record, with the values from elsewhere in their places. @throws SecretUnavailable */
export const fillRecord = (
  record: ProviderRecord,
  secrets: Fillable['secrets'],
  uses: readonly Use[],
  { providers, checkCustomHost }: Running,
): Pick<Fillable, 'configurations' | 'secrets'> => {
  const { aiProviderId: id, configurations } = record.integration
  const provider = providers.find((running) => running.id === id) ?? { id }
  const mapped = uses.flatMap(({ found, mappings }) => mappings.map((mapping): Mapped => ({ mapping, found })))
  try {
    return fillMapped({ configurations, secrets, provider, checkCustomHost }, mapped)
  } catch (thrown) {
    throw named(record, thrown)
  }
}

/** @throws SecretUnavailable that names the provider too */
const look = (record: ProviderRecord, reference: string, references: SecretReferences) => {
  const { workspaceId, integration } = record
  try {
    const found = references.get(integration.organisationId, workspaceId, reference)
    if (!(found instanceof Promise)) return found
    const late = found.catch((thrown: unknown) => Promise.reject(named(record, thrown)))
    // Nobody may wait for it in the end: because another one cannot be had, or as it is asked for again.
    late.catch(ignore)
    return late
  } catch (thrown) {
    throw named(record, thrown)
  }
}

const ignore = (): void => undefined

const named = ({ slug }: ProviderRecord, thrown: unknown): unknown =>
  thrown instanceof SecretUnavailable
    ? new SecretUnavailable(thrown.message, { ...thrown.options, param: `@${slug}` })
    : thrown
