import { type Pattern, readPattern } from '../../calls/pattern/pattern.ts'
import { isRecord, textIn } from '../../core/json/record.ts'
import type { StoredMcpIntegration } from '../../store/memory/mcp-snapshot.ts'

/** How a value of a claim is compared. */
export type MatchType = 'exact' | 'contains' | 'containsAll' | 'regex'

export interface WantedClaim {
  readonly values: readonly string[]
  /** The values, of `regex`; in linear time, whatever they are. */
  readonly patterns: readonly Pattern[]
  readonly matchType: MatchType
}

/** Which tokens of others an integration takes (interface, section 10.3: `jwt_validation`). */
export interface Validation {
  readonly jwksUri: string | undefined
  readonly jwks: unknown
  readonly introspection: { readonly endpoint: string; readonly clientId: string | undefined } | undefined
  /** Header that holds the token, lower case; absent: `Authorization`. */
  readonly header: string | undefined
  readonly algorithms: readonly string[]
  readonly toleranceSeconds: number
  readonly maxAgeSeconds: number
  readonly required: readonly string[]
  readonly claims: ReadonlyMap<string, WantedClaim>
}

const DAY_SECONDS = 86_400
const TOLERANCE_SECONDS = 5

const read = new WeakMap<StoredMcpIntegration, { readonly validation: Validation | undefined }>()

/** What the settings of an integration say, which were checked when they were stored. Undefined: it takes keys of Weir alone. */
export const validationOf = (integration: StoredMcpIntegration): Validation | undefined => {
  const known = read.get(integration)
  if (known !== undefined) return known.validation
  const validation = readValidation(integration.configurations.jwt_validation)
  read.set(integration, { validation })
  return validation
}

const readValidation = (section: unknown): Validation | undefined => {
  if (!isRecord(section)) return undefined
  const text = (name: string): string | undefined => textIn(section, name)
  const number = (name: string, otherwise: number): number => {
    const value = section[name]
    return typeof value === 'number' ? value : otherwise
  }
  const texts = (name: string): readonly string[] => {
    const value = section[name]
    return Array.isArray(value) ? value.map(String) : []
  }
  const endpoint = text('introspectEndpoint')
  const algorithms = texts('algorithms')
  return {
    jwksUri: text('jwksUri'),
    jwks: section.jwks,
    introspection: endpoint === undefined ? undefined : { endpoint, clientId: text('introspectClientId') },
    header: text('headerKey')?.toLowerCase(),
    algorithms: algorithms.length === 0 ? ['RS256'] : algorithms,
    toleranceSeconds: number('clockTolerance', TOLERANCE_SECONDS),
    maxAgeSeconds: number('cacheMaxAge', DAY_SECONDS),
    required: texts('requiredClaims'),
    claims: new Map(Object.entries(isRecord(section.claimValues) ? section.claimValues : {}).flatMap(toWanted)),
  }
}

const toWanted = ([name, given]: readonly [string, unknown]): readonly (readonly [string, WantedClaim])[] => {
  if (!isRecord(given)) return []
  const { values, matchType } = given
  const isKnown = matchType === 'contains' || matchType === 'containsAll' || matchType === 'regex'
  const texts = [values].flat().map(String)
  const patterns = matchType === 'regex' ? texts.map(readPattern) : []
  return [[name, { values: texts, patterns, matchType: isKnown ? matchType : 'exact' }]]
}
