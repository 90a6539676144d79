import type { RunningRoute } from './running-route.ts'

/** Where a path has names, or an open end, the framework finds it. */
const HAS_NAMES = /[:*]/

/**
 * The routes of calls whose path is always the same, which are those that clients call the most: found by two looks, so that such a call
 * does not pass the web framework.
 */
export class DirectRoutes {
  readonly #byMethod = new Map<string, Map<string, RunningRoute>>()

  constructor(routes: readonly RunningRoute[]) {
    for (const route of routes) {
      if (route.method === 'ALL' || HAS_NAMES.test(route.path)) continue
      const paths = this.#byMethod.get(route.method) ?? new Map<string, RunningRoute>()
      this.#byMethod.set(route.method, paths)
      paths.set(route.path, route)
    }
  }

  /** Undefined: the framework is to look. Of a path that is written in another way, with a slash at its end, as well. */
  find({ method, url }: Pick<Request, 'method' | 'url'>): RunningRoute | undefined {
    const paths = this.#byMethod.get(method)
    if (paths === undefined) return undefined
    const start = url.indexOf('/', url.indexOf('//') + 2)
    if (start === -1) return undefined
    const end = url.indexOf('?', start)
    return paths.get(end === -1 ? url.slice(start) : url.slice(start, end))
  }
}
