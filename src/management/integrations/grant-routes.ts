import { Empty } from '../fields.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { ProviderRoutesDeps } from './deps.ts'
import { WorkspacesAnswer, WorkspacesChange } from './model.ts'
import { integrationEntry, reachIntegration, scopesOf } from './reach.ts'
import { listGrants, putGrants } from './workspaces-service.ts'

const shared = { tag: 'Integrations', plane: 'organisation', path: '/integrations/:slug/workspaces' } as const

/** Which workspaces may use an integration, and how much. */
export const grantRoutes = (deps: ProviderRoutesDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'List the workspaces that have a setting of their own',
    etag: true,
    scopes: scopesOf('read'),
    changes: false,
    response: WorkspacesAnswer,
    async handle({ db, actor, params }) {
      return listGrants(db, deps.budgets, await reachIntegration(db, actor, params.slug ?? '', 'read'))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    summary: 'Give an integration to workspaces, or take it away',
    scopes: scopesOf('update'),
    changes: true,
    body: WorkspacesChange,
    response: Empty,
    async handle({ db, actor, params, body, audit }) {
      const integration = await reachIntegration(db, actor, params.slug ?? '', 'update')
      const { before, after } = await putGrants(db, deps, integration, body)
      audit({ ...integrationEntry('integration_workspaces')('update', integration), before, after })
      return {}
    },
  }),
]
