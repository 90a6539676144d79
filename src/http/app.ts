import { Elysia } from 'elysia'
import { toGatewayError } from '../errors/envelope.ts'
import { type GatewayError, InvalidRequest, MethodNotAllowed, NotFound } from '../errors/gateway-error.ts'
import type { Calls } from './calls.ts'
import { errorResponse } from './respond.ts'
import { PUBLIC_ROUTES } from './route-table.ts'
import type { RunningRoute } from './running-route.ts'

/** What `/readyz` says. */
export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

export interface AppOptions {
  readonly routes: readonly RunningRoute[]
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
export const createApp = ({ routes, calls, readiness, more }: AppOptions) => {
  const known = knownPaths([
    ...routes.filter(({ method }) => method !== 'ALL'),
    ...PUBLIC_ROUTES,
    ...(more?.paths ?? []),
  ])
  // By default the framework looks for the path only after the 11th character of the URL: `http://llm/…` would be a 404.
  const handler = { standardHostname: false }
  const app = new Elysia({ name: 'weir', normalize: false, handler }).onError(({ error, request, code }) => {
    if (code === 'NOT_FOUND') return errorResponse(missing(request, known))
    return errorResponse(toGatewayError(error))
  })
  const run = (request: Request, route: RunningRoute): Response | Promise<Response> => {
    // What takes any path would also take one of ours that was called in the wrong way.
    const mistake = badHost(request) ?? (route.method === 'ALL' ? wrongMethod(request, known) : undefined)
    return mistake === undefined ? calls.run(request, route) : errorResponse(mistake)
  }
  app.get('/healthz', () => Response.json({ status: 'ok' }))
  app.get('/readyz', async () => {
    const state = await readiness()
    return Response.json(state, { status: state.ready ? 200 : 503 })
  })
  for (const route of routes) {
    app.route(route.method, route.path, ({ request }) => run(request, route), { parse: 'none' })
  }
  more?.mount((method, path, handler) => {
    app.route(
      method,
      path,
      ({ request, params }) => {
        const mistake = badHost(request)
        return mistake === undefined ? handler(request, params) : errorResponse(mistake)
      },
      { parse: 'none' },
    )
  })
  return app
}

interface KnownPath {
  readonly pattern: RegExp
  readonly method: string
}

const knownPaths = (paths: readonly { readonly method: string; readonly path: string }[]): readonly KnownPath[] =>
  paths.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.~]/g, '\\$&').replace(/:[a-zA-Z]+/g, '[^/]+')}$`),
  }))

const missing = (request: Request, known: readonly KnownPath[]): GatewayError =>
  badHost(request) ?? wrongMethod(request, known) ?? new NotFound('Not Found')

/** Where the client sent no host, or none that can be one, the URL of the request is none either (RFC 9112, section 3.2). */
const badHost = ({ url }: Request): InvalidRequest | undefined =>
  URL.canParse(url) ? undefined : new InvalidRequest('The `Host` header of the request names no host.')

/** Undefined for a path that is nobody's. */
const wrongMethod = (request: Request, known: readonly KnownPath[]): MethodNotAllowed | undefined => {
  const path = new URL(request.url).pathname.replace(/(.)\/$/, '$1')
  const allow = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
  return allow.length === 0 || allow.includes(request.method)
    ? undefined
    : new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
}
