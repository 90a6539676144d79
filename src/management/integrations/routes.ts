import { defined } from '../../core/defined.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import { deleteProvidersOf } from '../../store/objects/providers.ts'
import { invalidField } from '../invalid-field.ts'
import { askedSlug, createDefaultProvider } from '../providers/default-provider.ts'
import { WorkspaceQuery } from '../providers/model.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { named } from '../resource/reach.ts'
import { resource } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import { integrationAnswer, listedIntegration, type ShownIntegration } from './answers.ts'
import type { ProviderRoutesDeps } from './deps.ts'
import { grantRoutes } from './grant-routes.ts'
import { IntegrationChange, IntegrationQuery, IntegrationReceipt, NewIntegration } from './model.ts'
import { modelRoutes } from './model-routes.ts'
import {
  type IntegrationVerb,
  integrationEntry,
  reachIntegration,
  requireVerb,
  scopesOf,
  visibleType,
} from './reach.ts'
import { createIntegration, updateIntegration } from './service.ts'
import { countUsers } from './workspaces-service.ts'

const integrations = resource<
  ShownIntegration,
  { readonly organisationId: string; readonly workspaceId: string | null }
>({
  // Of one workspace where one is named or the key belongs to one, else of the organisation.
  async place({ db, actor, body }) {
    const reference = named('workspace_id', body)
    const isOfWorkspace = reference !== undefined || actor.workspaceId !== undefined
    const workspaceId = isOfWorkspace ? (await resolveWorkspace(db, actor, reference)).id : null
    requireVerb(actor, { workspaceId }, 'create')
    return { organisationId: actor.organisationId, workspaceId }
  },
  async one({ db, actor, query }, slug, verb) {
    const found = await reachIntegration(db, actor, slug, verb as IntegrationVerb, named('workspace_id', query))
    return { ...found, workspaceCount: await countUsers(db, found) }
  },
  tag: 'Integrations',
  plane: 'organisation',
  path: '/integrations/:slug',
  scopes: (verb) => scopesOf(verb as IntegrationVerb),
  entry: integrationEntry('integration'),
  answer: integrationAnswer,
})

/** Integrations: credentials for one AI provider each (interface contract, section 3.3). */
export const integrationsRoutes = (deps: ProviderRoutesDeps): readonly AnyRoute[] => [
  integrations.list({
    summary: 'List integrations',
    query: IntegrationQuery,
    shown: listedIntegration,
    async rows({ db, actor, query }, page) {
      const place = await placeOf(db, actor, query.workspace_id)
      return integrationRows.list(db, { ...place, type: visibleType(actor, query.type ?? 'all') }, page)
    },
  }),
  integrations.create({
    summary: 'Make an integration',
    body: NewIntegration,
    response: IntegrationReceipt,
    async run({ db, body }, { organisationId, workspaceId }, note) {
      const {
        name,
        slug,
        ai_provider_id: aiProviderId,
        workspace_id: _,
        create_default_provider: isProviderWanted,
        default_provider_slug: providerSlug,
        ...fields
      } = body
      if (providerSlug !== undefined && (workspaceId === null || !isProviderWanted)) {
        throw invalidField(
          'default_provider_slug',
          'needs `create_default_provider`, and an integration of a workspace',
        )
      }
      const place = { organisationId, workspaceId }
      const input = { ...place, name, aiProviderId, fields, ...defined({ slug }) }
      const integration = await createIntegration(db, deps, input)
      if (workspaceId !== null && isProviderWanted) {
        const asked = askedSlug(providerSlug, 'default_provider_slug')
        note({ default_provider: (await createDefaultProvider(db, deps, integration, workspaceId, asked)).slug })
      }
      return { ...integration, workspaceCount: await countUsers(db, integration) }
    },
    receipt: ({ id, slug }: Integration) => ({ id, slug }),
  }),
  integrations.read({ summary: 'Show an integration, its secrets masked', query: WorkspaceQuery }),
  integrations.update({
    summary: 'Change an integration',
    body: IntegrationChange,
    run: async ({ db, body }, { workspaceCount, ...stored }) => ({
      ...(await updateIntegration(db, deps, stored, body)),
      workspaceCount,
    }),
  }),
  integrations.delete({
    summary: 'Delete an integration and the providers that are made of it',
    async run({ db }, { id }, note) {
      const providers = await deleteProvidersOf(db, id)
      await integrationRows.remove(db, id)
      note({ deleted_providers: providers.map(({ slug }) => slug) })
    },
  }),
  ...modelRoutes(deps),
  ...grantRoutes(deps),
]
