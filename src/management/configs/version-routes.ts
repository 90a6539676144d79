import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { findConfigVersion, listConfigVersions } from '../../store/configs.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { VersionDetail, VersionList, VersionQuery, WorkspaceQuery } from './model.ts'
import { reachConfig } from './service.ts'
import { toVersionDetail, toVersionRow } from './view.ts'

const shared = { tag: 'Configs', plane: 'workspace' } as const

/** What configs said before: versions never change (interface contract, section 3.1). */
export const configVersionsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/configs/:slug/versions',
    summary: 'List the versions of a config, the newest first',
    scopes: ['configs.read'],
    changes: false,
    query: VersionQuery,
    response: VersionList,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const { config } = await reachConfig(db, workspaceId, params.slug ?? '')
      const { rows, total } = await listConfigVersions(db, config.id, toPage(query))
      return {
        success: true,
        ...toList(
          rows.map((version) => toVersionRow(config, version)),
          total,
        ),
      }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/configs/:slug/versions/:version',
    summary: 'Show a version of a config',
    scopes: ['configs.read'],
    changes: false,
    query: WorkspaceQuery,
    response: VersionDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const { config } = await reachConfig(db, workspaceId, params.slug ?? '')
      const version = await findConfigVersion(db, { configId: config.id, id: params.version ?? '' })
      if (version === undefined) throw new ManagementNotFound(`The config '${config.slug}' has no such version.`)
      return toVersionDetail(config, version)
    },
  }),
]
