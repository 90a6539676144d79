import type { Clock } from '../core/ports.ts'
import { routesOf } from '../core/route.ts'
import type { EvaluationDeps } from '../management/configs/deps.ts'
import { rehearseRoute } from '../rehearse.ts'
import type { Runtime } from '../runtime.ts'
import { type CallerOptions, findImaginedCaller } from './imagined-caller.ts'

export interface RouteDryRunOptions extends CallerOptions {
  readonly runtime: Pick<Runtime, 'routeRehearsal' | 'endpoints'>
  readonly basePath: string
  readonly clock: Clock
  readonly randomId: () => string
}

/** The choice of a target for calls that nobody makes, by the chain that runs. */
export const createRouteDryRun = (options: RouteDryRunOptions): EvaluationDeps => ({
  async explainRoute(call) {
    const { runtime, basePath, clock, randomId } = options
    const caller = await findImaginedCaller(call, options)
    const { headers, body } = call
    const endpoint = runtime.endpoints.get(call.endpoint)
    const now = (): number => clock.monotonicMs()
    const [route] = routesOf(endpoint)
    return rehearseRoute(
      { caller, endpoint, headers, body, ...(route === undefined ? {} : { path: `${basePath}${route.path}` }) },
      { pipeline: runtime.routeRehearsal, randomId, now },
    )
  },
})
