import { Type as t } from '@sinclair/typebox'
import { defineRoute } from './route.ts'
import { type ManagementDeps, runRoute } from './run-route.ts'

export const METRICS_PATH = '/metrics'

/** The numbers of this process, as Prometheus reads them. */
export type ReadMetrics = () => Promise<{ readonly type: string; readonly text: string }>

/** `GET /metrics` for an organisation key, as every workspace is in it. Scrapers find it at the root, below no version. */
export const serveMetrics = (metrics: ReadMetrics, deps: ManagementDeps): ((request: Request) => Promise<Response>) => {
  const route = defineRoute({
    method: 'GET',
    path: METRICS_PATH,
    tag: 'Metrics',
    summary: 'Metrics of this process, in the text format of Prometheus.',
    scopes: ['organisation_settings.read'],
    plane: 'organisation',
    changes: false,
    response: t.String(),
    async handle() {
      const { type, text } = await metrics()
      return new Response(text, { headers: { 'content-type': type } })
    },
  })
  return (request) => runRoute(route, request, {}, deps)
}
