import postgres, { type Sql, type TransactionSql } from 'postgres'
import { within } from '../../timing/within.ts'
import { StoreUnavailable } from '../errors.ts'
import { toStoreError } from './driver-error.ts'
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

/** Opens no connection before it is used. @throws StoreUnavailable for what is no URL of Postgres */
export const openConnection = (options: ConnectionOptions): Connection => {
  const { databaseUrl, deadlineMs, prepare } = options
  const database = describePostgresUrl(databaseUrl)
  let client = connect(options)
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
      try {
        return await within(prepareAnd(used, work), deadlineMs, () => {
          isLate = true
          return new StoreUnavailable(`The database at ${database} did not answer in ${deadlineMs} ms.`)
        })
      } catch (error) {
        // A connection whose peer vanished would hold its place for as long as TCP retries, about 15 minutes.
        if (isLate && client === used) {
          client = connect(options)
          void used.end({ timeout: 0 })
        }
        throw toStoreError(error, database)
      }
    },
    async close() {
      isClosed = true
      await client.end({ timeout: CLOSE_TIMEOUT_SECONDS })
    },
  }
}

const connect = ({ databaseUrl, name, connections, statementTimeoutMs, settings }: ConnectionOptions): Sql =>
  postgres(databaseUrl, {
    max: connections,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: 60,
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
