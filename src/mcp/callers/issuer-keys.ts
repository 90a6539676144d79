import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { createBoundedMap } from '../../core/bounded-map.ts'
import { isRecord } from '../../core/json/record.ts'
import { StoreUnavailable } from '../../errors/gateway-error.ts'
import type { AskJson } from '../logins/server-metadata.ts'

/** Keys of issuers behind addresses, each fetched once for a while. */
export interface IssuerKeySets {
  /** @returns what finds the key of a token @throws StoreUnavailable by the finding where the keys cannot be had */
  at(url: string, maxAgeSeconds: number): JWTVerifyGetKey
}

interface Kept {
  readonly keys: JWTVerifyGetKey
  readonly fetchedAtMs: number
}

const MAX_SETS = 1_000
/** Milliseconds between two fetches for a key that is not there: anybody can make its name up. */
const REFETCH_MS = 30_000

export const createIssuerKeySets = (ask: AskJson, nowMs: () => number): IssuerKeySets => {
  const kept = createBoundedMap<string, Kept>(MAX_SETS)
  const running = new Map<string, Promise<Kept>>()
  const fetchSet = async (url: string): Promise<Kept> => {
    const { status, body } = await ask(url)
    if (status !== 200 || !isRecord(body) || !Array.isArray(body.keys)) throw new Error(`status ${status}, and no keys`)
    const set = { keys: createLocalJWKSet(body as unknown as JSONWebKeySet), fetchedAtMs: nowMs() }
    kept.set(url, set)
    return set
  }
  /** What was fetched before stays in use where nothing new can be had. */
  const fetchOnce = (url: string): Promise<Kept> => {
    const already = running.get(url)
    if (already !== undefined) return already
    const started = fetchSet(url)
      .catch((thrown: unknown) => {
        const old = kept.get(url)
        if (old !== undefined) return old
        throw new StoreUnavailable('The keys that tokens for this MCP server are checked with cannot be fetched.', {
          cause: thrown,
        })
      })
      .finally(() => running.delete(url))
    running.set(url, started)
    return started
  }
  return {
    at: (url, maxAgeSeconds) => async (header, token) => {
      const known = kept.get(url)
      const isFresh = known !== undefined && nowMs() - known.fetchedAtMs < maxAgeSeconds * 1000
      const set = isFresh ? known : await fetchOnce(url)
      try {
        return await set.keys(header, token)
      } catch (thrown) {
        const mayBeNew = thrown instanceof errors.JWKSNoMatchingKey && nowMs() - set.fetchedAtMs >= REFETCH_MS
        if (!mayBeNew) throw thrown
        return (await fetchOnce(url)).keys(header, token)
      }
    },
  }
}
