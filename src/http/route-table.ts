import type { Route } from '../core/route.ts'

/** A route that answers without a key, about the process itself and nothing else. */
export interface PublicRoute {
  readonly method: 'GET'
  readonly path: string
  readonly tells: 'health' | 'readiness'
}

/** Clients end their base URL with a version, with the one of Azure's undated API, or with none. */
const ROOTS = ['/v1', '/v2', '/openai/v1', '']

const ENDPOINT_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/chat/completions', endpoint: 'chat' },
  { method: 'POST', path: '/completions', endpoint: 'completions' },
  { method: 'POST', path: '/embeddings', endpoint: 'embeddings' },
  { method: 'GET', path: '/models', endpoint: 'models' },
]

/** The routes of the interface that no plugin brings, under each root. Clients of Azure list models below `/openai`. */
export const INFERENCE_ROUTES: readonly Route[] = [
  ...ROOTS.flatMap((root) => ENDPOINT_ROUTES.map((route) => ({ ...route, path: `${root}${route.path}` }))),
  { method: 'GET', path: '/openai/models', endpoint: 'models' },
]

/** Where an endpoint is served, its first address in front. */
export const placesOf = (endpoint: Route['endpoint']): readonly string[] =>
  INFERENCE_ROUTES.filter((route) => route.endpoint === endpoint).map(({ path }) => path)

/** Probes ask the process itself, whatever stands in front of its routes; the first is asked by clients of the interface. */
export const publicRoutes = (basePath: string): readonly PublicRoute[] => [
  { method: 'GET', path: `${basePath}/v1/health`, tells: 'health' },
  { method: 'GET', path: '/health', tells: 'health' },
  { method: 'GET', path: '/healthz', tells: 'health' },
  { method: 'GET', path: '/readyz', tells: 'readiness' },
]
