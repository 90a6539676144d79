import type { Call } from '../core/call.ts'

/** A call that a stage makes for the caller of another one. */
export interface InnerCall {
  /** Of its route, below no prefix: `/v1/chat/completions`, `/mcp/:name/mcp`. */
  readonly route: string
  /** What stands in the path for the names of the route. */
  readonly params?: Readonly<Record<string, string>>
  /** Besides those that a call of this kind needs. */
  readonly headers?: Readonly<Record<string, string>>
  /** Written as JSON. */
  readonly body: object
}

/** Calls of the gateway to itself, through the whole chain: limited, paid for and recorded like one of the same caller. */
export interface InnerCalls {
  /**
   * The answer as a client would get it, refusals too. It is given up with the outer call.
   * @param outer whose caller it is made for; both have one trace
   */
  open(outer: Call, asked: InnerCall): Promise<Response>
}

export const NO_INNER_CALLS: InnerCalls = {
  open: () => Promise.reject(new Error('nothing can be called')),
}
