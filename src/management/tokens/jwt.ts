import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type JwtSettings, jwksUrls, jwtSettingsProblem } from '../../config/jwt-settings.ts'
import { defined } from '../../core/defined.ts'
import type { Clock, Logger } from '../../core/ports.ts'
import { ExpiredApiKey } from '../../errors/gateway-error.ts'
import { type IssuerKeys, inlineKeys, JWT_ALGORITHMS, type JwtAlgorithm, joinKeys, remoteKeys } from './jwks.ts'
import { type JwtClaims, readClaims } from './jwt-claims.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/** A token of the operator's own identity provider, verified. */
export interface ExternalToken extends JwtClaims {
  /** Milliseconds since 1970, with the tolerance. */
  readonly expiresAtMs: number
}

export interface ExternalTokens {
  /**
   * Undefined for a token that the settings do not allow. At once for one that was verified before.
   * @throws ExpiredApiKey for a good token that has expired; InvalidApiKey for one whose limits cannot be read
   * @throws StoreUnavailable when the keys of the issuer cannot be fetched
   */
  verify(token: string): MaybePromise<ExternalToken | undefined>
}

/** Seconds that the clock of the issuer may differ from ours. */
const TOLERANCE_SECONDS = 5
const MAX_VERIFIED = 10_000

/** @throws Error in words for the operator when the settings cannot be used */
export const createExternalTokens = (
  settings: JwtSettings,
  options: {
    /** Fetches a JSON document within deadlines; only ever the operator's own URLs. */
    readonly fetchJson: (url: string) => Promise<unknown>
    readonly clock: Clock
    readonly log: Pick<Logger, 'warn'>
  },
): ExternalTokens => {
  const problem = jwtSettingsProblem(settings)
  if (problem !== undefined) throw new Error(`${problem.path}: ${problem.message}`)
  const { clock } = options
  const keys = issuerKeys(settings, options)
  const verified = createVerifiedTokens<{ readonly token: ExternalToken; readonly version: number }>(
    clock,
    MAX_VERIFIED,
  )

  const accept = (payload: JWTPayload): ExternalToken | undefined => {
    const claims = readClaims(payload)
    if (claims === undefined || payload.exp === undefined) return undefined
    if (settings.organisationId !== undefined && claims.organisationId !== settings.organisationId) return undefined
    return { ...claims, expiresAtMs: (payload.exp + TOLERANCE_SECONDS) * 1000 }
  }

  /** @param version of the keys before the check: should they change meanwhile, the token is checked once more */
  const check = async (token: string, version: number): Promise<ExternalToken | undefined> => {
    try {
      const { payload } = await jwtVerify(token, ({ kid, alg }) => keyOf(keys, kid, alg), {
        algorithms: [...JWT_ALGORITHMS],
        requiredClaims: ['exp'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(clock.now()),
        ...defined({ issuer: settings.issuer, audience: settings.audience }),
      })
      const accepted = accept(payload)
      if (accepted !== undefined) verified.set(token, { token: accepted, version }, accepted.expiresAtMs)
      return accepted
    } catch (thrown) {
      if (thrown instanceof errors.JWTExpired) throw new ExpiredApiKey('The token has expired.', { cause: thrown })
      if (thrown instanceof errors.JOSEError) return undefined
      throw thrown
    }
  }

  return {
    verify: (token) =>
      andThen(keys.version(), (version) => {
        const known = verified.get(token)
        return known?.version === version ? known.token : check(token, version)
      }),
  }
}

const issuerKeys = ({ jwks, jwksUri }: JwtSettings, options: Parameters<typeof createExternalTokens>[1]): IssuerKeys =>
  jwks === undefined ? joinKeys(jwksUrls(jwksUri).map((url) => remoteKeys(url, options))) : inlineKeys(jwks)

const keyOf = async (
  keys: IssuerKeys,
  keyId: string | undefined,
  algorithm: string | undefined,
): Promise<CryptoKey> => {
  const known = JWT_ALGORITHMS.find((name): name is JwtAlgorithm => name === algorithm)
  const key = keyId === undefined || known === undefined ? undefined : await keys.find(keyId, known)
  if (key === undefined) throw new errors.JWKSNoMatchingKey()
  return key
}
