import { InvalidParameters, type Static, t } from '#kit'
import { EXPECTED, MATCH_TYPE, type Matches, readExpected } from '../shared/expected-value.ts'

/** Signatures that are known: those of a key pair. `none`, and those of a shared secret, never are. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const

const NAMES = t.Optional(t.Array(t.String({ minLength: 1 })))

export const PARAMETERS = t.Object({
  jwksUri: t.Optional(t.String({ minLength: 1, description: 'Where the public keys stand.' })),
  jwks: t.Optional(t.Object({ keys: t.Array(t.Record(t.String(), t.Unknown()), { minItems: 1 }) })),
  introspectEndpoint: t.Optional(t.String({ minLength: 1, description: 'Asked about each token (RFC 7662).' })),
  introspectContentType: t.Optional(
    t.Union([t.Literal('application/x-www-form-urlencoded'), t.Literal('application/json')]),
  ),
  introspectCacheMaxAge: t.Integer({ minimum: 0, maximum: 86_400, default: 0, description: 'Seconds.' }),
  headerKey: t.String({ minLength: 1, default: 'Authorization' }),
  cacheMaxAge: t.Integer({ minimum: 1, default: 86_400, description: 'Seconds.' }),
  clockTolerance: t.Integer({ minimum: 0, maximum: 3_600, default: 5, description: 'Seconds.' }),
  maxTokenAge: t.String({
    default: '1d',
    pattern: '^\\d{1,9} ?(?:s|m|h|d|w|y)$',
    description: 'Such as 30m, 12h, 1d.',
  }),
  algorithms: t.Array(t.Union(ALGORITHMS.map((name) => t.Literal(name))), { minItems: 1, default: ['RS256'] }),
  requiredClaims: NAMES,
  claimValues: t.Optional(t.Record(t.String(), t.Object({ values: EXPECTED, matchType: t.Optional(MATCH_TYPE) }))),
  headerPayloadMatch: NAMES,
  extractClaims: NAMES,
  claimPrefix: t.String({ default: 'x-jwt-' }),
})

export type JwtParameters = Static<typeof PARAMETERS>

/** What a token must say besides its signature. */
export interface ClaimRules {
  readonly required: readonly string[]
  readonly values: readonly (readonly [claim: string, matches: Matches])[]
  readonly sameInHeader: readonly string[]
}

/** A text such as that of `scope` contains its words. */
const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/)

/** @throws InvalidParameters for a pattern that is none */
export const readClaimRules = ({ requiredClaims, claimValues, headerPayloadMatch }: JwtParameters): ClaimRules => ({
  required: requiredClaims ?? [],
  values: Object.entries(claimValues ?? {}).map(([claim, { values, matchType = 'exact' }]) => [
    claim,
    readExpected(values, matchType, `claimValues.${claim}.values`, wordsOf),
  ]),
  sameInHeader: headerPayloadMatch ?? [],
})

/** @throws InvalidParameters unless one way to look at tokens is given */
export const checkWays = ({ jwks, jwksUri, introspectEndpoint }: JwtParameters): void => {
  const ways = [jwks, jwksUri, introspectEndpoint].filter((way) => way !== undefined)
  if (ways.length === 1) return
  throw new InvalidParameters([
    { path: 'jwksUri', message: 'is needed, or else jwks, or else introspectEndpoint: one of them, and not more' },
  ])
}
