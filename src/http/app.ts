import { Elysia } from 'elysia'
import { toGatewayError } from '../errors/envelope.ts'
import { InvalidRequest, MethodNotAllowed, NotFound } from '../errors/gateway-error.ts'
import type { Calls } from './calls.ts'
import { errorResponse, withRequestId } from './respond.ts'
import type { PublicRoute } from './route-table.ts'
import { type RunningRoute, routeHeaders } from './running-route.ts'

/** What `/readyz` says. */
export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

export interface AppOptions {
  readonly routes: readonly RunningRoute[]
  readonly publicRoutes: readonly PublicRoute[]
  readonly calls: Calls
  readonly readiness: () => Promise<Readiness>
  /** What is served besides: paths with `:name` for parameters, and how to add them. */
  readonly more?: {
    readonly paths: readonly { readonly method: string; readonly path: string }[]
    mount(
      add: (
        method: string,
        path: string,
        handler: (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>,
      ) => void,
    ): void
  }
}

/** The web application: it only finds the route. Bodies of calls are not parsed here, so that their bytes can pass through. */
export const createApp = ({ routes, publicRoutes, calls, readiness, more }: AppOptions) => {
  const known = knownPaths([
    ...routes.filter(({ method }) => method !== 'ALL'),
    ...publicRoutes,
    ...(more?.paths ?? []),
  ])
  // By default the framework looks for the path only after the 11th character of the URL: `http://llm/…` would be a 404.
  const handler = { standardHostname: false }
  const app = new Elysia({ name: 'weir', normalize: false, handler }).onError(({ error, request, code }) => {
    return code === 'NOT_FOUND' ? missing(request, known) : errorResponse(toGatewayError(error))
  })
  const run = (request: Request, route: RunningRoute): Response | Promise<Response> => {
    // What takes any path would also take one of ours that was called in the wrong way.
    const mistake = badHost(request) ?? (route.method === 'ALL' ? wrongMethod(request, known) : undefined)
    return mistake ?? calls.run(request, route)
  }
  const tell = {
    health: () => withRequestId(Response.json({ status: 'ok' })),
    readiness: async () => {
      const state = await readiness()
      return withRequestId(Response.json(state, { status: state.ready ? 200 : 503 }))
    },
  }
  for (const { path, tells } of publicRoutes) app.get(path, tell[tells])
  for (const route of routes) {
    app.route(route.method, route.path, ({ request }) => run(request, route), { parse: 'none' })
  }
  more?.mount((method, path, handler) => {
    app.route(
      method,
      path,
      ({ request, params }) => {
        const answer = badHost(request) ?? handler(request, params)
        return answer instanceof Promise ? answer.then(withRequestId) : withRequestId(answer)
      },
      { parse: 'none' },
    )
  })
  return app
}

interface KnownPath {
  /** Parts of the path; those that begin with a colon stand for anything. */
  readonly segments: readonly string[]
  readonly method: string
  /** Absent: not one of the routes of calls. */
  readonly route?: RunningRoute
}

const knownPaths = (
  paths: readonly (RunningRoute | { readonly method: string; readonly path: string })[],
): readonly KnownPath[] =>
  paths.map((place) => ({
    method: place.method,
    ...('chain' in place ? { route: place } : {}),
    segments: place.path.split('/'),
  }))

const fits = ({ segments }: KnownPath, parts: readonly string[]): boolean =>
  segments.length === parts.length &&
  segments.every((segment, index) => (segment.startsWith(':') ? parts[index] !== '' : segment === parts[index]))

const missing = (request: Request, known: readonly KnownPath[]): Response =>
  badHost(request) ?? wrongMethod(request, known) ?? errorResponse(new NotFound('Not Found'))

/** Where the client sent no host, or none that can be one, the URL of the request is none either (RFC 9112, section 3.2). */
const badHost = ({ url }: Request): Response | undefined =>
  URL.canParse(url) ? undefined : errorResponse(new InvalidRequest('The `Host` header of the request names no host.'))

/** Undefined for a path that is nobody's. */
const wrongMethod = (request: Request, known: readonly KnownPath[]): Response | undefined => {
  const path = new URL(request.url).pathname.replace(/(.)\/$/, '$1')
  const parts = path.split('/')
  const there = known.filter((each) => fits(each, parts))
  const allow = [...new Set(there.map(({ method }) => method))]
  if (allow.length === 0 || allow.includes(request.method)) return undefined
  const error = new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
  // A route that is on its way out says so on every answer.
  const headers = there.flatMap(({ route }) => (route === undefined ? [] : routeHeaders(route, path)))
  return errorResponse(error, new Headers(Object.fromEntries(headers)))
}
