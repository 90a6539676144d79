import { RequestBody } from './core/body.ts'
import { Call } from './core/call.ts'
import type { Endpoint } from './core/endpoint.ts'
import type { LimitExplanation } from './core/limits.ts'
import type { Pipeline } from './core/pipeline.ts'
import type { FoundKey } from './kit/plugin.ts'
import { type Rehearsal, rehearsal } from './kit/slots.ts'

/** A call that is only imagined. */
export interface RehearsedCall {
  readonly caller: FoundKey
  readonly endpoint: Endpoint
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
export const rehearseLimits = async (
  { caller, endpoint, headers, body }: RehearsedCall,
  { pipeline, randomId, now }: RehearseDeps,
): Promise<LimitExplanation> => {
  const state: Rehearsal = { caller }
  const call = new Call({
    id: randomId(),
    endpoint,
    route: REHEARSED,
    request: {
      method: 'POST',
      path: REHEARSED,
      query: new URLSearchParams(),
      headers,
      body: new RequestBody(new TextEncoder().encode(JSON.stringify(body))),
    },
    signal: new AbortController().signal,
    now,
    onListenerError: () => undefined,
  })
  call.set(rehearsal, state)
  await pipeline(call)
  // Without the plugin nothing is limited.
  return state.limits ?? { allowed: true, status: 200, targets: [] }
}

/** In the place of a route. */
const REHEARSED = 'dry run'
