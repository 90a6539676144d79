import { type TObject, Type as t } from '@sinclair/typebox'
import { configRows, holdDefault } from '../../store/objects/configs.ts'
import { refuseOtherThanPath } from '../invalid-field.ts'
import { placeOfCall } from '../resource/reach.ts'
import { entryOf } from '../resource/resource.ts'
import { versioned } from '../resource/versioned.ts'
import type { AnyRoute } from '../route.ts'
import { refuseWhileUsed } from './default-config.ts'
import type { ConfigDeps } from './deps.ts'
import { ConfigChange, type ConfigChangeBody, ConfigsQuery, NewConfig } from './model.ts'
import { changeConfig, createConfig, readDefault, type SavedConfig } from './service.ts'
import {
  ChangeReceipt,
  ConfigReceipt,
  configDetail,
  configRow,
  toAuditRecord,
  versionDetail,
  versionRow,
} from './view.ts'

const configs = versioned({
  rows: configRows,
  noun: 'config',
  family: 'configs',
  entry: entryOf('configs', 'config'),
  tag: 'Configs',
  path: '/configs/:slug',
  answer: configDetail,
  record: toAuditRecord,
  async prepare(call, verb) {
    if (verb !== 'update') return
    const body = call.body as ConfigChangeBody
    refuseOtherThanPath('slug', body.slug, call.params.slug)
    const { workspaceId } = await placeOfCall(call)
    if (readDefault(body) === true) await holdDefault(call.db, workspaceId)
  },
})

/** Saved configs of a workspace, which calls name in `x-gateway-config` (interface contract, section 3.1). */
export const configsRoutes = (deps: ConfigDeps): readonly AnyRoute[] => [
  successful(configs.list({ summary: 'List the configs of a workspace', query: ConfigsQuery, shown: configRow })),
  configs.create({
    summary: 'Create a config',
    body: NewConfig,
    response: ConfigReceipt,
    run: ({ db, actor, body }, place) => createConfig(db, deps, actor, place, body),
    receipt(saved) {
      const receipt = { id: saved.object.id, version_id: saved.version.id, slug: saved.object.slug }
      return { success: true, data: receipt, ...receipt, object: 'config', ...migrated(saved) }
    },
  }),
  configs.read({ summary: 'Show a config' }),
  configs.update({
    summary: 'Change a config; a `config` becomes its new version, as a whole',
    body: ConfigChange,
    response: ChangeReceipt,
    run: ({ db, actor, body }, stored) => changeConfig(db, deps, actor, stored, body),
    receipt: (saved) => ({ success: true, data: { version_id: saved.version.id }, ...migrated(saved) }),
  }),
  configs.delete({
    summary: 'Delete a config with its versions; refused while it is the default of its workspace or of a key',
    async run({ db }, { object: config }) {
      await refuseWhileUsed(db, config, 'deleted')
      await configRows.remove(db, config.id)
    },
  }),
  successful(
    configs.versions({
      summary: 'List the versions of a config, the newest first',
      query: ConfigsQuery,
      shown: versionRow.schema,
      show: (_, found) => found.map(versionRow.of),
    }),
  ),
  configs.version({
    summary: 'Show a version of a config',
    path: '/:version',
    response: versionDetail.schema,
    show: (_, at) => versionDetail.of(at),
  }),
]

/** The interface wraps the lists of configs once more. */
const successful = (route: AnyRoute): AnyRoute => ({
  ...route,
  response: t.Object({ success: t.Literal(true), ...(route.response as TObject).properties }),
  handle: async (call) => ({ success: true, ...((await route.handle(call)) as object) }),
})

const migrated = ({ isMigrated }: SavedConfig) => (isMigrated ? { migrated: true } : {})
