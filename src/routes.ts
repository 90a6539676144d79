import { ConfigError } from './config/config-error.ts'
import { orderStages, type PlacedStage, STAGE_ORDER } from './config/order.ts'
import { composePipeline } from './core/pipeline.ts'
import type { Route } from './core/route.ts'
import { INFERENCE_ROUTES } from './http/route-table.ts'
import { deprecationHeaders, type RunningRoute } from './http/running-route.ts'
import type { Parts } from './kit/plugin.ts'

/** A route and who brings it. */
export interface ListedRoute {
  readonly route: Route
  readonly plugin: string
}

const BUILT_IN = 'built-in'

/**
 * The routes of the interface, then those of the plugins.
 * @throws ConfigError when two bring the same one
 */
export const listRoutes = (
  plugins: readonly { readonly name: string; readonly parts: Parts }[],
): readonly ListedRoute[] => {
  const owners = new Map<string, string>()
  const listed = [
    ...INFERENCE_ROUTES.map((route) => ({ route, plugin: BUILT_IN })),
    ...plugins.flatMap(({ name, parts }) => (parts.routes ?? []).map((route) => ({ route, plugin: name }))),
  ]
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
 */
export const runningRoutes = (
  listed: readonly ListedRoute[],
  placed: readonly PlacedStage[],
  basePath: string,
): readonly RunningRoute[] => {
  const compose = (own: readonly PlacedStage[]): Pick<RunningRoute, 'chain' | 'pipeline'> => {
    const stages = orderStages([...placed, ...own]).map(({ stage }) => stage)
    return { chain: stages.map(({ name }) => name), pipeline: composePipeline(stages) }
  }
  const plain = compose([])
  return listed.map(({ route: { stages = [], ...route }, plugin }) => ({
    ...route,
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
