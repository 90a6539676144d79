import { type CurrentConfig, deleteConfig, listConfigs } from '../../store/configs.ts'
import { holdDefault } from '../../store/default-configs.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { refuseOtherThanPath } from '../named-twice.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, type AuditEntry, defineRoute } from '../route.ts'
import { refuseWhileUsed } from './default-config.ts'
import type { ConfigDeps } from './deps.ts'
import {
  ChangeReceipt,
  ConfigChange,
  ConfigDetail,
  ConfigList,
  ConfigQuery,
  ConfigReceipt,
  NewConfig,
  WorkspaceQuery,
} from './model.ts'
import { changeConfig, createConfig, reachConfig, readDefault } from './service.ts'
import { toAuditRecord, toConfigDetail, toConfigRow } from './view.ts'

const shared = { tag: 'Configs', plane: 'workspace' } as const

/** Saved configs of a workspace, which calls name in `x-gateway-config` (interface contract, section 3.1). */
export const configsRoutes = (deps: ConfigDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/configs',
    summary: 'List the configs of a workspace',
    scopes: ['configs.list'],
    changes: false,
    query: ConfigQuery,
    response: ConfigList,
    async handle({ db, actor, query }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const { rows, total } = await listConfigs(db, workspaceId, toPage(query))
      return { success: true, ...toList(rows.map(toConfigRow), total) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/configs',
    summary: 'Create a config',
    scopes: ['configs.create'],
    changes: true,
    body: NewConfig,
    response: ConfigReceipt,
    async handle({ db, actor, body, audit }) {
      const workspace = await resolveWorkspace(db, actor, body.workspace_id)
      if (readDefault(body) === true) await holdDefault(db, workspace.id)
      const saved = await createConfig(db, deps, actor, workspace, body)
      audit({ ...entryFor('create', saved), after: toAuditRecord(saved) })
      const receipt = { id: saved.config.id, version_id: saved.current.id, slug: saved.config.slug }
      return { success: true, data: receipt, ...receipt, object: 'config', ...migrated(saved) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/configs/:slug',
    summary: 'Show a config',
    scopes: ['configs.read'],
    changes: false,
    query: WorkspaceQuery,
    response: ConfigDetail,
    async handle({ db, actor, query, params }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      return toConfigDetail(await reachConfig(db, workspaceId, params.slug ?? ''))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/configs/:slug',
    summary: 'Change a config; a `config` becomes its new version, as a whole',
    scopes: ['configs.update'],
    changes: true,
    query: WorkspaceQuery,
    body: ConfigChange,
    response: ChangeReceipt,
    async handle({ db, actor, query, params, body, audit }) {
      refuseOtherThanPath('slug', body.slug, params.slug)
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id ?? body.workspace_id)
      if (readDefault(body) === true) await holdDefault(db, workspaceId)
      const before = await reachConfig(db, workspaceId, params.slug ?? '', 'change')
      const saved = await changeConfig(db, deps, actor, before, body)
      audit({ ...entryFor('update', saved), before: toAuditRecord(before), after: toAuditRecord(saved) })
      return { success: true, data: { version_id: saved.current.id }, ...migrated(saved) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/configs/:slug',
    summary: 'Delete a config with its versions; refused while it is the default of its workspace or of a key',
    scopes: ['configs.delete'],
    changes: true,
    query: WorkspaceQuery,
    response: Empty,
    async handle({ db, actor, query, params, audit }) {
      const { id: workspaceId } = await resolveWorkspace(db, actor, query.workspace_id)
      const before = await reachConfig(db, workspaceId, params.slug ?? '', 'change')
      await refuseWhileUsed(db, before.config, 'deleted')
      await deleteConfig(db, before.config.id)
      audit({ ...entryFor('delete', before), before: toAuditRecord(before) })
      return {}
    },
  }),
]

const entryFor = (verb: 'create' | 'update' | 'delete', { config }: CurrentConfig): AuditEntry => ({
  action: `configs.${verb}`,
  objectKind: 'config',
  objectId: config.id,
  workspaceId: config.workspaceId,
})

const migrated = ({ isMigrated }: { readonly isMigrated: boolean }) => (isMigrated ? { migrated: true } : {})
