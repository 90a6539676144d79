import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Strikes } from './faulted.ts'
import { KeptObjects } from './kept/objects.ts'
import { perform } from './perform.ts'
import { errorBody, jsonPlan, type Plan } from './plan.ts'
import { upgrade } from './realtime/upgrade.ts'
import { planAnswer } from './routes.ts'

/** `open` while it is answered; `completed` as planned; `aborted` when the client left first; `stopped` by `close`. */
export type Outcome = 'open' | 'completed' | 'aborted' | 'stopped'

/** What arrived, and what became of it. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  /** By lower-case name; repeated headers are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  /** The body, or its beginning when it is larger than `maxRecordedBodyBytes`. */
  readonly body: Uint8Array
  readonly bodyBytes: number
  readonly outcome: Outcome
  /** Milliseconds of `performance.now()`. */
  readonly arrivedMs: number
  /** Milliseconds of `performance.now()`; absent while open. */
  readonly endedMs?: number
}

export interface MockCounters {
  readonly received: number
  readonly open: number
  readonly completed: number
  readonly aborted: number
}

export interface MockServerOptions {
  /** Default 0: any free port. */
  readonly port?: number
  /** Requests kept in `requests`, oldest out first. Default 100. */
  readonly maxRecorded?: number
  /** Default 1 MiB. */
  readonly maxRecordedBodyBytes?: number
  /** Answers instead of the mock, in any wire format; `undefined` leaves the request to the mock. Gets the whole body. */
  readonly answer?: (request: RecordedRequest, body: Uint8Array) => Plan | undefined
  /** Called once a request has arrived whole, before it is answered. */
  readonly onRequest?: (request: RecordedRequest) => void
}

export interface MockServer {
  readonly port: number
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  readonly counters: MockCounters
  /** Resolves once no request is open. */
  idle(): Promise<void>
  /** Stops at once: timers cleared, open connections closed. */
  close(): Promise<void>
}

const MEBIBYTE = 1024 ** 2
const MAX_BODY_BYTES = 256 * MEBIBYTE
const MAX_KEYS = 10_000

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Starts the mock on the loopback address. */
export const startMockServer = async (options: MockServerOptions = {}): Promise<MockServer> => {
  const maxRecorded = options.maxRecorded ?? 100
  const maxRecordedBodyBytes = options.maxRecordedBodyBytes ?? MEBIBYTE
  const requests: RecordedRequest[] = []
  const counters: Mutable<MockCounters> = { received: 0, open: 0, completed: 0, aborted: 0 }
  const sockets = new Set<Socket>()
  const exchanges = new Set<AbortController>()
  const whenIdle: (() => void)[] = []
  const strikes = countStrikes()
  const objects = new KeptObjects()
  let stopping = false

  const planFor = (request: RecordedRequest, body: Uint8Array): Plan => {
    if (body.length > MAX_BODY_BYTES) {
      return jsonPlan(413, errorBody(`The mock takes at most ${MAX_BODY_BYTES} bytes.`, 'invalid_request_error'))
    }
    const { method, path, headers } = request
    try {
      return (
        options.answer?.(request, body) ??
        planAnswer(
          { method, path, headerNames: [...headers.keys()], contentType: headers.get('content-type') ?? '', body },
          strikes,
          objects,
        )
      )
    } catch (error) {
      // A bug of the mock or of the test's own answer: say so, as the caller would otherwise wait for ever.
      return jsonPlan(500, errorBody(`The mock failed: ${String(error)}`, 'server_error', 'mock_failed'))
    }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    const recorded: Mutable<RecordedRequest> = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: joinedHeaders(request.rawHeaders),
      rawHeaders: request.rawHeaders,
      body: new Uint8Array(0),
      bodyBytes: 0,
      outcome: 'open',
      arrivedMs: performance.now(),
    }
    let ended = false
    counters.received++
    counters.open++
    exchanges.add(gone)
    if (maxRecorded > 0) requests.push(recorded)
    if (requests.length > maxRecorded) requests.shift()
    response.once('close', () => {
      recorded.outcome = ended ? 'completed' : stopping ? 'stopped' : 'aborted'
      recorded.endedMs = performance.now()
      counters.open--
      if (recorded.outcome !== 'stopped') counters[recorded.outcome]++
      exchanges.delete(gone)
      gone.abort()
      if (counters.open === 0) for (const resolve of whenIdle.splice(0)) resolve()
    })
    const body = await readBody(request, gone.signal)
    if (body === undefined) return
    recorded.body = body.length > maxRecordedBodyBytes ? body.slice(0, maxRecordedBodyBytes) : body
    recorded.bodyBytes = body.length
    options.onRequest?.(recorded)
    const plan = planFor(recorded, body)
    await perform(plan, response, gone.signal, () => {
      ended = true
    })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  server.on('upgrade', upgrade)
  // A mock that is told to wait waits.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.keepAliveTimeout = 0
  server.timeout = 0
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listening(server, options.port ?? 0)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    counters,
    idle: () => (counters.open === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        stopping = true
        for (const exchange of exchanges) exchange.abort()
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the mock has no port'))
      else resolve(address.port)
    })
  })

/** The whole body, or nothing when the client left before it was sent. Past the limit the rest is read and dropped. */
const readBody = (request: IncomingMessage, gone: AbortSignal): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    const pieces: Uint8Array[] = []
    let bytes = 0
    request.on('data', (piece: Uint8Array) => {
      if (bytes <= MAX_BODY_BYTES) pieces.push(piece)
      bytes += piece.length
    })
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('error', () => resolve(undefined))
    gone.addEventListener('abort', () => resolve(undefined), { once: true })
  })

const joinedHeaders = (raw: readonly string[]): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? ''
    const before = headers.get(name)
    const value = raw[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

/** Counts how often the fault of each key struck. Forgets the oldest keys. */
const countStrikes = (): Strikes => {
  const counts = new Map<string, number>()
  return (key, times) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.delete(key)
    counts.set(key, count)
    const oldest = counts.size > MAX_KEYS ? counts.keys().next() : undefined
    if (oldest?.done === false) counts.delete(oldest.value)
    return count <= times
  }
}
