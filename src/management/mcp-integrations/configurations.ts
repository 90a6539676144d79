import { readPattern } from '../../calls/pattern/pattern.ts'
import { PatternRefused } from '../../calls/pattern/translate.ts'
import { check } from '../../core/json/check.ts'
import type { Configurations, MaskedFields } from '../../store/schema/integrations.ts'
import type { McpAuthType } from '../../store/schema/mcp.ts'
import { below, checkHeaders } from '../integrations/configurations.ts'
import { secretName } from '../integrations/sealing.ts'
import { invalidField } from '../invalid-field.ts'
import { McpConfigurations } from './configuration-model.ts'

/** Fields that are secret: a part of a section, or the whole of it, since headers often carry a token. */
const SECRET_FIELDS: readonly (readonly [section: string, field?: string])[] = [
  ['headers'],
  ['passthrough_headers'],
  ['oauth_metadata', 'client_secret'],
  ['oauth_client_credentials', 'client_secret'],
  ['external_auth_config', 'client_secret'],
  ['jwt_validation', 'introspectClientSecret'],
]

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['custom_headers', 'headers'],
  ['passthrough_header', 'passthrough_headers'],
])

/** Most bytes of all that is not secret. */
const MAX_PLAIN_CHARACTERS = 64 * 1024

export interface SplitConfigurations {
  /** All that is no secret. */
  readonly plain: Configurations
  /** In clear, by the name that they are sealed under; records as JSON. */
  readonly secrets: Readonly<Record<string, string>>
  /** Names of secrets that go: their section was removed, or given anew. */
  readonly removed: readonly string[]
}

/**
 * Checks the sections that a body gives and takes the secrets out. Sections that are not given stay, those that are null go.
 * A section that is given anew keeps its secret, where it does not bring another.
 * @param stored what is there already, for a change
 * @throws ManagementInvalid naming the field
 */
export const splitConfigurations = (given: Configurations, stored: Configurations): SplitConfigurations => {
  const sections = underOneName(given)
  const present = Object.fromEntries(Object.entries(sections).filter(([, value]) => value !== null))
  const checked = check(McpConfigurations, present)
  if (!checked.ok) throw below('configurations', checked.violations)
  for (const name of ['headers', 'passthrough_headers']) checkHeaders(`configurations.${name}`, present[name])
  const plain: Record<string, unknown> = { ...stored, ...(checked.value as Configurations) }
  const removed: string[] = []
  for (const [section, value] of Object.entries(sections)) {
    if (value !== null) continue
    delete plain[section]
    removed.push(...SECRET_FIELDS.filter(([name]) => name === section).map(nameOfSecret))
  }
  const secrets: Record<string, string> = {}
  for (const place of SECRET_FIELDS) {
    const [section, field] = place
    const value = plain[section]
    if (field === undefined) {
      if (value !== undefined) secrets[nameOfSecret(place)] = JSON.stringify(value)
      delete plain[section]
    } else if (isFields(value)) {
      const { [field]: secret, ...rest } = value
      if (typeof secret === 'string') secrets[nameOfSecret(place)] = secret
      plain[section] = rest
    }
  }
  if (JSON.stringify(plain).length > MAX_PLAIN_CHARACTERS) throw invalidField('configurations', 'is too large')
  return { plain, secrets, removed }
}

/**
 * Refuses what could never work.
 * @param secrets names of the secrets that are there, or come from elsewhere
 * @throws ManagementInvalid naming the field
 */
export const requireFor = (authType: McpAuthType, plain: Configurations, secrets: ReadonlySet<string>): void => {
  if (authType === 'headers' && !secrets.has(secretName('headers'))) {
    throw invalidField('configurations.headers', 'is missing')
  }
  if (authType === 'oauth_client_credentials') {
    if (!isFields(plain.oauth_client_credentials)) {
      throw invalidField('configurations.oauth_client_credentials', 'is missing')
    }
    if (!secrets.has(secretName('oauth_client_credentials.client_secret'))) {
      throw invalidField('configurations.oauth_client_credentials.client_secret', 'is missing')
    }
  }
  const { jwt_validation: jwt } = plain
  if (!isFields(jwt)) return
  const sources = ['jwksUri', 'jwks', 'introspectEndpoint'].filter((name) => jwt[name] !== undefined)
  if (sources.length !== 1) {
    throw invalidField('configurations.jwt_validation', 'needs one of `jwksUri`, `jwks` and `introspectEndpoint`')
  }
  for (const [claim, wanted] of Object.entries(isFields(jwt.claimValues) ? jwt.claimValues : {})) {
    if (isFields(wanted) && wanted.matchType === 'regex') {
      checkPatterns(`configurations.jwt_validation.claimValues.${claim}.values`, [wanted.values].flat().map(String))
    }
  }
}

/** @throws ManagementInvalid for a pattern that nothing could be compared with */
const checkPatterns = (path: string, patterns: readonly string[]): void => {
  for (const pattern of patterns) {
    const fault = faultOf(pattern)
    if (fault !== undefined) throw invalidField(path, `has a pattern that cannot be used: ${fault}`)
  }
}

const faultOf = (pattern: string): string | undefined => {
  try {
    return readPattern(pattern).fault()
  } catch (thrown) {
    if (thrown instanceof PatternRefused) return thrown.message
    throw thrown
  }
}

/** Plain fields as they are, secret ones as `masked_<field>` in their place. */
export const showConfigurations = (plain: Configurations, masked: MaskedFields): Record<string, unknown> => {
  const shown: Record<string, unknown> = { ...plain }
  for (const place of SECRET_FIELDS) {
    const text = masked[nameOfSecret(place)]
    if (text === undefined) continue
    const [section, field] = place
    const fields = shown[section]
    if (field === undefined) shown[`masked_${section}`] = text
    else shown[section] = { ...(isFields(fields) ? fields : {}), [`masked_${field}`]: text }
  }
  return shown
}

/** The secret that a mapping to a section stands in for: `configurations.headers` for itself, of a login its client's. */
export const secretOfSection = (target: string): string =>
  SECRET_FIELDS.map(nameOfSecret).find((name) => name === target || name.startsWith(`${target}.`)) ?? target

const nameOfSecret = ([section, field]: readonly [string, string?]): string =>
  secretName(field === undefined ? section : `${section}.${field}`)

const underOneName = (given: Configurations): Configurations => {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const section = OTHER_NAMES.get(name) ?? name
    if (Object.hasOwn(named, section)) throw invalidField(`configurations.${name}`, `is there twice, as \`${section}\``)
    named[section] = value
  }
  return named
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
