import type { Deprecation, Endpoint } from '../core/endpoint.ts'
import type { Pipeline } from '../core/pipeline.ts'
import type { Route } from '../core/route.ts'

/** A route with the chain that its calls run through. */
export interface RunningRoute extends Omit<Route, 'stages' | 'endpoint'> {
  readonly endpoint: Endpoint
  /** Whole, with the operator's prefix. */
  readonly path: string
  /** Plugin that brings it. */
  readonly plugin: string
  /** Names of the stages, outermost first. */
  readonly chain: readonly string[]
  readonly pipeline: Pipeline
  /** On every answer. */
  readonly headers: readonly (readonly [string, string])[]
}

/**
 * What every answer of a route that is on its way out says: RFC 9745 (`Deprecation`), RFC 8288 (`Link`), RFC 5829
 * (`successor-version`).
 */
export const deprecationHeaders = (deprecated: Deprecation | undefined, basePath: string): RunningRoute['headers'] =>
  deprecated === undefined
    ? []
    : [
        ['deprecation', `@${deprecated.since}`],
        ['link', `<${basePath}${deprecated.successor}>; rel="successor-version"`],
      ]

/** The headers of a route for a request with this path: a link names the very object that the path names. */
export const routeHeaders = ({ headers, path: pattern }: RunningRoute, path: string): RunningRoute['headers'] => {
  if (headers.length === 0 || !pattern.includes('/:')) return headers
  const given = path.split('/')
  const names = pattern.split('/')
  return headers.map(([name, value]) => [
    name,
    value.replace(/(?<=\/):[a-zA-Z]+/g, (parameter) => given[names.indexOf(parameter)] ?? parameter),
  ])
}
