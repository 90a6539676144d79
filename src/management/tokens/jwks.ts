import { createLocalJWKSet, type JWK } from 'jose'
import { isRecord } from '../../core/json/record.ts'
import type { Clock, Logger } from '../../core/ports.ts'
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

/**
 * Keys that the operator wrote down.
 * @throws Error in words for the operator when none of them can be used
 */
export const inlineKeys = (jwks: unknown): IssuerKeys => {
  const keys = readKeySet(jwks)
  if (keys.ids.size === 0) throw new Error('no key has a `kid` and can check RS256 (from 2048 bits) or ES256')
  return { find: keys.find, version: () => 0 }
}

/**
 * Keys behind a URL: fetched when the first token comes, and again every 5 minutes or for an unknown key id. When the
 * URL cannot be reached the last keys stay in use, which is why this is none of jose's remote sets: those refuse every token then.
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
  let fetchedAtMs = Number.NEGATIVE_INFINITY
  let changes = 0
  let fetching: Promise<void> | undefined
  let triedAtMs = Number.NEGATIVE_INFINITY

  const fetchKeys = async (): Promise<void> => {
    triedAtMs = clock.monotonicMs()
    try {
      const keys = readKeySet(await fetchJson(url))
      if (current !== undefined && keys.identity !== current.identity) changes++
      current = keys
      fetchedAtMs = clock.monotonicMs()
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
    if (nowMs - fetchedAtMs >= RENEW_MS) void refresh(REFETCH_MS)
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
      if (!current.ids.has(keyId)) await refresh(REFETCH_MS)
      return current.find(keyId, algorithm)
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

interface KeySet {
  readonly ids: ReadonlySet<string>
  /** What the keys are, in whichever order they came. */
  readonly identity: string
  readonly find: IssuerKeys['find']
}

const readKeySet = (jwks: unknown): KeySet => {
  if (!isRecord(jwks) || !Array.isArray(jwks.keys)) throw new Error('it is not a JWKS')
  // One id may have a key for each algorithm.
  const keys = new Map<string, JWK>()
  for (const entry of jwks.keys.filter(isRecord)) {
    const key = readKey(entry)
    const name = `${key?.alg} ${key?.kid}`
    if (key !== undefined && !keys.has(name)) keys.set(name, key)
  }
  const usable = [...keys.values()]
  const find = createLocalJWKSet({ keys: usable })
  return {
    ids: new Set(usable.map(({ kid = '' }) => kid)),
    identity: usable
      .map((key) => JSON.stringify(key))
      .toSorted()
      .join(),
    // Without a key of that id and algorithm, and with a point that is not on the curve or the like, there is none.
    find: (kid, alg) => find({ kid, alg }).catch(() => undefined),
  }
}

/** Takes over public parts alone. A key for anything but RS256 or ES256, or one that is too small, counts as absent. */
const readKey = ({ kid, kty, use, alg, n, e, crv, x, y }: Record<string, unknown>): JWK | undefined => {
  if (typeof kid !== 'string' || (use !== undefined && use !== 'sig')) return undefined
  if (kty === 'RSA' && (alg === undefined || alg === 'RS256') && typeof n === 'string' && typeof e === 'string') {
    return bitsOf(n) < MIN_RSA_BITS ? undefined : { kid, alg: 'RS256', kty, n, e }
  }
  const isCurve = kty === 'EC' && crv === 'P-256' && (alg === undefined || alg === 'ES256')
  return isCurve && typeof x === 'string' && typeof y === 'string' ? { kid, alg: 'ES256', kty, crv, x, y } : undefined
}

/** How many bits a number in base64url has. */
const bitsOf = (text: string): number => {
  const bytes = Buffer.from(text, 'base64url')
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}
