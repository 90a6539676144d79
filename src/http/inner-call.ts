import { WholeBody } from '../core/bodies/body.ts'
import { Call, type CallRequest } from '../core/call.ts'
import type { Cancellation } from '../core/cancellation.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { RunningRoute } from './running-route.ts'

/** A call that Weir makes to itself. */
export interface InnerRequest {
  /** Whole, as a client would write it: `/v1/chat/completions`. */
  readonly path: string
  /** With what a client says besides its body; no gateway key is needed. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: Uint8Array
  /** Says on whose behalf it is made, before any stage sees it. */
  mark(call: Call): void
  /** Nobody waits for the answer once it is aborted. */
  readonly signal: AbortSignal
  /** Bytes of the longest answer that is taken; a longer one is an error. */
  readonly maxAnswerBytes: number
}

/** What a client would have got. */
export interface InnerAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A request of no client. */
export const requestOf = (path: string, headers: Headers, body: Uint8Array): CallRequest => ({
  method: 'POST',
  path,
  search: '',
  query: new URLSearchParams(),
  params: {},
  headers,
  body: new WholeBody(body),
})

/** What a call of no client is made with. */
export interface InnerCallParts {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Logger, 'error'>
  readonly randomId: () => string
}

/** A call of no client. @param cancellation gives it up */
export const innerCallOf = (
  { clock, log, randomId }: InnerCallParts,
  { endpoint, path }: Pick<RunningRoute, 'endpoint' | 'path'>,
  request: CallRequest,
  cancellation: Cancellation,
): Call =>
  new Call({
    ...{ id: randomId(), endpoint, route: path, request, cancellation },
    now: () => clock.monotonicMs(),
    onListenerError: (thrown) => log.error('a listener of the end of a call failed', { error: String(thrown) }),
  })
