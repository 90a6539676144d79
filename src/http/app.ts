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
}

/** The web application: it only finds the route. Bodies of calls are not parsed here, so that their bytes can pass through. */
export const createApp = ({ routes, pipeline, calls, readiness }: AppOptions) => {
  // By default the framework looks for the path only after the 11th character of the URL: `http://llm/…` would be a 404.
  const handler = { standardHostname: false }
  const app = new Elysia({ name: 'weir', normalize: false, handler }).onError(({ error, request, code }) => {
    if (code === 'NOT_FOUND') return errorResponse(missing(request, routes))
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
  return app
}

const missing = (request: Request, routes: readonly InferenceRoute[]): NotFound | MethodNotAllowed => {
  const path = new URL(request.url).pathname.replace(/(.)\/$/, '$1')
  const allow = [...routes, ...PUBLIC_ROUTES].filter((route) => route.path === path).map((route) => route.method)
  return allow.length === 0 || allow.includes(request.method as 'GET')
    ? new NotFound('Not Found')
    : new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
}
