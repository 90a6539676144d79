import { RequestBody } from '../core/body.ts'
import { Call } from '../core/call.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { ClientClosed, type GatewayError, Overloaded, ShuttingDown } from '../errors/gateway-error.ts'
import { readBody } from './read-body.ts'
import { errorResponse, toErrorResponse, toResponse } from './respond.ts'
import { type RunningRoute, routeHeaders } from './running-route.ts'

export interface CallsOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  readonly maxBodyBytes: number
  readonly bodyTimeoutMs: number
  readonly maxConcurrentCalls: number
  readonly keepAliveMs: number
}

/** Runs calls through a chain and keeps count of them, so that a stop or a swap can wait for the last one. */
export interface Calls {
  run(request: Request, route: RunningRoute): Promise<Response>
  readonly running: number
  /** Calls from now on are refused; those that run go on. */
  refuseNew(): void
  /** Resolves when no call runs. */
  idle(): Promise<void>
  /** Ends the running calls with this error. */
  abortAll(error: GatewayError): void
}

export const createCalls = (options: CallsOptions): Calls => {
  const { clock, log, randomId } = options
  const active = new Map<Call, AbortController>()
  const waiters: (() => void)[] = []
  let refusing = false

  const onListenerError = (thrown: unknown): void =>
    log.error('a listener of the end of a call failed', { error: String(thrown) })

  const admit = (request: Request, route: RunningRoute, abort: AbortController): Call => {
    const { url } = request
    const limits = { maxBytes: options.maxBodyBytes, timeoutMs: options.bodyTimeoutMs }
    const call = new Call({
      id: randomId(),
      endpoint: route.endpoint,
      route: route.path,
      request: {
        method: request.method,
        path: pathOf(url),
        get search() {
          return searchOf(url)
        },
        // Hardly any call has one that matters: taken apart only when somebody asks.
        get query() {
          return new URL(url).searchParams
        },
        headers: request.headers,
        body: new RequestBody(() => readBody(request, limits)),
      },
      signal: abort.signal,
      now: () => clock.monotonicMs(),
      onListenerError,
      ...(route.deprecated === undefined ? {} : { deprecated: route.deprecated }),
    })
    for (const [name, value] of routeHeaders(route, call.request.path)) call.replyHeaders.set(name, value)
    active.set(call, abort)
    call.onFinish(() => {
      active.delete(call)
      if (active.size === 0) for (const resolve of waiters.splice(0)) resolve()
    })
    return call
  }

  return {
    async run(request, route) {
      if (refusing) {
        return refused(
          new ShuttingDown('The gateway is stopping: send the request to another instance.'),
          route,
          request,
        )
      }
      if (active.size >= options.maxConcurrentCalls) {
        return refused(
          new Overloaded('The gateway is at its limit of concurrent calls.', { retryAfterMs: 1000 }),
          route,
          request,
        )
      }
      const abort = new AbortController()
      const call = admit(request, route, abort)
      const leave = (): void => {
        const error = new ClientClosed('The client left before the answer was complete.')
        abort.abort(error)
        // A stream that nobody reads any more has no other way to end the call.
        call.finish('client_closed', error.status, error)
      }
      call.onFinish(() => request.signal.removeEventListener('abort', leave))
      // A call ends only after the stages have had the chance to listen for it, also when its client is gone already.
      if (request.signal.aborted) abort.abort(new ClientClosed('The client left before the answer was begun.'))
      else request.signal.addEventListener('abort', leave, { once: true })
      try {
        return toResponse(call, await route.pipeline(call), { abort: leave, keepAliveMs: options.keepAliveMs })
      } catch (thrown) {
        if (request.signal.aborted) leave()
        const response = toErrorResponse(call, thrown)
        if (response.status === 500)
          log.error('a call failed for a reason of ours', { id: call.id, error: described(thrown) })
        return response
      }
    },
    get running() {
      return active.size
    },
    refuseNew() {
      refusing = true
    },
    idle: () => (active.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    abortAll(error) {
      for (const abort of active.values()) abort.abort(error)
    },
  }
}

/** The path of an absolute URL, as the server made it: always with a host and a slash behind it. */
const pathOf = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}

const searchOf = (url: string): string => {
  const [whole] = url.split('#', 1)
  const start = whole?.indexOf('?') ?? -1
  return start === -1 ? '' : (whole?.slice(start) ?? '')
}

/** Without a call there is nothing to log but the refusal itself; the connection is closed, so that the client moves on. */
const refused = (error: GatewayError, route: RunningRoute, { url }: Request): Response => {
  const headers = Object.fromEntries(routeHeaders(route, pathOf(url)))
  return errorResponse(error, new Headers({ ...headers, connection: 'close' }))
}

/** Faults of ours come with their stack: it names files, not data. */
const described = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
