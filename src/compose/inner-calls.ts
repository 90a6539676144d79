import { callerBudgets, callerKeys, callerLimits, innerCall, keyDefaults } from '../calls/slots.ts'
import type { Call } from '../core/call.ts'
import { Cancellation } from '../core/cancellation.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import { innerCallOf, requestOf } from '../http/inner-call.ts'
import { toErrorResponse, toResponse } from '../http/respond.ts'
import type { RunningRoute } from '../http/running-route.ts'
import type { InnerCalls } from '../kit/inner-calls.ts'
import type { FoundKey } from '../kit/plugin.ts'
import { principal, trace } from '../kit/slots.ts'

export interface InnerCallsOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  readonly basePath: string
  /** Those that run, once all plugins are set up. */
  readonly routes: () => readonly RunningRoute[]
}

/** Of the outer request, what is about its connection and its bytes, and not about the call. */
const OF_CONNECTION = new Set([
  ...[
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'expect',
    'host',
    'accept',
    'accept-encoding',
  ],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'idempotency-key'],
])

export const createInnerCalls = ({ clock, log, randomId, basePath, routes }: InnerCallsOptions): InnerCalls => ({
  async open(outer, { route: template, params = {}, headers = {}, body }) {
    const whole = `${basePath}${template}`
    const route = routes().find(({ method, path }) => method === 'POST' && path === whole)
    if (route === undefined) throw new Error(`nothing is served at '${template}'`)
    const cancellation = new Cancellation()
    const path = Object.entries(params).reduce(
      (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(value)),
      route.path,
    )
    const request = { ...requestOf(path, headersFor(outer, headers), toBytes(body)), params }
    const call = innerCallOf({ clock, log, randomId }, route, request, cancellation)
    call.set(innerCall, { caller: callerOf(outer) })
    const leave = (): void => cancellation.abort(outer.cancellation.reason)
    if (outer.cancellation.aborted) leave()
    outer.cancellation.addEventListener('abort', leave)
    call.onFinish(() => outer.cancellation.removeEventListener('abort', leave))
    try {
      const answer = await route.pipeline(call)
      return toResponse(call, answer, { abort: leave, keepAliveMs: 0 })
    } catch (thrown) {
      const isOurs = !(thrown instanceof GatewayError) || thrown.code === 'internal_error'
      if (isOurs) log.error('a call of the gateway to itself failed', errorFields(thrown))
      return toErrorResponse(call, thrown)
    }
  },
})

const callerOf = (outer: Call): FoundKey => ({
  principal: outer.get(principal),
  defaults: outer.get(keyDefaults),
  limits: outer.get(callerLimits),
  budgets: outer.get(callerBudgets),
})

/** What the client said of its call, which holds for the parts of it too. */
const headersFor = (outer: Call, more: Readonly<Record<string, string>>): Headers => {
  const headers = new Headers()
  outer.request.headers.forEach((value, name) => {
    if (!OF_CONNECTION.has(name)) headers.set(name, value)
  })
  const { settled } = outer.get(callerKeys)
  // Said outright: which of several texts is the key was found out already.
  if (settled !== undefined) headers.set('x-gateway-api-key', settled)
  headers.set('x-gateway-trace-id', outer.get(trace).traceId)
  headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return headers
}

const encoder = new TextEncoder()
const toBytes = (body: object): Uint8Array => encoder.encode(JSON.stringify(body))
