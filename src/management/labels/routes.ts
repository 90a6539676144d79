import { listLabels } from '../../store/labels.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { LabelChange, LabelDetail, LabelList, LabelReceipt, LabelsQuery, NewLabel, WorkspaceQuery } from './model.ts'
import { changeLabel, createLabel, deleteLabel, reachLabel } from './service.ts'
import { entryFor, toLabelAnswer } from './view.ts'

const shared = { tag: 'Labels', plane: 'workspace' } as const
const ONE = '/labels/:labelId'

/** Labels of a workspace, by which calls may name a version of a prompt (interface contract, section 8). */
export const labelsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/labels',
    summary: 'List the labels of a workspace, those that every workspace has first',
    scopes: ['prompts.list'],
    changes: false,
    query: LabelsQuery,
    response: LabelList,
    async handle({ db, actor, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const filter = { workspaceId, ...(query.search === undefined ? {} : { search: query.search }) }
      const { rows, total } = await listLabels(db, filter, toPage(query))
      return toList(rows.map(toLabelAnswer), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/labels',
    summary: 'Create a label',
    scopes: ['prompts.create'],
    changes: true,
    body: NewLabel,
    response: LabelReceipt,
    async handle({ db, actor, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, body.workspace_id)
      const label = await createLabel(db, actor, workspace, body)
      audit(entryFor('create', label, { after: toLabelAnswer(label) }))
      return { id: label.id }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: ONE,
    summary: 'Show a label, by its id or name',
    scopes: ['prompts.read'],
    changes: false,
    query: WorkspaceQuery,
    response: LabelDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      return toLabelAnswer(await reachLabel(db, workspaceId, params.labelId ?? ''))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: ONE,
    summary: 'Change a label; those that every workspace has keep their names',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: LabelChange,
    response: Empty,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const before = await reachLabel(db, workspaceId, params.labelId ?? '', 'change')
      const after = await changeLabel(db, before, body)
      audit(entryFor('update', before, { before: toLabelAnswer(before), after: toLabelAnswer(after) }))
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a label: calls that name it are refused from then on',
    scopes: ['prompts.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const before = await reachLabel(db, workspaceId, params.labelId ?? '', 'change')
      await deleteLabel(db, before)
      audit(entryFor('delete', before, { before: toLabelAnswer(before) }))
      return {}
    },
  }),
]
