import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type CheckPowers, isRecord, parseJson } from '#kit'

/** Milliseconds between two times that keys are asked for because a token names an unknown one. */
const COOLDOWN_MS = 30_000

/** Bytes of a key set, at most. */
const MAX_BYTES = 256 * 1024

/** Where the public keys of a check come from. */
export interface KeySet {
  /** @param isRefreshed a token names a key that is not among them: they may be new. Undefined: they were asked for just now */
  keys(powers: CheckPowers, isRefreshed: boolean): Promise<JWTVerifyGetKey | undefined>
}

/** @throws Error for what is none */
export const readKeySet = (jwks: unknown): JWTVerifyGetKey => createLocalJWKSet(jwks as JSONWebKeySet)

/** Keys that stand at a URL: kept for a while, and asked for once at a time. */
export class RemoteKeySet implements KeySet {
  readonly #url: string
  readonly #maxAgeMs: number
  #kept: { readonly keys: JWTVerifyGetKey; readonly atMs: number } | undefined
  #asked: Promise<JWTVerifyGetKey> | undefined

  constructor(url: string, maxAgeSeconds: number) {
    this.#url = url
    this.#maxAgeMs = maxAgeSeconds * 1_000
  }

  async keys(powers: CheckPowers, isRefreshed: boolean): Promise<JWTVerifyGetKey | undefined> {
    const kept = this.#kept
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Date.now() - kept.atMs
    if (kept !== undefined && !isRefreshed && ageMs < this.#maxAgeMs) return kept.keys
    if (isRefreshed && ageMs < COOLDOWN_MS) return undefined
    return this.#ask(powers)
  }

  /** Whoever asked first may be gone before the answer comes; the others then ask themselves. */
  async #ask(powers: CheckPowers): Promise<JWTVerifyGetKey> {
    const others = this.#asked
    if (others !== undefined) {
      const keys = await others.catch(() => undefined)
      if (keys !== undefined) return keys
    }
    const own = this.#load(powers)
    this.#asked = own
    try {
      return await own
    } finally {
      if (this.#asked === own) this.#asked = undefined
    }
  }

  async #load(powers: CheckPowers): Promise<JWTVerifyGetKey> {
    const response = await powers.fetch(this.#url, { headers: { accept: 'application/json' }, maxBytes: MAX_BYTES })
    if (response.status !== 200) throw new Error(`the server of the keys answered ${response.status}`)
    const jwks = parseJson(response.text())
    if (!isRecord(jwks) || !Array.isArray(jwks.keys)) throw new Error('the server of the keys gave no key set')
    const keys = readKeySet(jwks)
    this.#kept = { keys, atMs: Date.now() }
    return keys
  }
}
