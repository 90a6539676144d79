import { type Rehearsal, rehearsal } from './calls/slots.ts'
import { WholeBody } from './core/body.ts'
import { Call } from './core/call.ts'
import { Cancellation } from './core/cancellation.ts'
import type { Endpoint } from './core/endpoint.ts'
import type { LimitExplanation } from './core/limits.ts'
import type { Pipeline } from './core/pipeline.ts'
import type { RouteExplanation } from './core/route-explanation.ts'
import { GatewayError } from './errors/gateway-error.ts'
import type { FoundKey } from './kit/plugin.ts'

/** A call that is only imagined. */
export interface RehearsedCall {
  readonly caller: FoundKey
  readonly endpoint: Endpoint
  /** Path of the request, for conditions that ask for it. */
  readonly path?: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

export interface RehearseDeps {
  readonly pipeline: Pipeline
  readonly randomId: () => string
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/**
 * Sends an imagined call through the chain as far as its limits, and gives what they would say.
 * @throws GatewayError what the chain would have refused it with
 */
export const rehearseLimits = async (imagined: RehearsedCall, deps: RehearseDeps): Promise<LimitExplanation> => {
  const state: Rehearsal = { caller: imagined.caller }
  await deps.pipeline(toCall(imagined, state, deps))
  // Without the plugin nothing is limited.
  return state.limits ?? { allowed: true, status: 200, targets: [] }
}

/** What the router would do; `error` is what the chain would have refused the call with. */
export interface RehearsedRoute extends RouteExplanation {
  readonly error?: GatewayError
}

/** Sends an imagined call through the chain as far as the choice of its target, and gives how that is made. */
export const rehearseRoute = async (imagined: RehearsedCall, deps: RehearseDeps): Promise<RehearsedRoute> => {
  const state: Rehearsal = { caller: imagined.caller }
  try {
    await deps.pipeline(toCall(imagined, state, deps))
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    return { steps: state.route?.steps ?? [], error: thrown }
  }
  return state.route ?? { steps: [] }
}

const toCall = (
  { endpoint, path = REHEARSED, headers, body }: RehearsedCall,
  state: Rehearsal,
  { randomId, now }: RehearseDeps,
): Call => {
  const call = new Call({
    id: randomId(),
    endpoint,
    route: REHEARSED,
    request: {
      method: 'POST',
      path,
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers,
      body: new WholeBody(new TextEncoder().encode(JSON.stringify(body))),
    },
    cancellation: new Cancellation(),
    now,
    onListenerError: () => undefined,
  })
  call.set(rehearsal, state)
  return call
}

/** In the place of a route. */
const REHEARSED = 'dry run'
