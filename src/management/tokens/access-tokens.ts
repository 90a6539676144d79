import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../core/ports.ts'
import type { MasterKey, MasterKeys } from '../../secrets/master-key.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/** Seconds an access token lives (behaviour reference, section 0: "client-credentials bearer token, 900 s"). */
export const ACCESS_TOKEN_SECONDS = 900

/** What an access token says that stands for a key. */
export interface KeyToken {
  readonly keyId: string
  /** What the token was narrowed to; absent: all that its key may do at the time of the call. */
  readonly scopes?: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
}

/** What an access token says that stands for what a person let an app do: who and what that is, the grant tells. */
export interface GrantToken {
  readonly grantId: string
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
}

export type AccessToken = KeyToken | GrantToken

/** A grant, as a token of it names it (RFC 9068, section 2.2). */
export interface TokenOfGrant {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  /** Whole address of what it may be used for. */
  readonly resource: string
  readonly scopes: readonly string[]
}

/**
 * Short-lived tokens that stand for an API key or a grant: JWTs of the type `at+jwt` (RFC 9068), signed with a key that every
 * process derives from the same master key. Whether the key or grant is still valid is not said by its token: ask the store.
 */
export interface AccessTokens {
  issue(grant: { readonly keyId: string; readonly scopes?: readonly string[] }): Promise<string>
  issueFor(grant: TokenOfGrant): Promise<string>
  /** Undefined for a token that is not ours, was changed, or has expired. At once for one that was verified before. */
  verify(token: string): MaybePromise<AccessToken | undefined>
}

const ISSUER = 'weir'
const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'
/** Names the grant in a token of one. */
const GRANT_CLAIM = 'grant_id'
/** About 3 MB when full. */
const MAX_VERIFIED = 10_000

interface SigningKey {
  /** Names the key in the header of a token; tells nothing about it. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** Tokens of the master key before are accepted too, so that its rotation logs nobody out. */
export const createAccessTokens = (options: {
  readonly masterKeys: MasterKeys
  readonly clock: Pick<Clock, 'now'>
  readonly randomId: () => string
}): AccessTokens => {
  const { clock, randomId } = options
  const { previous } = options.masterKeys
  const current = deriveKey(options.masterKeys.current)
  const accepted = previous === undefined ? [current] : [current, deriveKey(previous)]
  const keys = new Map(accepted.map((key) => [key.id, key.bytes]))
  const verified = createVerifiedTokens<AccessToken>(clock, MAX_VERIFIED)

  const check = async (token: string): Promise<AccessToken | undefined> => {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => knownKey(keys, kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        requiredClaims: ['exp', 'sub', 'jti'],
        currentDate: new Date(clock.now()),
      })
      const accepted = read(payload)
      if (accepted === undefined) return undefined
      verified.set(token, accepted, accepted.expiresAtMs)
      return accepted
    } catch (thrown) {
      if (thrown instanceof errors.JOSEError) return undefined
      throw thrown
    }
  }

  const sign = (subject: string, claims: JWTPayload): Promise<string> => {
    const now = Math.floor(clock.now() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.id })
      .setIssuer(ISSUER)
      .setSubject(subject)
      .setJti(randomId())
      .setIssuedAt(now)
      .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
      .sign(current.bytes)
  }

  return {
    issue: ({ keyId, scopes }) => sign(keyId, scopes === undefined ? {} : { scope: scopes.join(' ') }),
    issueFor: ({ id, userId, clientId, resource, scopes }) =>
      sign(userId, { aud: resource, client_id: clientId, scope: scopes.join(' '), [GRANT_CLAIM]: id }),
    verify: (token) => verified.get(token) ?? check(token),
  }
}

const read = ({ sub, exp, scope, [GRANT_CLAIM]: grantId }: JWTPayload): AccessToken | undefined => {
  if (sub === undefined || exp === undefined) return undefined
  const expiresAtMs = exp * 1000
  if (typeof grantId === 'string') return { grantId, expiresAtMs }
  return { keyId: sub, expiresAtMs, ...(typeof scope === 'string' ? { scopes: new Set(scope.split(' ')) } : {}) }
}

/** A key of its own: it opens no stored secret, and what opens those signs nothing. */
const deriveKey = (masterKey: MasterKey): SigningKey => {
  const bytes = new Uint8Array(masterKey.derive('access tokens'))
  return { id: Bun.CryptoHasher.hash('sha256', bytes, 'base64url').slice(0, 11), bytes }
}

const knownKey = (keys: ReadonlyMap<string, Uint8Array>, keyId: string | undefined): Uint8Array => {
  const key = keyId === undefined ? undefined : keys.get(keyId)
  if (key === undefined) throw new errors.JWKSNoMatchingKey()
  return key
}
