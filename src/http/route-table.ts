import type { Endpoint } from '../core/endpoint.ts'

/** A route that runs the whole chain. */
export interface InferenceRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly endpoint: Endpoint
}

/** A route that answers without a key, about the process itself and nothing else. */
export interface PublicRoute {
  readonly method: 'GET'
  readonly path: '/healthz' | '/readyz'
}

const VERSIONS = ['/v1', '/v2']

const ENDPOINT_ROUTES: readonly InferenceRoute[] = [
  { method: 'POST', path: '/chat/completions', endpoint: 'chat' },
  { method: 'POST', path: '/embeddings', endpoint: 'embeddings' },
  { method: 'GET', path: '/models', endpoint: 'models' },
]

/** Every route that reaches a provider, under each version and the operator's prefix. */
export const inferenceRoutes = (basePath: string): readonly InferenceRoute[] =>
  VERSIONS.flatMap((version) =>
    ENDPOINT_ROUTES.map((route) => ({ ...route, path: `${basePath}${version}${route.path}` })),
  )

export const PUBLIC_ROUTES: readonly PublicRoute[] = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
]
