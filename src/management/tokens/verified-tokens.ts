import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Clock } from '../../core/ports.ts'

/** Tokens that were verified, until they expire: checking one again costs one hash and no signature. */
export interface VerifiedTokens<Value> {
  get(token: string): Value | undefined
  /** @param expiresAtMs milliseconds since 1970 from which the token is worth nothing */
  set(token: string, value: Value, expiresAtMs: number): void
}

/** The key is the whole SHA-256 of the token, so that no two tokens share an entry and no token is kept in memory. */
export const createVerifiedTokens = <Value>(
  clock: Pick<Clock, 'now'>,
  maximumEntries: number,
): VerifiedTokens<Value> => {
  const entries = createBoundedMap<string, { readonly value: Value; readonly expiresAtMs: number }>(maximumEntries)
  return {
    get(token) {
      const name = fingerprint(token)
      const entry = entries.get(name)
      if (entry === undefined || entry.expiresAtMs > clock.now()) return entry?.value
      entries.delete(name)
      return undefined
    },
    set: (token, value, expiresAtMs) => entries.set(fingerprint(token), { value, expiresAtMs }),
  }
}

const fingerprint = (token: string): string => Bun.CryptoHasher.hash('sha256', token, 'base64')
