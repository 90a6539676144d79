import { deletePromptPartial, findPromptsNaming, listPromptPartials } from '../../store/prompt-partials.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import {
  ChangeReceipt,
  NewPartial,
  PartialChange,
  PartialDetail,
  PartialList,
  PartialQuery,
  PartialReceipt,
  PartialsQuery,
  WorkspaceQuery,
} from './model.ts'
import { changePartial, createPartial, reachPartial, reachVersion } from './service.ts'
import { toPartialDetail, toPartialRow } from './view.ts'

export interface PromptPartialsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}

const shared = { tag: 'Prompt partials', plane: 'workspace' } as const

/** Texts that the templates of a workspace share (interface contract, section 8). They have the scopes of prompts. */
export const promptPartialsRoutes = ({ randomId }: PromptPartialsDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts/partials',
    summary: 'List the prompt partials of a workspace',
    scopes: ['prompts.list'],
    changes: false,
    query: PartialsQuery,
    response: PartialList,
    async handle({ db, actor, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const filter = { workspaceId, ...(query.search === undefined ? {} : { search: query.search }) }
      const { rows, total } = await listPromptPartials(db, filter, toPage(query))
      return toList(rows.map(toPartialRow), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/prompts/partials',
    summary: 'Create a prompt partial; its first version is published',
    scopes: ['prompts.create'],
    changes: true,
    body: NewPartial,
    response: PartialReceipt,
    async handle({ db, actor, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, body.workspace_id)
      const created = await createPartial(db, actor, workspace, body, randomId)
      const { partial, version } = created
      audit({ ...entryFor('create', partial), after: toPartialDetail(created) })
      return { id: partial.id, slug: partial.slug, version_id: version.id }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts/partials/:partialId',
    summary: 'Show a prompt partial',
    scopes: ['prompts.read'],
    changes: false,
    query: PartialQuery,
    response: PartialDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const partial = await reachPartial(db, workspaceId, params.partialId ?? '')
      return toPartialDetail({ partial, version: await reachVersion(db, partial, query.version) })
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/prompts/partials/:partialId',
    summary: 'Change a prompt partial; a `string` becomes its new version, which is not published',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: PartialChange,
    response: ChangeReceipt,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id ?? body.workspace_id)
      const partial = await reachPartial(db, workspaceId, params.partialId ?? '', 'change')
      const { before, after } = await changePartial(db, actor, partial, body)
      audit({ ...entryFor('update', partial), before: toPartialDetail(before), after: toPartialDetail(after) })
      return { id: partial.id, slug: partial.slug, prompt_partial_version_id: after.version.id }
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/prompts/partials/:partialId',
    summary: 'Delete a prompt partial with its versions; calls of prompts that name it are refused from then on',
    scopes: ['prompts.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const partial = await reachPartial(db, workspaceId, params.partialId ?? '', 'change')
      const before = toPartialDetail({ partial, version: await reachVersion(db, partial) })
      const namedBy = await findPromptsNaming(db, partial)
      await deletePromptPartial(db, partial.id)
      audit({ ...entryFor('delete', partial), before: { ...before, named_by: namedBy } })
      return {}
    },
  }),
]
