import { findVersionLabels, type VersionLabel } from '../../store/prompt-labels.ts'
import { listPromptVersions } from '../../store/prompt-versions.ts'
import type { PromptAt } from '../../store/prompts.ts'
import type { Db } from '../../store/types.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import {
  ChangeReceipt,
  LabelChange,
  PromptDetail,
  Publication,
  VersionList,
  VersionsQuery,
  WorkspaceQuery,
} from './model.ts'
import { publishVersion, reachPrompt } from './service.ts'
import { labelVersion, reachVersionById } from './versions.ts'
import { toAuditRecord, toChangeReceipt, toPromptDetail } from './view.ts'

const shared = { tag: 'Prompts', plane: 'workspace' } as const
const VERSION = '/prompts/:promptId/versions/:versionId'

/** Versions of prompts: they never change, but which of them calls get does (interface contract, section 8). */
export const promptVersionsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts/:promptId/versions',
    summary: 'List the versions of a prompt, the newest first',
    scopes: ['prompts.read'],
    changes: false,
    query: VersionsQuery,
    response: VersionList,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '')
      const { rows, total } = await listPromptVersions(db, prompt.id, toPage(query))
      const labels = await findVersionLabels(
        db,
        prompt.id,
        rows.map(({ number }) => number),
      )
      return toList(
        rows.map((version) => toPromptDetail({ prompt, version }, labels.get(version.number) ?? [])),
        total,
      )
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: VERSION,
    summary: 'Show a version of a prompt, by its id or number',
    scopes: ['prompts.read'],
    changes: false,
    query: WorkspaceQuery,
    response: PromptDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '')
      const version = await reachVersionById(db, prompt, params.versionId ?? '')
      return toPromptDetail({ prompt, version }, await labelsOf(db, { prompt, version }))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: VERSION,
    summary: 'Move a label to a version of a prompt, or take its labels off',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: LabelChange,
    response: ChangeReceipt,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '', 'change')
      const found = { prompt, version: await reachVersionById(db, prompt, params.versionId ?? '') }
      const before = toAuditRecord(found, await labelsOf(db, found))
      await labelVersion(db, found, body.label_id)
      audit(entryFor('update', prompt, { before, after: toAuditRecord(found, await labelsOf(db, found)) }))
      return toChangeReceipt(found)
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/prompts/:promptId/makeDefault',
    summary: 'Publish a version of a prompt: calls that name none get it',
    scopes: ['prompts.publish'],
    changes: true,
    query: WorkspaceQuery,
    body: Publication,
    response: ChangeReceipt,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const prompt = await reachPrompt(db, workspaceId, params.promptId ?? '', 'change')
      const { before, after } = await publishVersion(db, actor, prompt, body.version)
      audit(entryFor('publish', prompt, { before: toAuditRecord(before), after: toAuditRecord(after) }))
      return toChangeReceipt(after)
    },
  }),
]

const labelsOf = async (db: Db, { prompt, version: { number } }: PromptAt): Promise<readonly VersionLabel[]> =>
  (await findVersionLabels(db, prompt.id, [number])).get(number) ?? []
