import { check } from '../../core/json/check.ts'
import { ManagementInvalid, type Violation } from '../../errors/gateway-error.ts'
import { invalidField } from '../invalid-field.ts'
import { type ConfigurationFields, isSecretField, URL_FIELDS } from './configuration-fields.ts'

/** Configuration fields by name, as the interface writes them. */
export type Configurations = Readonly<Record<string, unknown>>

/** Fields of an integration that have a value already, besides those of the body. */
export interface OtherSources {
  /** Filled by secret references. */
  readonly mapped: ReadonlySet<string>
  /** Names of the secret fields that are stored and stay. */
  readonly stored: ReadonlySet<string>
}

export interface CheckedConfigurations {
  /** All fields that are no secrets. */
  readonly plain: Configurations
  /** The secret fields of the body, in clear. Structured ones as JSON. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Headers that frame a request are the gateway's own. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
])

/**
 * Checks the configurations of one provider and takes the secrets out. A field that is null counts as absent.
 * @throws ManagementInvalid with the path of each violation below `at`.
 */
export const checkConfigurations = (
  fields: ConfigurationFields,
  given: Configurations,
  other: OtherSources,
  checkCustomHost: (url: string) => string,
  at = 'configurations',
): CheckedConfigurations => {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields.schema.properties, name))
  const present = Object.entries(given).filter(([name, value]) => value !== null || unknown.includes(name))
  const checked = check(fields.schema, Object.fromEntries(present))
  if (!checked.ok) throw below(at, checked.violations)
  const values: Record<string, unknown> = { ...checked.value }
  const isThere = (name: string): boolean => name in values || other.mapped.has(name) || other.stored.has(name)
  const missing = fields.needs(values).find((name) => !isThere(name))
  if (missing !== undefined) throw invalidField(`${at}.${missing}`, 'is missing')
  for (const name of URL_FIELDS) {
    const url = values[name]
    if (typeof url === 'string') values[name] = checkUrl(`${at}.${name}`, url, checkCustomHost)
  }
  checkHeaders(`${at}.custom_headers`, values.custom_headers)
  checkDeployments(`${at}.azure_deployment_config`, values.azure_deployment_config)
  return split(values)
}

/** @throws ManagementInvalid naming the field, with the reason of the egress guard. */
export const checkUrl = (path: string, url: string, checkCustomHost: (url: string) => string): string => {
  try {
    return checkCustomHost(url)
  } catch (thrown) {
    throw invalidField(path, thrown instanceof Error ? thrown.message.replace(/\.$/, '') : 'is refused')
  }
}

export const checkHeaders = (path: string, headers: unknown): void => {
  for (const name of Object.keys(toRecord(headers))) {
    const lower = name.toLowerCase()
    if (RESERVED_HEADERS.has(lower) || lower.startsWith('x-gateway-')) {
      throw invalidField(`${path}.${name}`, "is one of the gateway's own headers")
    }
  }
}

const checkDeployments = (path: string, deployments: unknown): void => {
  if (!Array.isArray(deployments)) return
  const aliases = new Set<unknown>()
  let hasDefault = false
  for (const [index, entry] of deployments.entries()) {
    const { alias, is_default: isDefault } = toRecord(entry)
    if (alias !== undefined && aliases.has(alias)) throw invalidField(`${path}[${index}].alias`, 'is there twice')
    if (isDefault === true && hasDefault) throw invalidField(`${path}[${index}].is_default`, 'is true twice')
    aliases.add(alias)
    hasDefault ||= isDefault === true
  }
}

const split = (values: Configurations): CheckedConfigurations => {
  const plain: Record<string, unknown> = {}
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (!isSecretField(name)) plain[name] = value
    else secrets[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return { plain, secrets }
}

/** Violations of a part, as those of the whole. */
export const below = (at: string, violations: readonly Violation[]): ManagementInvalid => {
  const moved = violations.map(({ path, message }) => ({ path: path === '' ? at : `${at}.${path}`, message }))
  const [first] = moved
  return new ManagementInvalid(`The call is not valid: \`${first?.path ?? at}\` ${first?.message ?? ''}.`, {
    violations: moved,
    param: first?.path ?? at,
  })
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
