import { createBoundedMap } from '../../core/bounded-map.ts'
import { followChanges } from '../../store/memory/follow-changes.ts'
import { type LiveApiKey, readLiveKeys } from '../../store/memory/live-keys.ts'
import type { Store } from '../../store/types.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** The keys that access tokens stand for, in memory, in step with the database. */
export interface KeysById {
  /**
   * The record of a key, whatever its status but revoked. At once for one that was asked for lately.
   * @throws StoreUnavailable when the database would have to be asked and does not answer
   */
  find(keyId: string): MaybePromise<LiveApiKey | undefined>
  /** Stops following the database. */
  close(): Promise<void>
}

export interface KeysByIdOptions {
  /** Following the database failed; what is known stays in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly maximumEntries?: number
  /** For how long a known key works while the database is away. */
  readonly maximumStaleMs?: number
  /** Milliseconds on the clock of `performance.now()`. */
  readonly monotonicMs?: () => number
}

interface Entry {
  readonly keyId: string
  readonly record: LiveApiKey | undefined
  readonly readAtMs: number
}

/** Keys read again by one query. */
const BATCH = 1_000

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createKeysById = async (store: Store, options: KeysByIdOptions = {}): Promise<KeysById> => {
  const { maximumEntries = 10_000, maximumStaleMs = 600_000, monotonicMs = () => performance.now() } = options
  const entries = createBoundedMap<string, Entry>(maximumEntries)
  const running = new Map<string, Promise<LiveApiKey | undefined>>()
  let changes = 0

  const read = async (keyIds: readonly string[]): Promise<readonly Entry[]> => {
    const readAtMs = monotonicMs()
    const records = new Map((await readLiveKeys(store.db, keyIds)).map(({ record }) => [record.id, record]))
    return keyIds.map((keyId) => ({ keyId, record: records.get(keyId), readAtMs }))
  }

  const follower = await followChanges(store, {
    tables: ['api_keys', 'workspaces'],
    async refresh() {
      const known = [...entries.values()].map(({ keyId }) => keyId)
      for (let start = 0; start < known.length; start += BATCH) {
        for (const entry of await read(known.slice(start, start + BATCH))) entries.replace(entry.keyId, entry)
      }
    },
    onChange() {
      changes++
    },
    onError: options.onError,
    pollIntervalMs: options.pollIntervalMs,
  })

  const lookUp = async (keyId: string): Promise<LiveApiKey | undefined> => {
    const changesBefore = changes
    const [entry] = await read([keyId])
    if (entry === undefined) return undefined
    entries.set(keyId, entry)
    // It may have been read before the change, and kept after the others were read again.
    if (changes !== changesBefore) follower.refresh()
    return entry.record
  }

  /** One look-up of a key at a time. */
  const lookUpOnce = (keyId: string): Promise<LiveApiKey | undefined> => {
    const current = running.get(keyId)
    if (current !== undefined) return current
    const started = lookUp(keyId).finally(() => running.delete(keyId))
    running.set(keyId, started)
    return started
  }

  return {
    find(keyId) {
      const entry = entries.get(keyId)
      if (entry === undefined) return lookUpOnce(keyId)
      const agreedAtMs = Math.max(entry.readAtMs, follower.agreedAtMs)
      return monotonicMs() - agreedAtMs < maximumStaleMs ? entry.record : lookUpOnce(keyId)
    },
    close: () => follower.close(),
  }
}
