import postgres, { type Sql, type TransactionSql } from 'postgres'
import { within } from '../../timing/within.ts'
import { StoreUnavailable } from '../errors.ts'
import { isConnectionLost, toStoreError } from './driver-error.ts'
import { describePostgresUrl } from './postgres-url.ts'

export interface ConnectionOptions {
  readonly databaseUrl: string
  /** Name of the connections at the server: `weir-records-reader`. */
  readonly name: string
  readonly connections: number
  /** For one statement, at the server. */
  readonly statementTimeoutMs: number
  /** For a whole piece of work, here: a server that vanished says nothing. Longer than that of a statement. */
  readonly deadlineMs: number
  /** Further settings of the server for these connections. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Makes the schema, in a transaction before the first use. */
  readonly prepare: (transaction: TransactionSql) => Promise<void>
}

/** Connections to a database that are replaced when it falls silent. The schema is made before their first use. */
export interface Connection {
  /**
   * Does some work.
   * @throws StoreUnavailable when the database cannot be used or does not answer in time, QueryFailed when it refuses
   */
  use<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_SECONDS = 5
const CLOSE_TIMEOUT_SECONDS = 2
/** A piece of work that has not failed so long after its connection was lost never will by itself. */
const LOST_MS = 2_000

/** Work that somebody waits for. */
interface Waiting {
  readonly client: Sql
  giveUp(): void
}

/** Opens no connection before it is used. @throws StoreUnavailable for what is no URL of Postgres */
export const openConnection = (options: ConnectionOptions): Connection => {
  const { databaseUrl, deadlineMs, prepare } = options
  const database = describePostgresUrl(databaseUrl)
  const waiting = new Set<Waiting>()
  /** The driver may keep what it has sent to a server that died: nobody would hear of it before the deadline. */
  const lost = (of: () => Sql): void => {
    const concerned = [...waiting].filter((each) => each.client === of())
    if (concerned.length === 0) return
    setTimeout(() => {
      for (const each of concerned) each.giveUp()
    }, LOST_MS).unref()
  }
  const open = (): Sql => {
    const opened: Sql = connect(options, () => lost(() => opened))
    return opened
  }
  let client = open()
  let isClosed = false
  let isPrepared = false

  const prepareAnd = async <T>(used: Sql, work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (!isPrepared) await used.begin(prepare)
    isPrepared = true
    return work(used)
  }

  return {
    async use(work) {
      if (isClosed) throw new StoreUnavailable(`The connection to ${database} is closed.`)
      const used = client
      let isLate = false
      const lostWork = Promise.withResolvers<never>()
      const late = (message: string): StoreUnavailable => {
        isLate = true
        return new StoreUnavailable(`The database at ${database} ${message}.`)
      }
      const entry: Waiting = { client: used, giveUp: () => lostWork.reject(late('closed the connection')) }
      waiting.add(entry)
      try {
        const done = Promise.race([prepareAnd(used, work), lostWork.promise])
        return await within(done, deadlineMs, () => late(`did not answer in ${deadlineMs} ms`))
      } catch (error) {
        // A connection whose peer vanished would hold its place for as long as TCP retries, about 15 minutes.
        if ((isLate || isConnectionLost(error)) && client === used) {
          client = open()
          void used.end({ timeout: isLate ? 0 : deadlineMs / 1_000 })
        }
        throw toStoreError(error, database)
      } finally {
        waiting.delete(entry)
      }
    },
    async close() {
      isClosed = true
      await client.end({ timeout: CLOSE_TIMEOUT_SECONDS })
    },
  }
}

const connect = (
  { databaseUrl, name, connections, statementTimeoutMs, settings }: ConnectionOptions,
  onClose: () => void,
): Sql =>
  postgres(databaseUrl, {
    max: connections,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: 60,
    onclose: onClose,
    backoff: (attempts) => Math.min(0.1 * 2 ** attempts, 2),
    // The driver prints notices by default.
    onnotice: () => undefined,
    // Whole numbers and sums of them: all of ours are far below 2⁵³, or need no more than its precision.
    types: { integer: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
    connection: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      ...settings,
    },
  }) as unknown as Sql
