import { collect } from '../core/bodies/answer.ts'
import { isReadyStream } from '../core/bodies/ready-stream.ts'
import { Call, type CallRequest } from '../core/call.ts'
import { Cancellation } from '../core/cancellation.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { CallRecorder } from '../core/records.ts'
import { GatewayError, Overloaded, ShuttingDown } from '../errors/gateway-error.ts'
import { logWords } from '../errors/log-words.ts'
import { DoorRequest, pathOf } from './door-request.ts'
import { type InnerAnswer, type InnerRequest, innerCallOf, requestOf } from './inner-call.ts'
import { upgradeOf } from './relay.ts'
import { errorResponse, switchProtocol, toErrorResponse, toResponse } from './respond.ts'
import { RunningCall, RunningCalls } from './running-calls.ts'
import { type RunningRoute, routeHeaders } from './running-route.ts'
import type { Spool } from './spool.ts'
import { requestBody } from './streamed-body.ts'

export interface CallsOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  readonly maxBodyBytes: number
  readonly maxUploadBytes: number
  readonly spool?: Spool | undefined
  /** Where the chain keeps what happened. */
  readonly records?: Pick<CallRecorder, 'durable'> | undefined
  /** Records can be kept no more, and there shall be no calls without. */
  readonly refusesCalls?: (() => boolean) | undefined
  readonly bodyTimeoutMs: number
  readonly maxConcurrentCalls: number
  readonly keepAliveMs: number
}

/** Runs calls through a chain and keeps count of them, so that a stop or a swap can wait for the last one. */
export interface Calls {
  /** @param params what stands in the path for the names of the route */
  run(request: Request, route: RunningRoute, params: CallRequest['params']): Response | Promise<Response>
  /**
   * A call that Weir makes to itself. It is counted like any other: a stop waits for it, and ends it.
   * @throws ShuttingDown while calls are refused; all else is in the answer, as a client would get it
   */
  runInner(request: InnerRequest, route: RunningRoute): Promise<InnerAnswer>
  readonly running: number
  /** Calls from now on are refused; those that run go on. */
  refuseNew(): void
  /** WebSockets are closed, each as soon as no response is under way on it. */
  retireSockets(): void
  /** Resolves when no call runs. */
  idle(): Promise<void>
  /** Ends the running calls with this error. */
  abortAll(error: GatewayError): void
}

export const createCalls = (options: CallsOptions): Calls => {
  const { clock, log, randomId, maxBodyBytes, maxUploadBytes, spool, bodyTimeoutMs, maxConcurrentCalls, keepAliveMs } =
    options
  const { records, refusesCalls } = options
  const durable = (): Promise<void> | undefined => records?.durable()
  const calls = new RunningCalls()
  const limits = { maxBytes: maxBodyBytes, maxUploadBytes, spool, timeoutMs: bodyTimeoutMs }
  let refusing = false

  const now = (): number => clock.monotonicMs()
  const onListenerError = (thrown: unknown): void =>
    log.error('a listener of the end of a call failed', { error: String(thrown) })

  const admit = (request: Request, route: RunningRoute, params: CallRequest['params']): RunningCall => {
    const cancellation = new Cancellation()
    const body = requestBody(request, route.endpoint, limits)
    const call = new Call({
      id: randomId(),
      endpoint: route.endpoint,
      route: route.path,
      request: new DoorRequest(request, params, body),
      cancellation,
      now,
      onListenerError,
      deprecated: route.deprecated,
    })
    if (route.headers.length > 0) {
      for (const [name, value] of routeHeaders(route, call.request.path)) call.replyHeaders.set(name, value)
    }
    const running = new RunningCall(call, cancellation, request.signal)
    calls.add(running)
    call.onFinish(() => calls.remove(running))
    if (body.kind !== 'whole') call.onFinish(() => body.close())
    running.watch()
    return running
  }

  const run = async (running: RunningCall, route: RunningRoute, request: Request): Promise<Response> => {
    const { call } = running
    try {
      const answer = await route.pipeline(call)
      if (answer.socket === undefined) {
        const response = toResponse(call, answer, { abort: running.leave, keepAliveMs, durable })
        // A stream waits by itself, before its last piece.
        const waiting = call.finished ? durable() : undefined
        if (waiting !== undefined) await waiting
        return response
      }
      const relay = switchProtocol(call, answer.headers, answer.socket, upgradeOf(request))
      // Its connection has another way to tell.
      running.ended()
      running.retire = () => relay.retire()
      if (refusing) relay.retire()
      // What the server ignores, as its connection is not HTTP any more.
      return new Response(null)
    } catch (thrown) {
      if (running.clientHasLeft) running.leave()
      const response = toErrorResponse(call, thrown)
      // A stage that goes on for a call whose client has left finds it ended: that is no fault.
      if (isOurs(thrown) && !running.clientHasLeft)
        log.error('a call failed for a reason of ours', { id: call.id, error: described(thrown) })
      const waiting = durable()
      if (waiting !== undefined) await waiting
      return response
    }
  }

  const innerAnswer = async (running: RunningCall, route: RunningRoute, maxBytes: number): Promise<InnerAnswer> => {
    const { call } = running
    try {
      const answer = await route.pipeline(call)
      const { body, status } = answer
      const bytes = isReadyStream(body) ? await collect(body, maxBytes) : body
      const response = toResponse(call, { ...answer, body: bytes }, { abort: running.leave, keepAliveMs, durable })
      await durable()
      return { status, headers: response.headers, body: bytes }
    } catch (thrown) {
      const response = toErrorResponse(call, thrown)
      if (isOurs(thrown) && !running.clientHasLeft)
        log.error('a call failed for a reason of ours', { id: call.id, error: described(thrown) })
      await durable()
      return { status: response.status, headers: response.headers, body: await response.bytes() }
    }
  }

  return {
    run(request, route, params) {
      if (refusing) {
        return refused(
          new ShuttingDown('The gateway is stopping: send the request to another instance.'),
          route,
          request,
        )
      }
      if (calls.count >= maxConcurrentCalls) {
        return refused(
          new Overloaded('The gateway is at its limit of concurrent calls.', { retryAfterMs: 1000 }),
          route,
          request,
        )
      }
      if (refusesCalls?.() === true) {
        return refused(
          new Overloaded('The gateway has no room for records of calls.', { retryAfterMs: 5000 }),
          route,
          request,
        )
      }
      return run(admit(request, route, params), route, request)
    },
    async runInner({ path, headers, body, mark, signal, maxAnswerBytes }, route) {
      if (refusing) throw new ShuttingDown('The gateway is stopping.')
      const cancellation = new Cancellation()
      const asked = requestOf(path, new Headers({ 'content-type': 'application/json', ...headers }), body)
      const call = innerCallOf({ clock, log, randomId }, route, asked, cancellation)
      mark(call)
      const running = new RunningCall(call, cancellation, signal)
      calls.add(running)
      call.onFinish(() => calls.remove(running))
      running.watch()
      return innerAnswer(running, route, maxAnswerBytes)
    },
    get running() {
      return calls.count
    },
    refuseNew() {
      refusing = true
    },
    retireSockets: () => calls.retire(),
    idle: () => calls.idle(),
    abortAll: (error) => calls.abortAll(error),
  }
}

/** Without a call there is nothing to log but the refusal itself; the connection is closed, so that the client moves on. */
const refused = (error: GatewayError, route: RunningRoute, { url }: Request): Response => {
  const headers = Object.fromEntries(routeHeaders(route, pathOf(url)))
  return errorResponse(error, new Headers({ ...headers, connection: 'close' }), route.endpoint)
}

/** An error of a provider is in the record of its call, with the status 500 too. */
const isOurs = (thrown: unknown): boolean => !(thrown instanceof GatewayError) || thrown.code === 'internal_error'

/** Faults of ours come with their stack, which names files, not data. Their message may repeat words of a provider. */
const described = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return logWords(String(thrown))
  const { name, message, stack = '' } = thrown
  const frames = stack.indexOf('\n    at ')
  return `${name}: ${logWords(message)}${frames === -1 ? '' : stack.slice(frames)}`
}
