import { defined } from '../core/defined.ts'
import { openPglite } from './database/pglite.ts'
import { openPostgres } from './database/postgres.ts'
import type { Store } from './types.ts'

export type { Db, Store } from './types.ts'

export interface StoreOptions {
  /** `postgres://user:password@host:port/database`. Absent: the database runs inside this process, in `dataDir`. */
  readonly databaseUrl?: string
  /** Where the embedded database lives. Made when missing; one process at a time. Untouched when there is a URL. */
  readonly dataDir: string
  /** Hears that an embedded database is made now, which takes seconds. */
  readonly onCreate?: (folder: string) => void
  /** The longest a query, or a transaction as a whole, may take. */
  readonly queryTimeoutMs?: number
}

const DEFAULT_QUERY_TIMEOUT_MS = 5_000

/**
 * Opens the database and brings its schema up to date.
 * @throws StoreUnavailable, within 5 s when a Postgres server does not answer; its message never holds the password
 */
export const openStore = (options: StoreOptions): Promise<Store> => {
  const { databaseUrl, dataDir, onCreate, queryTimeoutMs = DEFAULT_QUERY_TIMEOUT_MS } = options
  return databaseUrl === undefined
    ? openPglite(defined({ dataDir, queryTimeoutMs, onCreate }))
    : openPostgres({ databaseUrl, queryTimeoutMs })
}
