import { ConfigError } from '../config/config-error.ts'
import { orderStages, type PlacedStage, STAGE_ORDER } from '../config/order.ts'
import type { Endpoint, EndpointDirectory } from '../core/endpoint.ts'
import { composePipeline } from '../core/pipeline.ts'
import { type Route, routesOf } from '../core/route.ts'
import type { ServedPlace, ServedPlaces } from '../http/known-paths.ts'
import { PathIndex } from '../http/path-index.ts'
import { deprecationHeaders, type RunningRoute } from '../http/running-route.ts'
import type { Parts } from '../kit/plugin.ts'

/** What a plugin brings, and its name. */
export interface Brought {
  readonly name: string
  readonly parts: Parts
}

/** A route and who brings it. */
export interface ListedRoute {
  readonly route: Route
  readonly plugin: string
}

/** @throws ConfigError when two plugins bring the same one */
export const endpointDirectory = (brought: readonly Brought[]): EndpointDirectory => {
  const endpoints = new Map<string, Endpoint>()
  for (const { name, parts } of brought) {
    for (const endpoint of parts.endpoints ?? []) {
      if (endpoints.has(endpoint.id))
        throw new ConfigError(`endpoint '${endpoint.id}' of plugin '${name}' exists already`)
      endpoints.set(endpoint.id, endpoint)
    }
  }
  return {
    get(id) {
      const endpoint = endpoints.get(id)
      if (endpoint === undefined) throw new ConfigError(`no plugin that runs brings the endpoint '${id}'`)
      return endpoint
    },
    list: () => [...endpoints.values()],
  }
}

/** The routes of endpoints, and the other ways to them. */
export const listRoutes = (brought: readonly Brought[]): readonly ListedRoute[] =>
  brought.flatMap(({ name, parts: { endpoints = [], routes = [] } }) =>
    [...endpoints.flatMap(routesOf), ...routes].map((route) => ({ route, plugin: name })),
  )

/** @throws ConfigError when two bring the same place; names of parameters make no difference */
export const indexPlaces = (places: readonly ServedPlace[]): ServedPlaces => {
  const index: ServedPlaces = new PathIndex()
  for (const place of places) {
    const other = index.add(place)
    if (other === undefined) continue
    throw new ConfigError(`route '${place.method} ${place.path}' is brought by both ${other.owner} and ${place.owner}`)
  }
  return index
}

export const toPlaces = (routes: readonly RunningRoute[]): readonly ServedPlace[] =>
  routes.map((route) => ({ method: route.method, path: route.path, owner: route.plugin, route }))

/**
 * Composes the chain of each route once: the stages of all calls and of its endpoint, with the route's own in it.
 * @param placed the stages of the chain
 * @throws ConfigError for one whose endpoint nobody brings, and when two plugins bring the same one
 */
export const runningRoutes = (
  listed: readonly ListedRoute[],
  placed: readonly PlacedStage[],
  endpoints: EndpointDirectory,
  basePath: string,
): readonly RunningRoute[] => {
  const isFor = (endpoint: string, { stage }: PlacedStage): boolean => stage.endpoints?.includes(endpoint) ?? true
  const compose = (endpoint: string, own: readonly PlacedStage[]): Pick<RunningRoute, 'chain' | 'pipeline'> => {
    const stages = orderStages([...placed, ...own].filter((each) => isFor(endpoint, each))).map(({ stage }) => stage)
    return { chain: stages.map(({ name }) => name), pipeline: composePipeline(stages) }
  }
  const routes = listed.map(({ route: { stages = [], ...route }, plugin }) => ({
    ...route,
    endpoint: endpoints.get(route.endpoint),
    plugin,
    path: `${basePath}${route.path}`,
    headers: deprecationHeaders(route.deprecated, basePath),
    ...compose(
      route.endpoint,
      stages.map((stage) => placeOwn(stage, plugin)),
    ),
  }))
  indexPlaces(toPlaces(routes))
  return routes
}

const placeOwn = (stage: PlacedStage['stage'], plugin: string): PlacedStage => ({
  stage,
  plugin,
  origin: plugin,
  placement: STAGE_ORDER.some((name) => name === stage.name) ? {} : { before: 'config' },
})
