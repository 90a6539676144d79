/** A route that answers without a key, about the process itself and nothing else. */
export interface PublicRoute {
  readonly method: 'GET'
  readonly path: string
  readonly tells: 'health' | 'readiness'
}

/** Probes ask the process itself, whatever stands in front of its routes; the first is asked by clients of the interface. */
export const publicRoutes = (basePath: string): readonly PublicRoute[] => [
  { method: 'GET', path: `${basePath}/v1/health`, tells: 'health' },
  { method: 'GET', path: '/health', tells: 'health' },
  { method: 'GET', path: '/healthz', tells: 'health' },
  { method: 'GET', path: '/readyz', tells: 'readiness' },
]
