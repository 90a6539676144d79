import { openPostgres } from './database/postgres.ts'
import { joinStore } from './database/socket-client.ts'
import { FolderInUse, StoreUnavailable } from './errors.ts'
import type { CommandStore, Store } from './types.ts'

export type { CommandStore, Db, Store } from './types.ts'

export interface StoreOptions {
  /** `postgres://user:password@host:port/database`. Absent: the database runs inside this process, in `dataDir`. */
  readonly databaseUrl?: string
  /** Where the embedded database lives. Made when missing; one process at a time. Untouched when there is a URL. */
  readonly dataDir: string
  /** Hears that an embedded database is made now, which takes seconds. */
  readonly onCreate?: (folder: string) => void
  /** Lets commands of the same user use an embedded database beside this process. Hears why they cannot. */
  readonly onUnshared?: (reason: string) => void
  /** The longest a query, or a transaction as a whole, may take. */
  readonly queryTimeoutMs?: number
}

const DEFAULT_QUERY_TIMEOUT_MS = 5_000

/**
 * Opens the database and brings its schema up to date.
 * @throws StoreUnavailable, within 5 s when a Postgres server does not answer; its message never holds the password
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { databaseUrl, queryTimeoutMs = DEFAULT_QUERY_TIMEOUT_MS, ...embedded } = options
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, queryTimeoutMs })
  // Megabytes of memory, which a gateway on Postgres need not have.
  const { openPglite } = await import('./database/pglite.ts')
  return openPglite({ ...embedded, queryTimeoutMs })
}

/** How long a command waits for a process that has the data folder and does not answer, as while it starts or stops. */
const JOIN_TIMEOUT_MS = 5_000
const JOIN_AGAIN_MS = 100

/**
 * Opens the database for one command: through the gateway, while one runs on the embedded database.
 * @throws StoreUnavailable
 */
export const openStoreForCommand = async (
  options: StoreOptions,
  joinTimeoutMs = JOIN_TIMEOUT_MS,
): Promise<CommandStore> => {
  const { dataDir, queryTimeoutMs = DEFAULT_QUERY_TIMEOUT_MS } = options
  const startedAtMs = performance.now()
  for (;;) {
    try {
      return await openStore(options)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      const joined = await joinStore({ dataDir, queryTimeoutMs })
      if (joined !== undefined) return joined
      if (performance.now() - startedAtMs > joinTimeoutMs) {
        throw new StoreUnavailable(
          `${error.message} It takes no commands now: it starts, stops, or could not open its socket.`,
        )
      }
      await Bun.sleep(JOIN_AGAIN_MS)
    }
  }
}
