import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { deleteIntegration } from '../../store/integrations.ts'
import { countIntegrationProviders, deleteProvider, listProviders } from '../../store/providers.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import type { ProviderDeps } from '../integrations/deps.ts'
import { toList, toPage } from '../list.ts'
import { WorkspaceQuery } from '../providers/model.ts'
import { reachProvider } from '../providers/service.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import {
  NewVirtualKey,
  VirtualKeyChange,
  VirtualKeyDetail,
  VirtualKeyList,
  VirtualKeyQuery,
  VirtualKeyReceipt,
} from './model.ts'
import { createVirtualKey, toVirtualKeyAnswer, updateVirtualKey, type VirtualKey, withIntegrations } from './service.ts'

const shared = { tag: 'Virtual keys', plane: 'workspace' } as const

/** The older form of providers: a key and its use in one record (interface contract, section 8). */
export const virtualKeysRoutes = (deps: ProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/virtual-keys',
    summary: 'List the virtual keys of a workspace',
    scopes: ['virtual_keys.list'],
    changes: false,
    query: VirtualKeyQuery,
    response: VirtualKeyList,
    async handle({ db, actor, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const { rows, total } = await listProviders(db, { workspaceId }, toPage(query))
      const keys = await withIntegrations(db, actor.organisationId, rows)
      const nowMs = deps.now()
      return toList(
        keys.map((key) => toVirtualKeyAnswer(key, nowMs)),
        total,
      )
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/virtual-keys',
    summary: 'Store the key of a provider for a workspace',
    scopes: ['virtual_keys.create'],
    changes: true,
    body: NewVirtualKey,
    response: VirtualKeyReceipt,
    async handle({ db, actor, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, body.workspace_id)
      const made = await createVirtualKey(db, deps, { organisationId: actor.organisationId, workspaceId }, body)
      audit({
        action: 'virtual_keys.create',
        objectKind: 'virtual_key',
        objectId: made.provider.id,
        workspaceId,
        after: toVirtualKeyAnswer(made, deps.now()),
      })
      return toReceipt(made)
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/virtual-keys/:slug',
    summary: 'Show a virtual key, its secrets masked',
    scopes: ['virtual_keys.read'],
    changes: false,
    query: WorkspaceQuery,
    response: VirtualKeyDetail,
    async handle({ db, actor, params, query }) {
      return toVirtualKeyAnswer(await reach(db, actor, params.slug ?? '', query.workspace_id), deps.now())
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/virtual-keys/:slug',
    summary: 'Change a virtual key',
    scopes: ['virtual_keys.update'],
    changes: true,
    query: WorkspaceQuery,
    body: VirtualKeyChange,
    response: VirtualKeyReceipt,
    async handle({ db, actor, params, query, body: { workspace_id: inBody, ...changes }, audit }) {
      const before = await reach(db, actor, params.slug ?? '', query.workspace_id ?? inBody)
      const after = await updateVirtualKey(db, deps, before, changes)
      audit({
        action: 'virtual_keys.update',
        objectKind: 'virtual_key',
        objectId: after.provider.id,
        workspaceId: after.provider.workspaceId,
        before: toVirtualKeyAnswer(before, deps.now()),
        after: toVirtualKeyAnswer(after, deps.now()),
      })
      return toReceipt(after)
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/virtual-keys/:slug',
    summary: 'Delete a virtual key',
    scopes: ['virtual_keys.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: VirtualKeyReceipt,
    async handle({ db, actor, params, query, audit }) {
      const before = await reach(db, actor, params.slug ?? '', query.workspace_id)
      await deleteProvider(db, before.provider.id)
      const { id, workspaceId } = before.integration
      // The last use of a key that only this workspace has: nobody could see or delete it by this older form.
      if (workspaceId !== null && (await countIntegrationProviders(db, id)) === 0) await deleteIntegration(db, id)
      audit({
        action: 'virtual_keys.delete',
        objectKind: 'virtual_key',
        objectId: before.provider.id,
        workspaceId: before.provider.workspaceId,
        before: toVirtualKeyAnswer(before, deps.now()),
      })
      return toReceipt(before)
    },
  }),
]

const reach = async (db: Db, actor: Actor, reference: string, workspace: string | undefined): Promise<VirtualKey> => {
  const { id: workspaceId } = await resolveWorkspace(db, actor, workspace)
  const [found] = await withIntegrations(db, actor.organisationId, [await reachProvider(db, workspaceId, reference)])
  if (found === undefined) throw new ManagementNotFound(`There is no virtual key '${reference}' in the workspace.`)
  return found
}

const toReceipt = ({ provider }: VirtualKey) => ({ success: true, data: { slug: provider.slug } })
