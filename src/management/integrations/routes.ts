import { deleteIntegration, listIntegrations } from '../../store/integrations.ts'
import { deleteProvidersOf } from '../../store/providers.ts'
import { Empty } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { toList, toPage } from '../list.ts'
import { askedSlug, createDefaultProvider } from '../providers/default-provider.ts'
import { WorkspaceQuery } from '../providers/model.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { toDetail, toSummary } from './answers.ts'
import { entryFor } from './audit-entry.ts'
import type { ProviderDeps } from './deps.ts'
import { grantRoutes } from './grant-routes.ts'
import {
  IntegrationChange,
  IntegrationDetail,
  IntegrationList,
  IntegrationQuery,
  IntegrationReceipt,
  NewIntegration,
} from './model.ts'
import { modelRoutes } from './model-routes.ts'
import { reachIntegration, requireVerb, scopesOf } from './reach.ts'
import { createIntegration, updateIntegration } from './service.ts'
import { visibleType } from './visible-type.ts'
import { countUsers } from './workspace-count.ts'

const shared = { tag: 'Integrations', plane: 'organisation' } as const

/** Integrations: credentials for one AI provider each (interface contract, section 3.3). */
export const integrationsRoutes = (deps: ProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/integrations',
    summary: 'List integrations',
    scopes: scopesOf('list'),
    changes: false,
    query: IntegrationQuery,
    response: IntegrationList,
    async handle({ db, actor, query }) {
      const named = query.workspace_id !== undefined || actor.workspaceId !== undefined
      const workspace = named ? await resolveWorkspace(db, actor, query.workspace_id) : undefined
      const filter = {
        organisationId: actor.organisationId,
        type: visibleType(actor, query.type ?? 'all'),
        ...(workspace === undefined ? {} : { workspaceId: workspace.id }),
      }
      const { rows, total } = await listIntegrations(db, filter, toPage(query))
      return toList(rows.map(toSummary), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/integrations',
    summary: 'Make an integration',
    scopes: scopesOf('create'),
    changes: true,
    body: NewIntegration,
    response: IntegrationReceipt,
    async handle({ db, actor, body, audit }) {
      const {
        name,
        slug,
        ai_provider_id: aiProviderId,
        workspace_id: reference,
        create_default_provider: isProviderWanted,
        default_provider_slug: providerSlug,
        ...fields
      } = body
      const isOfWorkspace = reference !== undefined || actor.workspaceId !== undefined
      const workspaceId = isOfWorkspace ? (await resolveWorkspace(db, actor, reference)).id : null
      requireVerb(actor, { workspaceId }, 'create')
      if (providerSlug !== undefined && (workspaceId === null || !isProviderWanted)) {
        throw invalidField(
          'default_provider_slug',
          'needs `create_default_provider`, and an integration of a workspace',
        )
      }
      const integration = await createIntegration(db, deps, {
        organisationId: actor.organisationId,
        workspaceId,
        name,
        aiProviderId,
        ...(slug === undefined ? {} : { slug }),
        fields,
      })
      const asked = askedSlug(providerSlug, 'default_provider_slug')
      const provider =
        workspaceId !== null && isProviderWanted
          ? await createDefaultProvider(db, deps, integration, workspaceId, asked)
          : undefined
      audit(
        entryFor(integration, 'create', 'integration', {
          after: {
            ...toDetail(integration, await countUsers(db, integration)),
            ...(provider === undefined ? {} : { default_provider: provider.slug }),
          },
        }),
      )
      return { id: integration.id, slug: integration.slug }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/integrations/:slug',
    summary: 'Show an integration, its secrets masked',
    scopes: scopesOf('read'),
    changes: false,
    query: WorkspaceQuery,
    response: IntegrationDetail,
    async handle({ db, actor, params, query }) {
      const integration = await reachIntegration(db, actor, params.slug ?? '', 'read', query.workspace_id)
      return toDetail(integration, await countUsers(db, integration))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/integrations/:slug',
    summary: 'Change an integration',
    scopes: scopesOf('update'),
    changes: true,
    body: IntegrationChange,
    response: Empty,
    async handle({ db, actor, params, body, audit }) {
      const before = await reachIntegration(db, actor, params.slug ?? '', 'update')
      const after = await updateIntegration(db, deps, before, body)
      const count = await countUsers(db, after)
      audit(
        entryFor(after, 'update', 'integration', { before: toDetail(before, count), after: toDetail(after, count) }),
      )
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/integrations/:slug',
    summary: 'Delete an integration and the providers that are made of it',
    scopes: scopesOf('delete'),
    changes: true,
    response: Empty,
    async handle({ db, actor, params, audit }) {
      const before = await reachIntegration(db, actor, params.slug ?? '', 'delete')
      const detail = toDetail(before, await countUsers(db, before))
      const providers = await deleteProvidersOf(db, before.id)
      await deleteIntegration(db, before.id)
      audit(
        entryFor(before, 'delete', 'integration', {
          before: { ...detail, deleted_providers: providers.map(({ slug }) => slug) },
        }),
      )
      return {}
    },
  }),
  ...modelRoutes(deps),
  ...grantRoutes(deps),
]
