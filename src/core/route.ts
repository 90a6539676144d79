import type { Endpoint } from './endpoint.ts'
import type { Stage } from './pipeline.ts'

/** That a route is on its way out, and what takes its place. Every answer of it says so. */
export interface Deprecation {
  /** Seconds since 1970 (RFC 9745). */
  readonly since: number
  /** Path of the route to use instead, below the operator's prefix: `/v1/chat/completions`. */
  readonly successor: string
}

/** A route that runs the whole chain. */
export interface Route {
  /** `ALL`: whatever the client used. */
  readonly method: 'GET' | 'POST' | 'ALL'
  /** Below the operator's prefix; `:name` stands for a segment, `*` at the end for any rest. */
  readonly path: string
  /** Of its calls, unless one of its stages finds out otherwise. */
  readonly endpoint: Endpoint
  /** Run for calls of this route only, right before `config`, unless the default order knows their name. */
  readonly stages?: readonly Stage[]
  readonly deprecated?: Deprecation
}
