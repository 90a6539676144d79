import { listPartialVersions } from '../../store/prompt-partials.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import { PartialVersionList, Publication, VersionsQuery, WorkspaceQuery } from './model.ts'
import { publishVersion, reachPartial } from './service.ts'
import { toPartialDetail, toVersionRow } from './view.ts'

const shared = { tag: 'Prompt partials', plane: 'workspace' } as const

/** What partials said before, and which of it templates get: versions never change (interface contract, section 8). */
export const promptPartialVersionsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/prompts/partials/:partialId/versions',
    summary: 'List the versions of a prompt partial, the newest first',
    scopes: ['prompts.read'],
    changes: false,
    query: VersionsQuery,
    response: PartialVersionList,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const partial = await reachPartial(db, workspaceId, params.partialId ?? '')
      const { rows, total } = await listPartialVersions(db, partial.id, toPage(query))
      return toList(
        rows.map((version) => toVersionRow(partial, version)),
        total,
      )
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/prompts/partials/:partialId/makeDefault',
    summary: 'Publish a version of a prompt partial: templates that name no version get it',
    scopes: ['prompts.publish'],
    changes: true,
    query: WorkspaceQuery,
    body: Publication,
    response: Empty,
    async handle({ db, actor, query, params, body, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id ?? body.workspace_id)
      const partial = await reachPartial(db, workspaceId, params.partialId ?? '', 'change')
      const { before, after } = await publishVersion(db, actor, partial, body.version)
      audit({ ...entryFor('publish', partial), before: toPartialDetail(before), after: toPartialDetail(after) })
      return {}
    },
  }),
]
