import { defined } from './defined.ts'
import type { Deprecation, Endpoint, EndpointRoute } from './endpoint.ts'
import type { Stage } from './pipeline.ts'

/** A route that runs the whole chain. */
export interface Route {
  /** `ALL`: whatever the client used. */
  readonly method: EndpointRoute['method'] | 'ALL'
  /** Below the operator's prefix; `:name` stands for a segment, `*` at the end for any rest. */
  readonly path: string
  /** Id of what its calls are, unless one of its stages finds out otherwise. */
  readonly endpoint: string
  /** Run for calls of this route only, right before `config`, unless the default order knows their name. */
  readonly stages?: readonly Stage[]
  readonly deprecated?: Deprecation
}

/** Clients end their base URL with a version, with the one of Azure's undated API, or with none. */
const ROOTS = ['/v1', '/v2', '/openai/v1', '']

/** Where an endpoint is served below the operator's prefix, its first address in front. */
export const routesOf = ({ id, routes, stages, deprecated }: Endpoint): readonly Route[] =>
  routes.flatMap(({ method, path, roots = ROOTS }) =>
    roots.map((root) => ({ method, path: `${root}${path}`, endpoint: id, ...defined({ stages, deprecated }) })),
  )
