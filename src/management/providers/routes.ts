import { deleteProvider, listProviders } from '../../store/providers.ts'
import { Empty } from '../fields.ts'
import type { ProviderDeps } from '../integrations/deps.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import {
  NewProvider,
  ProviderChange,
  ProviderDetail,
  ProviderList,
  ProviderQuery,
  ProviderReceipt,
  WorkspaceQuery,
} from './model.ts'
import { createProvider, findUsableIntegration, reachProvider, toProviderAnswer, updateProvider } from './service.ts'

const shared = { tag: 'Providers', plane: 'workspace' } as const

/** Providers of a workspace: its uses of integrations, called `@slug` on the data plane (interface contract, section 3.4). */
export const providersRoutes = (deps: ProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/providers',
    summary: 'List the providers of a workspace',
    scopes: ['providers.list'],
    changes: false,
    query: ProviderQuery,
    response: ProviderList,
    async handle({ db, actor, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const { rows, total } = await listProviders(db, { workspaceId }, toPage(query))
      const nowMs = deps.now()
      return toList(
        rows.map((row) => toProviderAnswer(row, nowMs)),
        total,
      )
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/providers',
    summary: 'Make a provider of an integration',
    scopes: ['providers.create'],
    changes: true,
    body: NewProvider,
    response: ProviderReceipt,
    async handle({ db, actor, body, audit }) {
      const { name, slug, integration_id: reference, workspace_id: workspace, ...fields } = body
      const { id: workspaceId } = await resolveWorkspace(db, actor, workspace)
      const place = { organisationId: actor.organisationId, workspaceId }
      const integration = await findUsableIntegration(db, place, reference)
      const provider = await createProvider(db, deps, {
        workspaceId,
        integration,
        name,
        ...(slug === undefined ? {} : { slug }),
        fields,
      })
      audit({
        action: 'providers.create',
        objectKind: 'provider',
        objectId: provider.id,
        workspaceId,
        after: toProviderAnswer(provider, deps.now()),
      })
      return { id: provider.id, slug: provider.slug }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/providers/:slug',
    summary: 'Show a provider',
    scopes: ['providers.read'],
    changes: false,
    query: WorkspaceQuery,
    response: ProviderDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      return toProviderAnswer(await reachProvider(db, workspaceId, params.slug ?? ''), deps.now())
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/providers/:slug',
    summary: 'Change a provider',
    scopes: ['providers.update'],
    changes: true,
    query: WorkspaceQuery,
    body: ProviderChange,
    response: ProviderReceipt,
    async handle({ db, actor, query, params, body: { workspace_id: inBody, ...changes }, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id ?? inBody)
      const before = await reachProvider(db, workspaceId, params.slug ?? '')
      const after = await updateProvider(db, deps, before, changes)
      audit({
        action: 'providers.update',
        objectKind: 'provider',
        objectId: after.id,
        workspaceId,
        before: toProviderAnswer(before, deps.now()),
        after: toProviderAnswer(after, deps.now()),
      })
      return { id: after.id, slug: after.slug }
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/providers/:slug',
    summary: 'Delete a provider',
    scopes: ['providers.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const before = await reachProvider(db, workspaceId, params.slug ?? '')
      await deleteProvider(db, before.id)
      audit({
        action: 'providers.delete',
        objectKind: 'provider',
        objectId: before.id,
        workspaceId,
        before: toProviderAnswer(before, deps.now()),
      })
      return {}
    },
  }),
]
