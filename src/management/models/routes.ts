import { Type as t } from '@sinclair/typebox'
import { Reference } from '../fields.ts'
import type { ProviderDeps } from '../integrations/deps.ts'
import { removeModels } from '../integrations/models-service.ts'
import { integrationEntry, requireVerb, scopesOf } from '../integrations/reach.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { findModel, showModel, unknown } from './service.ts'

const ModelQuery = t.Object({ workspace_id: t.Optional(Reference) })

const ModelAnswer = t.Object({
  id: t.String({ description: '`@<provider slug>/<model>`.' }),
  object: t.Literal('model'),
  created: t.Integer({ description: 'Seconds since 1970; 0 for a model that comes with its provider.' }),
  owned_by: t.String(),
})

const ModelRemoval = t.Object({ id: t.String(), object: t.Literal('model'), deleted: t.Literal(true) })

/** Below `/v1` the path is the provider's: SDKs ask there for one of its models, or delete one that was fine-tuned. */
const shared = { tag: 'Models', plane: 'workspace', path: '/models/:model', roots: ['/v2', '/admin/v2'] } as const

/** One model by its id, `@slug/model` (interface contract, section 2.2). Its slash must be percent-encoded in the path. */
export const modelsRoutes = (deps: ProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'Show a model',
    etag: true,
    scopes: ['virtual_keys.list', 'providers.list', 'completions.write'],
    changes: false,
    query: ModelQuery,
    response: ModelAnswer,
    async handle({ db, actor, params, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      return showModel(db, deps, { organisationId: actor.organisationId, workspaceId }, params.model ?? '')
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    summary: 'Delete a custom model',
    scopes: scopesOf('update'),
    changes: true,
    query: ModelQuery,
    response: ModelRemoval,
    async handle({ db, actor, params, query, audit }) {
      const id = params.model ?? ''
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const found = await findModel(db, { organisationId: actor.organisationId, workspaceId }, id)
      if (found?.row === undefined) throw unknown(id)
      const { integration, slug } = found
      requireVerb(actor, integration, 'update')
      const before = await removeModels(db, integration, [slug], 'model')
      audit({ ...integrationEntry('integration_models')('update', integration), before })
      return { id, object: 'model', deleted: true }
    },
  }),
]
