import { findDefaultSlugs } from '../../store/default-configs.ts'
import { listWorkspaces } from '../../store/workspaces.ts'
import { Empty } from '../fields.ts'
import type { NewProviderDeps } from '../integrations/deps.ts'
import { toList, toPage } from '../list.ts'
import { createDefaultProviders } from '../providers/default-provider.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import {
  CreateWorkspace,
  DeleteWorkspace,
  ListWorkspaces,
  UpdateWorkspace,
  WorkspaceAnswer,
  WorkspaceList,
} from './model.ts'
import { addWorkspace, changeWorkspace, reachWorkspace, removeWorkspace, showWorkspace } from './service.ts'
import { toWorkspaceAnswer } from './view.ts'

const COLLECTION = {
  path: '/workspaces',
  aliases: ['/admin/workspaces'],
  tag: 'Workspaces',
  plane: 'organisation',
} as const
const ITEM = { ...COLLECTION, path: '/workspaces/:workspace', aliases: ['/admin/workspaces/:workspace'] } as const

/** The parts of an organisation that its keys, providers and limits belong to (interface contract, section 8). */
export const workspacesRoutes = (deps: NewProviderDeps): readonly AnyRoute[] => [
  defineRoute({
    ...COLLECTION,
    method: 'GET',
    summary: 'List the workspaces of the organisation; for a workspace key its own.',
    scopes: ['workspaces.list'],
    changes: false,
    query: ListWorkspaces,
    response: WorkspaceList,
    async handle({ actor, db, query }) {
      const { name, exact_name: exactName, status } = query
      const filter = {
        organisationId: actor.organisationId,
        ...(actor.workspaceId === undefined ? {} : { workspaceId: actor.workspaceId }),
        ...(name === undefined ? {} : { name }),
        ...(exactName === undefined ? {} : { exactName }),
        ...(status === undefined ? {} : { status }),
      }
      const { rows, total } = await listWorkspaces(db, filter, toPage(query))
      const defaults = await findDefaultSlugs(
        db,
        rows.map(({ id }) => id),
      )
      return toList(
        rows.map((row) => toWorkspaceAnswer(row, defaults.get(row.id))),
        total,
      )
    },
  }),
  defineRoute({
    ...COLLECTION,
    method: 'POST',
    summary: 'Create a workspace.',
    scopes: ['workspaces.create'],
    changes: true,
    body: CreateWorkspace,
    response: WorkspaceAnswer,
    async handle({ actor, audit, body, db }) {
      const created = await addWorkspace(db, actor, body, deps.randomId)
      const after = await showWorkspace(db, created)
      const made = await createDefaultProviders(db, deps, created)
      audit({
        action: 'workspaces.create',
        objectKind: 'workspace',
        objectId: created.id,
        workspaceId: created.id,
        after: made.length === 0 ? after : { ...after, default_providers: made },
      })
      return after
    },
  }),
  defineRoute({
    ...ITEM,
    method: 'GET',
    summary: 'Read a workspace, by id or slug.',
    scopes: ['workspaces.read'],
    changes: false,
    response: WorkspaceAnswer,
    async handle({ actor, db, params }) {
      return showWorkspace(db, await reachWorkspace(db, actor, params.workspace ?? ''))
    },
  }),
  defineRoute({
    ...ITEM,
    method: 'PUT',
    summary: 'Change a workspace; fields that are absent stay as they are, null clears.',
    scopes: ['workspaces.update'],
    changes: true,
    body: UpdateWorkspace,
    response: WorkspaceAnswer,
    async handle({ actor, audit, body, db, params }) {
      const found = await reachWorkspace(db, actor, params.workspace ?? '')
      const before = await showWorkspace(db, found)
      const after = await showWorkspace(db, await changeWorkspace(db, actor, found, body))
      audit({
        action: 'workspaces.update',
        objectKind: 'workspace',
        objectId: found.id,
        workspaceId: found.id,
        before,
        after,
      })
      return after
    },
  }),
  defineRoute({
    ...ITEM,
    method: 'DELETE',
    summary:
      'Delete a workspace; refused while keys, providers, integrations, configs or prompts belong to it, unless forced.',
    scopes: ['workspaces.delete'],
    changes: true,
    body: DeleteWorkspace,
    response: Empty,
    async handle({ actor, audit, body, db, params }) {
      const found = await reachWorkspace(db, actor, params.workspace ?? '')
      const before = await showWorkspace(db, found)
      const { apiKeys, promptPartials, ...deleted } = await removeWorkspace(db, actor, found, body)
      audit({
        action: 'workspaces.delete',
        objectKind: 'workspace',
        objectId: found.id,
        workspaceId: found.id,
        before: { ...before, deleted: { api_keys: apiKeys, prompt_partials: promptPartials, ...deleted } },
      })
      return {}
    },
  }),
]
