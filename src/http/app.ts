import { Elysia } from 'elysia'
import { toGatewayError } from '../errors/envelope.ts'
import type { Calls } from './calls.ts'
import { DirectRoutes } from './direct-routes.ts'
import { badHost, missing, type RefusedBelow, type ServedPlaces, wrongMethod } from './known-paths.ts'
import { errorResponse, withRequestId } from './respond.ts'
import { publicRoutes } from './route-table.ts'
import type { RunningRoute } from './running-route.ts'

/** What `/readyz` says. */
export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

export interface AppOptions {
  readonly routes: readonly RunningRoute[]
  /** These routes, the public ones and what is served besides. */
  readonly served: ServedPlaces
  /** The operator's prefix. */
  readonly basePath: string
  readonly calls: Calls
  readonly readiness: () => Promise<Readiness>
  /** What is served besides, and how to add it. */
  readonly more?: {
    readonly refusals?: readonly RefusedBelow[]
    mount(
      add: (
        method: string,
        path: string,
        handler: (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>,
      ) => void,
    ): void
  }
}

/** Parameters of a route whose path has no names. */
const NO_PARAMS = {}

/** The web application: it only finds the route. Bodies of calls are not parsed here, so that their bytes can pass through. */
export const createApp = ({ routes, served, basePath, calls, readiness, more }: AppOptions) => {
  const open = publicRoutes(basePath)
  // By default the framework looks for the path only after the 11th character of the URL: `http://llm/…` would be a 404.
  const handler = { standardHostname: false }
  const where = { served, basePath, refusals: more?.refusals ?? [] }
  const app = new Elysia({ name: 'weir', normalize: false, handler }).onError(({ error, request, code }) => {
    return code === 'NOT_FOUND' ? missing(request, where) : errorResponse(toGatewayError(error))
  })
  const run = (request: Request, route: RunningRoute, params = NO_PARAMS): Response | Promise<Response> => {
    // What takes any path would also take one of ours that was called in the wrong way.
    const mistake = badHost(request) ?? (route.method === 'ALL' ? wrongMethod(request, served) : undefined)
    return mistake ?? calls.run(request, route, params)
  }
  const tell = {
    health: () => withRequestId(Response.json({ status: 'ok' })),
    readiness: async () => {
      const state = await readiness()
      return withRequestId(Response.json(state, { status: state.ready ? 200 : 503 }))
    },
  }
  for (const { path, tells } of open) app.get(path, tell[tells])
  for (const route of routes) {
    app.route(route.method, route.path, ({ request, params }) => run(request, route, params), { parse: 'none' })
  }
  more?.mount((method, path, handler) => {
    app.route(
      method,
      path,
      ({ request, params = NO_PARAMS }) => {
        const answer = badHost(request) ?? handler(request, params)
        return answer instanceof Promise ? answer.then(withRequestId) : withRequestId(answer)
      },
      { parse: 'none' },
    )
  })
  const direct = new DirectRoutes(routes)
  return {
    app,
    /** Finds the route, and runs it. */
    handle(request: Request): Promise<Response> {
      const route = direct.find(request)
      if (route === undefined) return app.handle(request)
      const answer = run(request, route)
      return answer instanceof Promise ? answer : Promise.resolve(answer)
    },
  }
}
