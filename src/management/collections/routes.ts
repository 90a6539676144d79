import { type Collection, defaultCollection, listCollections, renameCollection } from '../../store/collections.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, type AuditEntry, defineRoute } from '../route.ts'
import {
  CollectionChange,
  CollectionDetail,
  CollectionList,
  CollectionQuery,
  CollectionReceipt,
  NewCollection,
  WorkspaceQuery,
} from './model.ts'
import { createCollection, deleteCollection, reachCollection } from './service.ts'
import { toCollectionDetail } from './view.ts'

export interface CollectionsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}

const shared = { tag: 'Collections', plane: 'workspace' } as const

/** Folders for the prompts of a workspace (interface contract, section 8). They have the scopes of prompts. */
export const collectionsRoutes = ({ randomId }: CollectionsDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/collections',
    summary: 'List the collections of a workspace',
    scopes: ['prompts.list'],
    changes: false,
    query: CollectionQuery,
    response: CollectionList,
    async handle({ db, actor, query }) {
      const workspace = await resolveWorkspace(db, actor, query.workspace_id)
      // Who lists them looks for one to put a prompt into: a new workspace has one too.
      await defaultCollection(db, workspace)
      const filter = { workspaceId: workspace.id, ...(query.search === undefined ? {} : { search: query.search }) }
      const { rows, total } = await listCollections(db, filter, toPage(query))
      return toList(rows.map(toCollectionDetail), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/collections',
    summary: 'Create a collection',
    scopes: ['prompts.create'],
    changes: true,
    body: NewCollection,
    response: CollectionReceipt,
    async handle({ db, actor, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, body.workspace_id)
      const created = await createCollection(db, workspace, body, randomId)
      audit({ ...entryFor('create', created), after: toCollectionDetail(created) })
      return { id: created.id, slug: created.slug }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/collections/:collectionId',
    summary: 'Show a collection',
    scopes: ['prompts.read'],
    changes: false,
    query: WorkspaceQuery,
    response: CollectionDetail,
    async handle({ db, actor, query, params }) {
      const workspace = await resolveWorkspace(db, actor, query.workspace_id)
      return toCollectionDetail(await reachCollection(db, workspace, params.collectionId ?? ''))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/collections/:collectionId',
    summary: 'Rename a collection; its slug stays',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: CollectionChange,
    response: Empty,
    async handle({ db, actor, query, params, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, query.workspace_id ?? body.workspace_id)
      const before = await reachCollection(db, workspace, params.collectionId ?? '', 'change')
      const after = await renameCollection(db, before.id, body.name)
      audit({ ...entryFor('update', after), before: toCollectionDetail(before), after: toCollectionDetail(after) })
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/collections/:collectionId',
    summary: 'Delete an empty collection; never the default one',
    scopes: ['prompts.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const workspace = await resolveWorkspace(db, actor, query.workspace_id)
      const before = await reachCollection(db, workspace, params.collectionId ?? '', 'change')
      await deleteCollection(db, before)
      audit({ ...entryFor('delete', before), before: toCollectionDetail(before) })
      return {}
    },
  }),
]

const entryFor = (verb: 'create' | 'update' | 'delete', { id, workspaceId }: Collection): AuditEntry => ({
  action: `collections.${verb}`,
  objectKind: 'collection',
  objectId: id,
  workspaceId,
})
