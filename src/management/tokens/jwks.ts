import { importJWK, type JWK } from 'jose'
import type { Clock, Logger } from '../../core/ports.ts'
import { isRecord } from '../../core/record.ts'
import { StoreUnavailable } from '../../errors/gateway-error.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Signature algorithms of foreign tokens. Nothing symmetric: nobody shares a secret with us. */
export const JWT_ALGORITHMS = ['RS256', 'ES256'] as const
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number]

/** The keys of an issuer. */
export interface IssuerKeys {
  /**
   * The public key of that id for that algorithm, or undefined when the issuer has none.
   * @throws StoreUnavailable when no keys could be fetched yet
   */
  find(keyId: string, algorithm: JwtAlgorithm): Promise<CryptoKey | undefined>
  /**
   * Counts the changes of the keys. A token that was checked by another version has to be checked again: its key may have been
   * withdrawn. At once but for the first call after a long silence, which waits for the keys to be looked at.
   */
  version(): MaybePromise<number>
}

/** Milliseconds after which fetched keys are fetched again, while the old ones serve. */
const RENEW_MS = 300_000
/** Milliseconds without a look at the keys after which a call waits for one: a withdrawn key is good for so long at most. */
const MAX_AGE_MS = 600_000
/** Milliseconds between two fetches while one fails, or for the sake of a key id that is not there: anybody can make ids up. */
const REFETCH_MS = 30_000
/** Milliseconds between two fetches while there are no keys at all. */
const FIRST_RETRY_MS = 1_000
const MIN_RSA_BITS = 2048

interface KeySet {
  /** By key id; one id may have a key for each algorithm. */
  readonly keys: ReadonlyMap<string, readonly PublicKey[]>
  readonly fetchedAtMs: number
}

interface PublicKey {
  readonly algorithm: JwtAlgorithm
  readonly jwk: JWK
  imported?: Promise<CryptoKey>
}

/**
 * Keys that the operator wrote down.
 * @throws Error in words for the operator when none of them can be used
 */
export const inlineKeys = (jwks: unknown): IssuerKeys => {
  const keys = readKeySet(jwks)
  if (keys.size === 0) throw new Error('no key has a `kid` and can check RS256 (from 2048 bits) or ES256')
  return { find: (keyId, algorithm) => importKey(keys.get(keyId), algorithm), version: () => 0 }
}

/**
 * Keys behind a URL: fetched when the first token comes, and again every 5 minutes or for an unknown key id. When the
 * URL cannot be reached the last keys stay in use.
 */
export const remoteKeys = (
  url: string,
  options: {
    readonly fetchJson: (url: string) => Promise<unknown>
    readonly clock: Pick<Clock, 'monotonicMs'>
    readonly log: Pick<Logger, 'warn'>
  },
): IssuerKeys => {
  const { fetchJson, clock, log } = options
  let current: KeySet | undefined
  let changes = 0
  let fetching: Promise<void> | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY

  const fetchKeys = async (): Promise<void> => {
    triedAtMs = clock.monotonicMs()
    try {
      const keys = readKeySet(await fetchJson(url))
      if (current !== undefined && identityOf(keys) !== identityOf(current.keys)) changes++
      current = { keys, fetchedAtMs: clock.monotonicMs() }
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      log.warn('the keys for tokens could not be fetched; the last ones stay in use', { url, error: reason })
    } finally {
      fetching = undefined
    }
  }
  /** One fetch at a time; none when the last try is younger than that. */
  const refresh = async (afterMs: number): Promise<void> => {
    if (fetching === undefined && clock.monotonicMs() - triedAtMs < afterMs) return
    fetching ??= fetchKeys()
    await fetching
  }

  /** Undefined when nobody has to wait. While the issuer is away tries go on, and nobody waits for them. */
  const renew = (): Promise<void> | undefined => {
    if (current === undefined) return undefined
    const nowMs = clock.monotonicMs()
    if (nowMs - triedAtMs >= MAX_AGE_MS) return refresh(0)
    if (nowMs - current.fetchedAtMs >= RENEW_MS) void refresh(REFETCH_MS)
    return undefined
  }

  return {
    version() {
      const renewed = renew()
      return renewed === undefined ? changes : renewed.then(() => changes)
    },
    async find(keyId, algorithm) {
      if (current === undefined) await refresh(FIRST_RETRY_MS)
      if (current === undefined) throw new StoreUnavailable('The keys that tokens are checked with cannot be fetched.')
      await renew()
      if (!current.keys.has(keyId)) await refresh(REFETCH_MS)
      return importKey(current.keys.get(keyId), algorithm)
    },
  }
}

/** Asks each in turn. Being unable to ask one matters only when no other has the key. */
export const joinKeys = (sources: readonly IssuerKeys[]): IssuerKeys => ({
  async find(keyId, algorithm) {
    let failure: unknown
    for (const source of sources) {
      try {
        const key = await source.find(keyId, algorithm)
        if (key !== undefined) return key
      } catch (thrown) {
        failure = thrown
      }
    }
    if (failure !== undefined) throw failure
    return undefined
  },
  version() {
    const versions = sources.map((source) => source.version())
    return versions.every((version) => typeof version === 'number')
      ? sumOf(versions)
      : Promise.all(versions).then(sumOf)
  },
})

/** Grows with each of them. */
const sumOf = (versions: readonly number[]): number => versions.reduce((sum, version) => sum + version, 0)

/** What the keys are, in whichever order they came. */
const identityOf = (keys: KeySet['keys']): string =>
  [...keys]
    .map(([id, ofId]) => JSON.stringify([id, ofId.map(({ jwk }) => jwk)]))
    .toSorted()
    .join()

const readKeySet = (jwks: unknown): ReadonlyMap<string, readonly PublicKey[]> => {
  if (!isRecord(jwks) || !Array.isArray(jwks.keys)) throw new Error('it is not a JWKS')
  const keys = new Map<string, PublicKey[]>()
  for (const entry of jwks.keys) {
    if (!isRecord(entry) || typeof entry.kid !== 'string') continue
    const key = readKey(entry)
    if (key !== undefined) keys.set(entry.kid, [...(keys.get(entry.kid) ?? []), key])
  }
  return keys
}

/** Only public parts are taken over. A key for anything but RS256 or ES256, or one that is too small, counts as absent. */
const readKey = ({ kty, use, alg, n, e, crv, x, y }: Record<string, unknown>): PublicKey | undefined => {
  if (use !== undefined && use !== 'sig') return undefined
  if (kty === 'RSA' && (alg === undefined || alg === 'RS256') && typeof n === 'string' && typeof e === 'string') {
    return bitsOf(n) < MIN_RSA_BITS ? undefined : { algorithm: 'RS256', jwk: { kty, n, e } }
  }
  const isCurve = kty === 'EC' && crv === 'P-256' && (alg === undefined || alg === 'ES256')
  if (isCurve && typeof x === 'string' && typeof y === 'string') return { algorithm: 'ES256', jwk: { kty, crv, x, y } }
  return undefined
}

/** How many bits a number in base64url has. */
const bitsOf = (text: string): number => {
  const bytes = Buffer.from(text, 'base64url')
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}

const importKey = async (
  keys: readonly PublicKey[] | undefined,
  algorithm: JwtAlgorithm,
): Promise<CryptoKey | undefined> => {
  const key = keys?.find((candidate) => candidate.algorithm === algorithm)
  if (key === undefined) return undefined
  key.imported ??= importPublic(key)
  try {
    return await key.imported
  } catch {
    // A point that is not on the curve, or the like: as good as no key.
    return undefined
  }
}

const importPublic = async ({ jwk, algorithm }: PublicKey): Promise<CryptoKey> => {
  const key = await importJWK(jwk, algorithm)
  if (key instanceof Uint8Array) throw new Error('the key is symmetric')
  return key
}
