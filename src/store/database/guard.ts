import type { PgDatabase, PgQueryResultHKT, PgSession } from 'drizzle-orm/pg-core'
import { within } from '../../timing/within.ts'
import { QueryFailed, StoreFull, StoreUnavailable } from '../errors.ts'
import type { schema } from '../types.ts'
import { isConnectionLost, toStoreError } from './driver-error.ts'

export interface GuardOptions {
  /** For each query, and for each transaction as a whole. */
  readonly deadlineMs: number
  /** Named in messages: `host:port` or a folder. */
  readonly database: string
  /** The database said nothing at all for a whole deadline: its connections are dead, not busy. */
  readonly onSilence?: () => void
  /** A connection was lost, or could not be made in time. */
  readonly onConnectionLost?: () => void
}

/** What the guard has seen. */
export interface Guarded {
  /** The last change found no room on the disk of the database. */
  isFull(): boolean
}

type AnyDatabase = PgDatabase<PgQueryResultHKT, typeof schema>
type AnySession = AnyDatabase['_']['session']

/**
 * Puts a deadline on every call of a drizzle database and turns its errors into those of the store: neither driver
 * bounds the wait for a connection or for an answer, and the message of a failed drizzle query holds its parameters.
 * Works on the session, so that no query can go round it; sessions of transactions are guarded as they are made.
 */
export const guard = (db: AnyDatabase, options: GuardOptions): Guarded => {
  let lastAnswerAtMs = performance.now()
  let isFull = false

  const bounded = async <T>(start: () => Promise<T>): Promise<T> => {
    const startedAtMs = performance.now()
    try {
      return await within(start(), options.deadlineMs, () => {
        if (lastAnswerAtMs < startedAtMs) options.onSilence?.()
        return new StoreUnavailable(`The database at ${options.database} did not answer in ${options.deadlineMs} ms.`)
      })
    } catch (error) {
      if (isConnectionLost(error)) options.onConnectionLost?.()
      const known = toStoreError(error, options.database)
      isFull ||= known instanceof StoreFull
      throw known
    }
  }

  /** A nested transaction: inside the deadline of the outer one, but code in between may catch what it throws. */
  const nested = async <T>(start: () => Promise<T>): Promise<T> => {
    try {
      return await start()
    } catch (error) {
      throw toStoreError(error, options.database)
    }
  }

  const query = <T>(start: () => Promise<T>): Promise<T> =>
    bounded(async () => {
      try {
        const result = await start()
        lastAnswerAtMs = performance.now()
        return result
      } catch (error) {
        if (toStoreError(error, options.database) instanceof QueryFailed) lastAnswerAtMs = performance.now()
        throw error
      }
    })

  const guardSession = (session: AnySession): void => {
    const prepareQuery: PgSession['prepareQuery'] = session.prepareQuery.bind(session)
    session.prepareQuery = (...given: Parameters<typeof prepareQuery>) => {
      const prepared = prepareQuery(...given)
      // `all` is internal to drizzle and missing from its types; it runs the query just as `execute` does.
      for (const method of ['execute', 'all']) {
        const run: unknown = Reflect.get(prepared, method)
        if (typeof run === 'function') {
          Reflect.set(prepared, method, (...values: unknown[]) => query(async () => run.apply(prepared, values)))
        }
      }
      return prepared as never
    }
  }

  const guardDatabase = (target: AnyDatabase, boundTransaction: typeof bounded): void => {
    guardSession(target._.session)
    const transaction = target.transaction.bind(target)
    target.transaction = (work, config) => {
      const startedAtMs = performance.now()
      return boundTransaction(async () => {
        const result = await transaction(async (inner) => {
          // The caller has been told that it failed: it must not be done after all once a connection is free.
          if (performance.now() - startedAtMs > options.deadlineMs) throw new StoreUnavailable('Too late to begin.')
          guardDatabase(inner, nested)
          return work(inner)
        }, config)
        isFull = false
        return result
      })
    }
  }

  guardDatabase(db, bounded)
  return { isFull: () => isFull }
}
