import { Type as t } from '@sinclair/typebox'
import type { Config, ConfigAt, ConfigVersion } from '../../store/objects/configs.ts'
import { DateTime, Status, Uuid } from '../fields.ts'
import { answerOf } from '../resource/answer.ts'
import type { ConfigObject } from './config-tree.ts'
import { toVersion2 } from './read-config.ts'
import { hideSecrets } from './secrets.ts'

/** Answers of configs (interface contract, section 3.1). */

const object = t.Literal('config')

/** A config without what it says: a row of a list. */
export const configRow = answerOf<Config>()(
  {
    id: Uuid,
    name: t.String(),
    slug: t.String(),
    organisation_id: Uuid,
    workspace_id: Uuid,
    status: Status,
    is_default: t.Union([t.Literal(0), t.Literal(1)]),
    owner_id: t.String({ description: 'User, key or subject of a token that made it.' }),
    updated_by: t.String(),
    created_at: DateTime,
    last_updated_at: DateTime,
    object,
  },
  { is_default: ({ isDefault }) => (isDefault ? 1 : 0) },
)

const content = {
  config: t.String({ description: 'The config object as JSON, its secrets masked.' }),
  format: t.Literal('json'),
  type: t.Literal('ORG_CONFIG'),
  version_id: Uuid,
}
const wrapped = {
  success: t.Literal(true),
  data: t.Object({ config: t.Object({}, { additionalProperties: true, description: 'The same as an object.' }) }),
}
const version = {
  ...configRow.schema.properties,
  ...content,
  version_created_at: DateTime,
  version_owner_id: t.String(),
}

export const configDetail = {
  schema: t.Object({ ...configRow.schema.properties, ...content, ...wrapped }),
  of: ({ object: config, version: current }: ConfigAt) => ({
    ...configRow.of(config),
    ...toContent(current),
    ...toWrapped(current),
  }),
}

/** A version in a list of them. */
export const versionRow = {
  schema: t.Object(version),
  of: ({ object: config, version: { createdAt, ownerId, ...said } }: ConfigAt) => ({
    ...configRow.of(config),
    ...toContent(said),
    version_created_at: createdAt.toISOString(),
    version_owner_id: ownerId,
  }),
}

export const versionDetail = {
  schema: t.Object({ ...version, ...wrapped }),
  of: (at: ConfigAt) => ({ ...versionRow.of(at), ...toWrapped(at.version) }),
}

const migrated = t.Optional(t.Literal(true, { description: 'The config came as version 1.0.' }))
const receipt = { id: Uuid, version_id: Uuid, slug: t.String() }
const success = t.Literal(true)
export const ConfigReceipt = t.Object({ success, data: t.Object(receipt), ...receipt, object, migrated })
export const ChangeReceipt = t.Object({ success, data: t.Object({ version_id: Uuid }), migrated })

/** What the audit log keeps. */
export const toAuditRecord = ({ object: config, version: current }: ConfigAt) => ({
  ...configRow.of(config),
  version_id: current.id,
  config: shown(current),
})

type Said = Pick<ConfigVersion, 'id' | 'config' | 'secrets'>

/** The older interface has the config as a text in a flat answer, the newer one as an object in an envelope: both are sent. */
const toContent = (version: Said) => ({
  config: JSON.stringify(shown(version)),
  format: 'json' as const,
  type: 'ORG_CONFIG' as const,
  version_id: version.id,
})

const toWrapped = (version: Said) => ({ success: true as const, data: { config: shown(version) } })

const shown = ({ config, secrets }: Said): ConfigObject => hideSecrets({ config: toVersion2(config), secrets })
