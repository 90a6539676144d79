import { Empty } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { ProviderDeps } from './deps.ts'
import { ModelsAnswer, ModelsChange, ModelsRemoval } from './model.ts'
import { listModels, putModels, removeModels } from './models-service.ts'
import { integrationEntry, reachIntegration, scopesOf } from './reach.ts'

const shared = { tag: 'Integrations', plane: 'organisation', path: '/integrations/:slug/models' } as const

const entry = integrationEntry('integration_models')

/** Which models an integration serves. */
export const modelRoutes = (deps: ProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'List the models of an integration',
    etag: true,
    scopes: scopesOf('read'),
    changes: false,
    response: ModelsAnswer,
    async handle({ db, actor, params }) {
      return listModels(db, deps, await reachIntegration(db, actor, params.slug ?? '', 'read'))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    summary: 'Allow, refuse or describe models of an integration',
    scopes: scopesOf('update'),
    changes: true,
    body: ModelsChange,
    response: Empty,
    async handle({ db, actor, params, body, audit }) {
      const integration = await reachIntegration(db, actor, params.slug ?? '', 'update')
      const { before, after } = await putModels(db, deps, integration, body)
      audit({ ...entry('update', integration), before, after })
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    summary: 'Delete custom models of an integration',
    scopes: scopesOf('update'),
    changes: true,
    query: ModelsRemoval,
    response: Empty,
    async handle({ db, actor, params, query, audit }) {
      const integration = await reachIntegration(db, actor, params.slug ?? '', 'update')
      const slugs = query.slugs
        .split(',')
        .map((slug) => slug.trim())
        .filter((slug) => slug !== '')
      if (slugs.length === 0) throw invalidField('slugs', 'names no model')
      const before = await removeModels(db, integration, slugs, 'slugs')
      audit({ ...entry('update', integration), before })
      return {}
    },
  }),
]
