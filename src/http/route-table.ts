import type { Route } from '../core/route.ts'

/** A route that answers without a key, about the process itself and nothing else. */
export interface PublicRoute {
  readonly method: 'GET'
  readonly path: '/healthz' | '/readyz'
}

const VERSIONS = ['/v1', '/v2']

const ENDPOINT_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/chat/completions', endpoint: 'chat' },
  { method: 'POST', path: '/completions', endpoint: 'completions' },
  { method: 'POST', path: '/embeddings', endpoint: 'embeddings' },
  { method: 'GET', path: '/models', endpoint: 'models' },
]

/** The routes of the interface that no plugin brings, under each version. */
export const INFERENCE_ROUTES: readonly Route[] = VERSIONS.flatMap((version) =>
  ENDPOINT_ROUTES.map((route) => ({ ...route, path: `${version}${route.path}` })),
)

export const PUBLIC_ROUTES: readonly PublicRoute[] = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
]
