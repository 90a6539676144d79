import { createBoundedMap } from '../../core/bounded-map.ts'
import { describeKey, hashKey, MAXIMUM_KEY_LENGTH, MINIMUM_KEY_LENGTH, sameHash } from '../key-material.ts'
import type { Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'
import { findLiveKeys, type LiveApiKey, type LiveKeyRow, readLiveKeys, readLiveKeyVersions } from './live-keys.ts'
import { createLookUps } from './look-ups.ts'

/** The keys in use, in memory: checking one of them needs neither the database nor an await. */
export interface KeyCache {
  /**
   * The record of a key, whatever its status but revoked: the caller judges `status`, `expiresAt`, `scopes` and
   * `workspace.status`. At once for a key that was used lately, and for one that was unknown lately; else a promise.
   * @returns undefined for a key that is not stored, and for the former secret of a rotated key once its time is over
   * @throws StoreUnavailable when the database would have to be asked and does not answer (by the promise, or at once)
   */
  find(key: string): LiveApiKey | undefined | Promise<LiveApiKey | undefined>
  /** The change count of the database that all cached keys are in step with. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

export interface KeyCacheOptions {
  /** Following the database failed; the cached keys stay in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly debounceMs?: number
  /** Secrets that are kept, the least used forgotten first. */
  readonly maximumEntries?: number
  /** For how long a secret that is not stored is refused without asking again. */
  readonly unknownMs?: number
  /** For how long a cached key works while the database is away. */
  readonly maximumStaleMs?: number
  readonly lookupTimeoutMs?: number
  /** Looked up at the same time; more are turned away, so that a flood of made-up keys cannot fill the memory. */
  readonly maximumLookups?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds on the clock of `performance.now()`. */
  readonly monotonicMs?: () => number
}

interface Entry {
  readonly hash: string
  readonly record: LiveApiKey
  readonly version: string
  /** When the secret ends, in milliseconds since 1970: infinite unless it is a former one. */
  readonly endsAtMs: number
  readonly readAtMs: number
}

/** Keys compared with the database by one query. */
const REVALIDATION_BATCH = 1_000
const MAXIMUM_SCOPE_LISTS = 1_000

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createKeyCache = async (store: Store, options: KeyCacheOptions = {}): Promise<KeyCache> => {
  const { maximumEntries = 10_000, unknownMs = 5_000, maximumStaleMs = 600_000 } = options
  const { lookupTimeoutMs = 2_000, maximumLookups = 256 } = options
  const { now = Date.now, monotonicMs = () => performance.now() } = options
  const entries = createBoundedMap<string, Entry>(maximumEntries)
  const unknownUntilMs = createBoundedMap<string, number>(maximumEntries)
  const scopeLists = createBoundedMap<string, string[]>(MAXIMUM_SCOPE_LISTS)
  const lookUps = createLookUps<LiveApiKey | undefined>('key', maximumLookups, lookupTimeoutMs)
  let changes = 0

  /** Most keys have one of a few lists of up to a hundred scopes: those are kept once. */
  const shareScopes = (record: LiveApiKey): LiveApiKey => {
    const text = record.scopes.join(' ')
    const scopes = scopeLists.get(text) ?? record.scopes
    scopeLists.set(text, scopes)
    return { ...record, scopes }
  }

  const toEntry = (row: LiveKeyRow, hash: string): Entry | undefined => {
    const endsAtMs = endOf(row, hash)
    if (endsAtMs === undefined || endsAtMs <= now()) return undefined
    return {
      hash,
      record: Object.freeze(shareScopes(row.record)),
      version: row.version,
      endsAtMs,
      readAtMs: monotonicMs(),
    }
  }

  /** Compares every cached key with the database: what was revoked goes, what was changed is read again. */
  const revalidate = async (): Promise<void> => {
    const cached = Map.groupBy(entries.values(), ({ record }) => record.id)
    const ids = [...cached.keys()]
    for (let start = 0; start < ids.length; start += REVALIDATION_BATCH) {
      const batch = ids.slice(start, start + REVALIDATION_BATCH)
      const versions = await readLiveKeyVersions(store.db, batch)
      const changed = batch.filter((id) => cached.get(id)?.some(({ version }) => version !== versions.get(id)))
      if (changed.length === 0) continue
      const rows = new Map((await readLiveKeys(store.db, changed)).map((row) => [row.record.id, row]))
      for (const entry of changed.flatMap((id) => cached.get(id) ?? [])) {
        // Unless it was looked up anew meanwhile.
        if (entries.peek(entry.hash) !== entry) continue
        const row = rows.get(entry.record.id)
        const fresh = row && toEntry(row, entry.hash)
        if (fresh === undefined) entries.delete(entry.hash)
        else entries.replace(entry.hash, fresh)
      }
    }
  }

  const follower = await followChanges(store, {
    tables: ['api_keys', 'workspaces'],
    refresh: revalidate,
    onChange() {
      changes++
      // A key that was unknown may have been made.
      unknownUntilMs.clear()
    },
    onError: options.onError,
    pollIntervalMs: options.pollIntervalMs,
    debounceMs: options.debounceMs,
  })

  const lookUp = async (key: string, hash: string): Promise<LiveApiKey | undefined> => {
    const changesBefore = changes
    const rows = await lookUps.inTime(findLiveKeys(store.db, describeKey(key).publicId))
    const entry = rows.map((row) => toEntry(row, hash)).find((found) => found !== undefined)
    if (entry !== undefined) {
      entries.set(hash, entry)
      // It may have been read before the change, and kept after the others were compared.
      if (changes !== changesBefore) follower.refresh()
      return entry.record
    }
    entries.delete(hash)
    if (changes === changesBefore) unknownUntilMs.set(hash, monotonicMs() + unknownMs)
    return undefined
  }

  return {
    find(key) {
      if (key.length < MINIMUM_KEY_LENGTH || key.length > MAXIMUM_KEY_LENGTH) return undefined
      const hash = hashKey(key)
      const entry = entries.get(hash)
      if (entry === undefined) {
        const untilMs = unknownUntilMs.get(hash)
        return untilMs !== undefined && monotonicMs() < untilMs
          ? undefined
          : lookUps.once(hash, () => lookUp(key, hash))
      }
      if (entry.endsAtMs <= now()) return undefined
      const agreedAtMs = Math.max(entry.readAtMs, follower.agreedAtMs)
      return monotonicMs() - agreedAtMs < maximumStaleMs ? entry.record : lookUps.once(hash, () => lookUp(key, hash))
    },
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}

/** When the secret stops being one of the key, in milliseconds since 1970, or undefined when it is none. */
const endOf = ({ hash, previousHash, record }: LiveKeyRow, wanted: string): number | undefined => {
  if (sameHash(hash, wanted)) return Number.POSITIVE_INFINITY
  if (previousHash === null || !sameHash(previousHash, wanted)) return undefined
  return record.previousExpiresAt?.getTime()
}
