import { sql } from 'drizzle-orm'
import { drizzle, PostgresJsSession } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { within } from '../../timing/within.ts'
import { StoreUnavailable } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { type Store, schema } from '../types.ts'
import { toStoreError } from './driver-error.ts'
import { guard } from './guard.ts'
import { describePostgresUrl } from './postgres-url.ts'

export interface PostgresOptions {
  readonly databaseUrl: string
  readonly queryTimeoutMs: number
}

/** Under the 5 s in which a start must say that the database is away. */
const REACH_TIMEOUT_MS = 4_500
const MIGRATION_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_SECONDS = 2
const CONNECTIONS = 8

/** @throws StoreUnavailable naming host, port and the reason, within 5 s when the server does not answer */
export const openPostgres = async ({ databaseUrl, queryTimeoutMs }: PostgresOptions): Promise<Store> => {
  const database = describePostgresUrl(databaseUrl)
  const connect = () => drizzle(createClient(databaseUrl, queryTimeoutMs), { schema, casing: 'snake_case' })
  const db = connect()
  const session = db._.session
  let client = db.$client
  let replacedAtMs = Number.NEGATIVE_INFINITY
  const replace = (): typeof client => {
    const old = client
    replacedAtMs = performance.now()
    client = connect().$client
    if (session instanceof PostgresJsSession) session.client = client
    return old
  }
  try {
    const reached = db.execute(sql`select 1`)
    await within(reached, REACH_TIMEOUT_MS, () => unavailable(database, 'no answer'))
    await within(migrate(db), MIGRATION_TIMEOUT_MS, () => unavailable(database, 'migrations took too long'))
  } catch (error) {
    await client.end({ timeout: 0 })
    throw openError(error, database)
  }
  const { isFull } = guard(db, {
    deadlineMs: queryTimeoutMs,
    database,
    // A connection whose peer vanished would hold its place in the pool for as long as TCP retries, about 15 minutes.
    onSilence: () => void replace().end({ timeout: 0 }),
    // Its other connections may be sound: what they do comes to its end. Several queries may hear of the same one.
    onConnectionLost() {
      if (performance.now() - replacedAtMs < REACH_TIMEOUT_MS) return
      void replace().end({ timeout: queryTimeoutMs / 1_000 })
    },
  })
  // Listening has a connection of its own, so that replacing the pool leaves it alone.
  const listening = createClient(databaseUrl, queryTimeoutMs)

  return {
    db,
    kind: 'postgres',
    isFull,
    async ping() {
      await db.execute(sql`select 1`)
    },
    async onChange(listener) {
      let wasListening = false
      const onListening = () => {
        if (wasListening) listener('*')
        wasListening = true
      }
      try {
        const started = listening.listen('weir_changed', listener, onListening)
        const { unlisten } = await within(started, queryTimeoutMs, () => unavailable(database, 'no answer'))
        return async () => {
          // The listener is off at once; telling the server is a courtesy that must not hold up a shutdown.
          await within(unlisten(), queryTimeoutMs).catch(() => undefined)
        }
      } catch (error) {
        throw toStoreError(error, database)
      }
    },
    async close() {
      await Promise.all([client, listening].map((open) => open.end({ timeout: CLOSE_TIMEOUT_SECONDS })))
    },
  }
}

const createClient = (databaseUrl: string, queryTimeoutMs: number) =>
  postgres(databaseUrl, {
    max: CONNECTIONS,
    connect_timeout: REACH_TIMEOUT_MS / 1_000,
    idle_timeout: 60,
    backoff: (attempts) => Math.min(0.1 * 2 ** attempts, 2),
    // The driver prints notices by default.
    onnotice: () => undefined,
    connection: {
      application_name: 'weir',
      statement_timeout: queryTimeoutMs,
      lock_timeout: queryTimeoutMs,
      idle_in_transaction_session_timeout: queryTimeoutMs,
    },
  })

const unavailable = (database: string, reason: string): StoreUnavailable =>
  new StoreUnavailable(`The database at ${database} cannot be used: ${reason}.`)

const openError = (error: unknown, database: string): Error => {
  const known = toStoreError(error, database)
  if (known instanceof StoreUnavailable) return known
  const reason = known instanceof Error ? known.message : 'unknown reason'
  return unavailable(database, reason.replace(/\.$/, ''))
}
