import type { OperatorConfig } from '../config/schema.ts'
import { toGatewayError } from '../errors/envelope.ts'
import { offerUpgrade, type Relay } from '../http/relay.ts'
import { errorResponse } from '../http/respond.ts'

/** The port or address cannot be used. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Larger than any limit of ours: the body is measured where the refusal can be put in words. */
const MAX_REQUEST_BODY_BYTES = 2 ** 40
/** Bun knows no more. */
const MAX_MESSAGE_BYTES = 2 ** 32 - 1
/** More than the largest message of a provider, and what comes with it. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** How long a connection may be silent, in seconds. Bun knows no more than 255. */
export interface IdleLimits {
  /** Between calls, and between two bytes of a request head. */
  readonly betweenCallsSeconds: number
  /** For the client of a stream: one that does not read for so long is given up. */
  readonly streamSeconds: number
}

export const IDLE_LIMITS: IdleLimits = { betweenCallsSeconds: 60, streamSeconds: 255 }

export interface ListenOptions {
  readonly idle?: IdleLimits
  /** Whether others may listen on the port as well, that of all workers. Default: no. */
  readonly reusePort?: boolean
}

/** A server of calls, some of which become WebSockets. */
export type CallServer = Bun.Server<Relay>

export type Handler = (request: Request) => Response | Promise<Response>

/**
 * Listens and hands every request to `handler()`, which may change while it runs.
 * @throws ListenError with one clear line.
 */
export const listen = (
  { host, port, maxBodyBytes }: OperatorConfig['server'],
  handler: () => Handler,
  { idle: { betweenCallsSeconds, streamSeconds } = IDLE_LIMITS, reusePort = false }: ListenOptions = {},
): CallServer => {
  try {
    return Bun.serve<Relay>({
      hostname: host,
      port,
      // Two gateways on one port would each get a part of the calls, unnoticed.
      reusePort,
      idleTimeout: betweenCallsSeconds,
      maxRequestBodySize: MAX_REQUEST_BODY_BYTES,
      development: false,
      async fetch(request, server) {
        // A model may think for minutes; the call has deadlines of its own. What is set here stays with the connection.
        server.timeout(request, 0)
        let isUpgraded = false
        if (request.method === 'GET' && request.headers.has('upgrade')) {
          offerUpgrade(request, (relay, headers) => {
            isUpgraded = server.upgrade(request, { data: relay, headers })
            return isUpgraded
          })
        }
        let response: Response
        try {
          response = await handler()(request)
        } catch (thrown) {
          // A fault of ours that no layer has put in words.
          response = errorResponse(toGatewayError(thrown))
        }
        if (isUpgraded) return undefined
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        server.timeout(request, isStream ? streamSeconds : betweenCallsSeconds)
        return response
      },
      websocket: {
        maxPayloadLength: Math.min(maxBodyBytes, MAX_MESSAGE_BYTES),
        // A client that is quiet is asked for a sign of life before that.
        idleTimeout: betweenCallsSeconds,
        perMessageDeflate: false,
        // What waits for a client that does not read. Its provider is held back long before; more than that would be lost unnoticed.
        backpressureLimit: MAX_WAITING_BYTES,
        closeOnBackpressureLimit: true,
        open: (client) => client.data.open(client),
        message: (client, message) => client.data.fromClient(message),
        drain: (client) => client.data.clientDrained(),
        close: (client, code, reason) => client.data.clientClosed(code, reason),
      },
    })
  } catch (thrown) {
    throw cannotListen(thrown, host, port, 'PORT')
  }
}

/**
 * Serves `/metrics` alone, to whoever reaches the port.
 * @throws ListenError with one clear line.
 */
export const listenForMetrics = (
  { host, port }: { readonly host: string; readonly port: number },
  metrics: () => Promise<Response>,
  reusePort = false,
): Bun.Server<undefined> => {
  try {
    return Bun.serve({
      hostname: host,
      port,
      reusePort,
      development: false,
      routes: {
        '/metrics': { GET: metrics },
        '/*': new Response('Only GET /metrics is here.\n', { status: 404 }),
      },
    })
  } catch (thrown) {
    throw cannotListen(thrown, host, port, 'WEIR_METRICS_PORT')
  }
}

/** Where a server is reached. */
export const urlOf = (hostname: string | undefined, port: number | undefined): string =>
  `http://${hostname?.includes(':') ? `[${hostname}]` : hostname}:${port}`

/** @param variable that names another port */
const cannotListen = (thrown: unknown, host: string, port: number, variable: string): ListenError => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const reason =
    code === 'EADDRINUSE'
      ? `the port is taken by another process; choose another with ${variable}`
      : code === 'EACCES'
        ? 'permission denied'
        : thrown instanceof Error
          ? thrown.message
          : String(thrown)
  return new ListenError(`cannot listen on ${host}:${port}: ${reason}`, { cause: thrown })
}
