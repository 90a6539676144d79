import { findVersionLabels } from '../../store/prompt-labels.ts'
import { deletePrompt, listPrompts } from '../../store/prompts.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { placeIn, resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import type { PromptsDeps } from './deps.ts'
import {
  ChangeReceipt,
  NewPrompt,
  PromptChange,
  PromptDetail,
  PromptList,
  PromptReceipt,
  PromptsQuery,
  WorkspaceQuery,
} from './model.ts'
import { reachCollectionId, reachNamedLabel } from './references.ts'
import { changePrompt, createPrompt, reachPrompt } from './service.ts'
import { reachPromptAt, reachVersion } from './versions.ts'
import { toAuditRecord, toChangeReceipt, toPromptDetail, toPromptRow } from './view.ts'

const shared = { tag: 'Prompts', plane: 'workspace' } as const

/** Prompt templates of a workspace (interface contract, section 8). */
export const promptsRoutes = ({ randomId }: PromptsDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts',
    summary: 'List the prompts of a workspace, each with its published version in short',
    scopes: ['prompts.list'],
    changes: false,
    query: PromptsQuery,
    response: PromptList,
    async handle({ db, actor, query }) {
      const { workspace_id: reference, collection_id: collection, search, label } = query
      const workspace = await resolveWorkspace(db, actor, reference)
      const filter = {
        workspaceId: workspace.id,
        ...(collection === undefined
          ? {}
          : { collectionId: await reachCollectionId(db, placeIn(workspace), collection) }),
        ...(search === undefined ? {} : { search }),
        ...(label === undefined ? {} : { labelId: (await reachNamedLabel(db, workspace.id, label, 'label')).id }),
      }
      const { rows, total } = await listPrompts(db, filter, toPage(query))
      return toList(rows.map(toPromptRow), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/prompts',
    summary: 'Create a prompt; its first version is published',
    scopes: ['prompts.create'],
    changes: true,
    body: NewPrompt,
    response: PromptReceipt,
    async handle({ db, actor, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, body.workspace_id)
      const made = await createPrompt(db, actor, placeIn(workspace), body, randomId)
      audit(entryFor('create', made.prompt, { after: toAuditRecord(made) }))
      return { id: made.prompt.id, slug: made.prompt.slug, version_id: made.version.id, object: 'prompt' }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts/:promptId',
    summary: 'Show a prompt in its published version, or in that of `id@12`, `id@latest` or `id@label`',
    scopes: ['prompts.read'],
    changes: false,
    query: WorkspaceQuery,
    response: PromptDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const found = await reachPromptAt(db, workspaceId, params.promptId ?? '')
      const { number } = found.version
      return toPromptDetail(found, (await findVersionLabels(db, found.prompt.id, [number])).get(number) ?? [])
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/prompts/:promptId',
    summary: 'Change a prompt; fields of a version become a new one, which is not published',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: PromptChange,
    response: ChangeReceipt,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id ?? body.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '', 'change')
      const { before, after } = await changePrompt(db, actor, prompt, body)
      audit(entryFor('update', prompt, { before: toAuditRecord(before), after: toAuditRecord(after) }))
      return toChangeReceipt(after)
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/prompts/:promptId',
    summary: 'Delete a prompt with its versions',
    scopes: ['prompts.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '', 'change')
      const before = { prompt, version: await reachVersion(db, prompt, { kind: 'published' }) }
      await deletePrompt(db, prompt.id)
      audit(entryFor('delete', prompt, { before: toAuditRecord(before) }))
      return {}
    },
  }),
]
