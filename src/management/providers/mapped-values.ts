import type { TSchema } from '@sinclair/typebox'
import { GatewayError } from '../../errors/gateway-error.ts'
import { SecretFailure } from '../../secret-managers/manager.ts'
import { pickKey, pickValue } from '../../secret-managers/pick-value.ts'
import { type FoundSecret, unavailable } from '../../secret-managers/secret-references.ts'
import type { Configurations, SecretMapping } from '../../store/schema/integrations.ts'
import { configurationFieldsOf } from '../integrations/configuration-fields.ts'
import { checkConfigurations } from '../integrations/configurations.ts'
import type { RunningProvider } from '../integrations/deps.ts'
import { secretName } from '../integrations/sealing.ts'

/** A mapping, and the secret that it takes its value from. */
export interface Mapped {
  readonly mapping: SecretMapping
  readonly found: FoundSecret
}

/** What is stored of an integration, and how values for it are checked. */
export interface Fillable {
  readonly configurations: Configurations
  /** Secrets that are stored with it, in clear, by their names. */
  readonly secrets: Readonly<Record<string, string>>
  readonly provider: RunningProvider
  readonly checkCustomHost: (url: string) => string
}

/**
 * Puts the values of mappings in their places, as if they had been written into a body: by the same rules.
 * @throws SecretUnavailable for a value that cannot be one, without a word of what it is
 */
export const fillMapped = (
  { configurations, secrets, provider, checkCustomHost }: Fillable,
  mapped: readonly Mapped[],
): Pick<Fillable, 'configurations' | 'secrets'> => {
  const fields = configurationFieldsOf(provider)
  const given: Record<string, unknown> = { ...configurations }
  const filled: Record<string, string> = { ...secrets }
  const byField = new Map<string, string>()
  for (const { mapping, found } of mapped) {
    const field = mapping.targetField.replace(/^configurations\./, '')
    byField.set(field, found.slug)
    try {
      if (mapping.targetField === 'key') filled.key = pickKey(found, mapping)
      else given[field] = fitted(pickValue(found, mapping), fields.schema.properties[field])
    } catch (thrown) {
      throw unavailable(found.slug, thrown)
    }
  }
  const stored = new Set(Object.keys(secrets).map((name) => name.replace(/^configurations\./, '')))
  try {
    const { plain, secrets: made } = checkConfigurations(fields, given, { mapped: new Set(), stored }, checkCustomHost)
    for (const [field, value] of Object.entries(made)) filled[secretName(field)] = value
    return { configurations: plain, secrets: filled }
  } catch (thrown) {
    const [, field = ''] =
      /^configurations\.(\w+)/.exec((thrown instanceof GatewayError && thrown.options.param) || '') ?? []
    const [first] = byField.values()
    const message = `its value cannot be the \`${field}\` of the provider '${provider.id}'`
    throw unavailable(byField.get(field) ?? first ?? '', new SecretFailure('unusable', message))
  }
}

/** Secrets are texts most of the time: a field that is an object or a list is meant as JSON. */
const fitted = (value: unknown, schema: TSchema | undefined): unknown => {
  if (typeof value === 'object' && schema?.type === 'string') return JSON.stringify(value)
  if (typeof value !== 'string' || (schema?.type !== 'object' && schema?.type !== 'array')) return value
  return pickValue({ secret: { text: value }, secretKey: null }, { valueFormat: 'json' })
}
