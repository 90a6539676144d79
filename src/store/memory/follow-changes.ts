import type { Store } from '../types.ts'
import { readChangeCount } from './changes.ts'

export interface FollowOptions {
  /** Tables whose changes matter. */
  readonly tables: readonly string[]
  /** Brings what is in memory up to date. Never runs twice at the same time. */
  readonly refresh: () => Promise<void>
  /** Called at once for each change that is heard of, before the refresh, with the table; `*`: it may be any. */
  readonly onChange?: (table: string) => void
  /** Following or refreshing failed; it is tried again within the poll interval. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** How often to look for changes of which no message came. */
  readonly pollIntervalMs?: number | undefined
  /** Changes that come together cause one refresh. */
  readonly debounceMs?: number | undefined
}

/** Keeps something in memory in step with the database. */
export interface ChangeFollower {
  /** The change count of the database at the last refresh: equal on two gateways that hold the same. */
  readonly version: number
  /** When memory and database were last known to agree, on the clock of `performance.now()`. */
  readonly agreedAtMs: number
  /** Refreshes soon, as if a change had been heard of. */
  refresh(): void
  close(): Promise<void>
}

/**
 * The change count moves before the change is committed. No transaction outlives this at the default query timeout, so
 * that what is read later than this after the count last moved holds all of it.
 */
const SETTLE_MS = 15_000

/**
 * Refreshes once, and from then on whenever one of the tables changes: by message, or by polling where that is lost.
 * @throws what the first refresh throws
 */
export const followChanges = async (store: Store, options: FollowOptions): Promise<ChangeFollower> => {
  const { pollIntervalMs = 5_000, debounceMs = 20, onError = () => undefined, onChange = () => undefined } = options
  const tables = new Set(options.tables)
  let version = -1
  let agreedAtMs = 0
  let settledAtMs = 0
  let running: Promise<void> | undefined
  let isStale = false
  let debounce: Timer | undefined
  let stopListening: (() => Promise<void>) | undefined
  let isClosed = false

  const read = async (): Promise<void> => {
    const startedAtMs = performance.now()
    // The count first: a change between the two is then read twice rather than never.
    const count = await readChangeCount(store.db)
    await options.refresh()
    if (count !== version) settledAtMs = performance.now() + SETTLE_MS
    version = count
    agreedAtMs = startedAtMs
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

  const refreshNow = (): void => {
    isStale = true
    running ??= readWhileStale()
  }

  const refresh = (): void => {
    // Not put off again by each further change: under constant writes it would never come.
    debounce ??= setTimeout(() => {
      debounce = undefined
      refreshNow()
    }, debounceMs)
  }

  const listen = async (): Promise<void> => {
    stopListening = await store.onChange((table) => {
      if (table !== '*' && !tables.has(table)) return
      onChange(table)
      refresh()
    })
  }

  const poll = async (): Promise<void> => {
    try {
      if (stopListening === undefined) await listen()
      const startedAtMs = performance.now()
      const hasMoved = (await readChangeCount(store.db)) !== version
      if (hasMoved) onChange('*')
      if (hasMoved || isStale || startedAtMs < settledAtMs) refreshNow()
      else agreedAtMs = startedAtMs
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
    get version() {
      return version
    },
    get agreedAtMs() {
      return agreedAtMs
    },
    refresh,
    async close() {
      isClosed = true
      clearInterval(timer)
      await polling
      clearTimeout(debounce)
      await running
      await stopListening?.()
    },
  }
}

/** What was read of the database, kept in step with it. */
export interface Snapshot {
  /** The change count of the database when it was read. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

/** When reading again fails, what was read before stays in use. */
export type SnapshotOptions = Omit<FollowOptions, 'tables' | 'refresh' | 'onChange'>

/**
 * Reads tables, and again whenever one of them changes.
 * @param find what is found in that which was read last
 * @throws StoreUnavailable when they cannot be read the first time
 */
export const createSnapshot = async <Content, Find extends object>(
  store: Store,
  {
    read,
    find,
    ...options
  }: Omit<FollowOptions, 'refresh'> & {
    readonly read: (before: Content | undefined) => Promise<Content>
    readonly find: (content: () => Content | undefined) => Find
  },
): Promise<Find & Snapshot> => {
  let content: Content | undefined
  const follower = await followChanges(store, {
    ...options,
    async refresh() {
      content = await read(content)
    },
  })
  return {
    ...find(() => content),
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}
