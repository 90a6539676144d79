import { ConfigError } from './config/config-error.ts'
import { orderStages, type PlacedStage, STAGE_ORDER } from './config/order.ts'
import type { Endpoint, EndpointDirectory } from './core/endpoint.ts'
import { composePipeline } from './core/pipeline.ts'
import { type Route, routesOf } from './core/route.ts'
import { deprecationHeaders, type RunningRoute } from './http/running-route.ts'
import type { Parts } from './kit/plugin.ts'

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

/**
 * The routes of endpoints, and the other ways to them.
 * @throws ConfigError when two bring the same one
 */
export const listRoutes = (brought: readonly Brought[]): readonly ListedRoute[] => {
  const owners = new Map<string, string>()
  const listed = brought.flatMap(({ name, parts: { endpoints = [], routes = [] } }) =>
    [...endpoints.flatMap(routesOf), ...routes].map((route) => ({ route, plugin: name })),
  )
  for (const { route, plugin } of listed) {
    const name = `${route.method} ${route.path}`
    const other = owners.get(name)
    if (other !== undefined) throw new ConfigError(`route '${name}' is brought by both ${other} and ${plugin}`)
    owners.set(name, plugin)
  }
  return listed
}

/**
 * Composes the chain of each route once: the one of all calls, with the route's own stages in it.
 * @param placed the stages of all calls
 * @throws ConfigError for one whose endpoint nobody brings
 */
export const runningRoutes = (
  listed: readonly ListedRoute[],
  placed: readonly PlacedStage[],
  endpoints: EndpointDirectory,
  basePath: string,
): readonly RunningRoute[] => {
  const compose = (own: readonly PlacedStage[]): Pick<RunningRoute, 'chain' | 'pipeline'> => {
    const stages = orderStages([...placed, ...own]).map(({ stage }) => stage)
    return { chain: stages.map(({ name }) => name), pipeline: composePipeline(stages) }
  }
  const plain = compose([])
  return listed.map(({ route: { stages = [], ...route }, plugin }) => ({
    ...route,
    endpoint: endpoints.get(route.endpoint),
    path: `${basePath}${route.path}`,
    headers: deprecationHeaders(route.deprecated, basePath),
    ...(stages.length === 0 ? plain : compose(stages.map((stage) => placeOwn(stage, plugin)))),
  }))
}

const placeOwn = (stage: PlacedStage['stage'], plugin: string): PlacedStage => ({
  stage,
  plugin,
  origin: plugin,
  placement: STAGE_ORDER.some((name) => name === stage.name) ? {} : { before: 'config' },
})
