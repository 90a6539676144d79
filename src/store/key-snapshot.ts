import { type ApiKeyRecord, type HashedApiKey, listUsableApiKeys, readChangeCount } from './api-keys.ts'
import { describeKey, MAXIMUM_KEY_LENGTH, MINIMUM_KEY_LENGTH, sameHash } from './key-material.ts'
import type { Store } from './types.ts'

/** All keys in memory: checking one needs neither the database nor an await. */
export interface KeySnapshot {
  /**
   * The record of a key, whatever its status but revoked: the caller judges `status`, `expiresAt` and `scopes`.
   * @returns undefined for a key that is not stored
   */
  find(key: string): ApiKeyRecord | undefined
  /** The change count of the database when the keys were read: equal on two gateways that hold the same keys. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

export interface KeySnapshotOptions {
  /** The keys could not be read again; the last ones stay in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  /** How often to look for changes of which no message came. */
  readonly pollIntervalMs?: number
  /** Changes that come together are read once. */
  readonly debounceMs?: number
}

/**
 * The change count moves before the change is committed. No transaction outlives this at the default query timeout, so
 * that keys read later than this after the count last moved hold all of it.
 */
const SETTLE_MS = 15_000

/** @throws StoreUnavailable when the keys cannot be read the first time */
export const createKeySnapshot = async (store: Store, options: KeySnapshotOptions = {}): Promise<KeySnapshot> => {
  const { onError = () => undefined, pollIntervalMs = 5_000, debounceMs = 20 } = options
  let keys: ReadonlyMap<string, HashedApiKey> = new Map()
  let version = -1
  let settledAtMs = 0
  let running: Promise<void> | undefined
  let isStale = false
  let debounce: Timer | undefined
  let stopListening: (() => Promise<void>) | undefined
  let isClosed = false

  const read = async (): Promise<void> => {
    // The count first: a change between the two is then read twice rather than never.
    const count = await readChangeCount(store.db)
    const rows = await listUsableApiKeys(store.db)
    keys = new Map(rows.map((row) => [row.record.publicId, freeze(row)]))
    if (count !== version) settledAtMs = performance.now() + SETTLE_MS
    version = count
  }

  const readWhileStale = async (): Promise<void> => {
    try {
      while (isStale && !isClosed) {
        isStale = false
        await read()
      }
    } catch (error) {
      isStale = true
      onError(error)
    } finally {
      running = undefined
    }
  }

  const refresh = (): void => {
    isStale = true
    running ??= readWhileStale()
  }

  const listen = async (): Promise<void> => {
    stopListening = await store.onChange((table) => {
      if (table !== 'api_keys' && table !== '*') return
      // Not put off again by each further change: under constant writes the keys would never be read.
      debounce ??= setTimeout(() => {
        debounce = undefined
        refresh()
      }, debounceMs)
    })
  }

  const poll = async (): Promise<void> => {
    try {
      if (stopListening === undefined) await listen()
      if (isStale || performance.now() < settledAtMs || (await readChangeCount(store.db)) !== version) refresh()
    } catch (error) {
      onError(error)
    }
  }

  // Listening comes first, or a change between the two would go unnoticed until the next poll.
  await listen().catch(onError)
  try {
    await read()
  } catch (error) {
    await stopListening?.()
    throw error
  }
  let polling: Promise<void> | undefined
  const timer = setInterval(() => {
    polling ??= poll().finally(() => {
      polling = undefined
    })
  }, pollIntervalMs)
  timer.unref()

  return {
    find(key) {
      if (key.length < MINIMUM_KEY_LENGTH || key.length > MAXIMUM_KEY_LENGTH) return undefined
      const { publicId, hash } = describeKey(key)
      const found = keys.get(publicId)
      return found !== undefined && sameHash(found.hash, hash) ? found.record : undefined
    },
    get version() {
      return version
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(debounce)
      await polling
      await running
      await stopListening?.()
    },
  }
}

/** One record is shared by all requests of its key. */
const freeze = ({ record, hash }: HashedApiKey): HashedApiKey => ({ record: Object.freeze(record), hash })
