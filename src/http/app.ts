import { Elysia } from 'elysia'
import type { Pipeline } from '../core/pipeline.ts'
import { toGatewayError } from '../errors/envelope.ts'
import { MethodNotAllowed, NotFound } from '../errors/gateway-error.ts'
import type { Calls } from './calls.ts'
import { errorResponse } from './respond.ts'
import { type InferenceRoute, PUBLIC_ROUTES } from './route-table.ts'

/** What `/readyz` says. */
export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

export interface AppOptions {
  readonly routes: readonly InferenceRoute[]
  readonly pipeline: Pipeline
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
export const createApp = ({ routes, pipeline, calls, readiness, more }: AppOptions) => {
  const known = knownPaths([...routes, ...PUBLIC_ROUTES, ...(more?.paths ?? [])])
  // By default the framework looks for the path only after the 11th character of the URL: `http://llm/…` would be a 404.
  const handler = { standardHostname: false }
  const app = new Elysia({ name: 'weir', normalize: false, handler }).onError(({ error, request, code }) => {
    if (code === 'NOT_FOUND') return errorResponse(missing(request, known))
    return errorResponse(toGatewayError(error))
  })
  app.get('/healthz', () => Response.json({ status: 'ok' }))
  app.get('/readyz', async () => {
    const state = await readiness()
    return Response.json(state, { status: state.ready ? 200 : 503 })
  })
  for (const route of routes) {
    app.route(route.method, route.path, ({ request }) => calls.run(request, route, pipeline), { parse: 'none' })
  }
  more?.mount((method, path, handler) => {
    app.route(method, path, ({ request, params }) => handler(request, params), { parse: 'none' })
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

const missing = (request: Request, known: readonly KnownPath[]): NotFound | MethodNotAllowed => {
  const path = new URL(request.url).pathname.replace(/(.)\/$/, '$1')
  const allow = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
  return allow.length === 0 || allow.includes(request.method)
    ? new NotFound('Not Found')
    : new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
}
