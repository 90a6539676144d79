import { StoreUnavailable } from '../../store/errors.ts'
import { startWorker } from '../start-worker.ts'
import type { RecordReader, RetentionRules } from '../store.ts'
import type { FromWorker, Opening, Request, Result, ToWorker } from './protocol.ts'

export interface SqliteReaderOptions {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** What is kept how long, as it is now. */
  readonly rules: () => RetentionRules
  readonly warn?: (message: string) => void
  /** A question that takes longer is given up. */
  readonly deadlineMs?: number
}

/** A step of the worker cannot be stopped; one that is this late does not come to an end, and the worker is replaced. */
const GRACE_MS = 5_000
const TOO_LONG = 'The records cannot be read now. It takes too long'
/** Requests that wait at most. */
const MOST_WAITING = 256

interface Waiting {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
  /** Until its deadline, and then until the worker is given up. */
  timer: Timer
}

interface Running {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

/** The reading end of the embedded store: a worker reads the files, and this thread only waits for it. */
export const openSqliteReader = (options: SqliteReaderOptions): RecordReader => {
  const { folder, now, rules, warn = () => {}, deadlineMs = 5_000 } = options
  let running: Running | undefined
  let lastId = 0
  let isClosed = false

  /** Ends a worker. Whoever waits for it is told, and the next request starts another. */
  const end = (which: Running, why: string): void => {
    if (running === which) running = undefined
    which.worker.terminate()
    for (const { reject, timer } of which.waiting.values()) {
      clearTimeout(timer)
      reject(new StoreUnavailable(why))
    }
    which.waiting.clear()
  }

  const settle = ({ waiting }: Running, id: number): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    clearTimeout(found?.timer)
    return found
  }

  const start = (): Running => {
    const worker = startWorker('sqlite/reader-worker.ts')
    const started: Running = { worker, waiting: new Map() }
    worker.unref()
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('warning' in data) return warn(data.warning)
      const found = settle(started, data.id)
      if ('result' in data) found?.resolve(data.result)
      else found?.reject(new StoreUnavailable(`The records cannot be read now. ${data.failure}`))
    }
    worker.onerror = ({ message }) => {
      warn(`The reader of records stopped: ${message}`)
      end(started, 'The reader of records stopped')
    }
    worker.postMessage({ folder } satisfies Opening)
    return started
  }

  const request = (asked: Request): Promise<Result> => {
    if (isClosed) return Promise.reject(new StoreUnavailable('The records are closed'))
    running ??= start()
    const current = running
    if (current.waiting.size >= MOST_WAITING) {
      return Promise.reject(new StoreUnavailable('Too many questions about records wait for their answers'))
    }
    const id = ++lastId
    return new Promise<Result>((resolve, reject) => {
      const late = (): void => {
        warn('The reader of records did not answer in time: it is started again')
        end(current, TOO_LONG)
      }
      const waiting: Waiting = {
        resolve,
        reject,
        timer: setTimeout(() => {
          reject(new StoreUnavailable(TOO_LONG))
          waiting.timer = setTimeout(late, GRACE_MS)
        }, deadlineMs),
      }
      current.waiting.set(id, waiting)
      const message: ToWorker = {
        id,
        request: asked,
        deadlineMs: Date.now() + deadlineMs,
        nowMs: now(),
        rules: rules(),
      }
      current.worker.postMessage(message)
    })
  }

  /** The worker answers a request with what the method of its name gives. */
  const call = <Method extends Request['do']>(asked: Request & { readonly do: Method }) =>
    request(asked) as ReturnType<RecordReader[Method]>

  return {
    ask: (question) => call({ do: 'ask', question }),
    find: (organisationId, callId) => call({ do: 'find', organisationId, callId }),
    page: (filter, page) => call({ do: 'page', filter, options: page }),
    bodies: (records) => call({ do: 'bodies', records: records.map(({ id, time }) => ({ id, time })) }),
    arrivals: (since, limit) => call({ do: 'arrivals', since, limit }),
    feedback: (organisationId, id) => call({ do: 'feedback', organisationId, id }),
    size: () => call({ do: 'size' }),
    async close() {
      isClosed = true
      if (running !== undefined) end(running, 'The records are closed')
    },
  }
}
