import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client-web'
import { unavailableReason } from '../../store/database/driver-error.ts'
import { QueryFailed, StoreFull, StoreUnavailable } from '../../store/errors.ts'
import { within } from '../../timing/within.ts'
import { BatchRefused } from '../store.ts'

export interface ClientOptions {
  /** `http://user:password@host:port`, https in the open. */
  readonly url: string
  /** Of a request, here. Longer than what the server is told. */
  readonly timeoutMs: number
  readonly settings: ClickHouseSettings
}

/** A connection, and what stops its requests. */
export interface Asking {
  readonly client: ClickHouseClient
  readonly signal: AbortSignal
}

export interface Client {
  /**
   * Does some work.
   * @throws StoreUnavailable when ClickHouse cannot be used or does not answer in time, ClickhouseRefused when it refuses
   */
  use<T>(work: (asking: Asking) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** ClickHouse answered with an error. Its message may hold values of rows, so only the code is kept. */
export class ClickhouseRefused extends QueryFailed {
  readonly code: number

  constructor(code: number) {
    super(undefined, undefined)
    this.code = code
    this.message = `ClickHouse refused a query (code ${code}).`
  }
}

/** Opens no connection before it is used. @throws StoreUnavailable for what is no URL of ClickHouse */
export const openClient = ({ url, timeoutMs, settings }: ClientOptions): Client => {
  const place = describeUrl(url)
  const client = createClient({
    // Tables are named with their database, which may have to be made first.
    url: new URL('/', url),
    application: 'weir',
    request_timeout: timeoutMs,
    max_open_connections: 10,
    clickhouse_settings: settings,
    // The package writes to the console by default.
    log: { level: ClickHouseLogLevel.OFF },
  })
  return {
    async use(work) {
      const stop = new AbortController()
      try {
        const late = () => new StoreUnavailable(`ClickHouse at ${place} did not answer in ${timeoutMs} ms.`)
        // The package waits without end for the rest of an answer that has begun.
        return await within(work({ client, signal: stop.signal }), timeoutMs, late)
      } catch (error) {
        stop.abort()
        throw toStoreError(error, place)
      }
    },
    close: () => client.close(),
  }
}

/** `host:port`, for messages: never the user, the password or the parameters. */
export const describeUrl = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !(url.protocol === 'http:' || url.protocol === 'https:') || url.hostname === '') {
    throw new StoreUnavailable('The URL of ClickHouse is not of the form https://user:password@host:port.')
  }
  return url.host
}

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const DISK_FULL = 243
const UNAVAILABLE: Readonly<Record<number, string>> = {
  159: 'the query took too long',
  160: 'the query would take too long',
  158: 'the query reads too many rows',
  307: 'the query reads too many bytes',
  396: 'the answer is too large',
  192: 'the user is not known',
  193: 'the password was refused',
  194: 'a password is needed',
  195: 'the login was refused',
  202: 'too many queries',
  209: 'no answer inside the cluster',
  210: 'a server of the cluster cannot be reached',
  225: 'its Keeper cannot be reached',
  241: 'it has no memory left',
  242: 'the table is read-only',
  252: 'too many parts are waiting to be merged',
  279: 'no server of the cluster can be reached',
  285: 'too few replicas can be reached',
  319: 'whether it was stored is not known',
  439: 'it cannot start a thread',
  497: 'permission denied',
  516: 'the login was refused',
  745: 'it is overloaded',
  999: 'its Keeper cannot be used',
}

const toStoreError = (error: unknown, place: string): unknown => {
  if (error instanceof StoreUnavailable || error instanceof BatchRefused) return error
  if (error instanceof ClickHouseError) {
    const code = Number(error.code)
    if (code === DISK_FULL) return new StoreFull(`The disk of ClickHouse at ${place} is full.`)
    const reason = UNAVAILABLE[code]
    return reason === undefined
      ? new ClickhouseRefused(code)
      : new StoreUnavailable(`ClickHouse at ${place} cannot be used: ${reason}.`)
  }
  // A mistake of ours, where it has no code of the system.
  if (error instanceof TypeError && !('code' in error)) return error
  return new StoreUnavailable(`ClickHouse at ${place} cannot be used: ${unavailableReason(error) ?? 'no answer'}.`)
}
