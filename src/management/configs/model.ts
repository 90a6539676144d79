import { type Static, Type as t } from '@sinclair/typebox'
import { DateTime, Name, Reference, Uuid } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'

/** Bodies, queries and answers of configs (interface contract, section 3.1). */

/** Characters of a config that comes as a text. */
const MAX_TEXT = 512 * 1024

const ConfigBody = t.Union(
  [
    t.Object({}, { additionalProperties: true, minProperties: 1 }),
    t.String({ minLength: 2, maxLength: MAX_TEXT, description: 'The object as JSON.' }),
  ],
  { description: 'The config object. One of version 1.0 is stored as version 2.0.' },
)

const Flag = t.Union([t.Boolean(), t.Literal(0), t.Literal(1)])

const standing = {
  isDefault: t.Optional({
    ...Flag,
    description: 'True: the config of calls of the workspace that name none, instead of the one that was it before.',
  }),
  is_default: t.Optional({ ...Flag, description: 'Another name of `isDefault`.' }),
}

const WorkspaceReference = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one, or the default one of the organisation.',
})

export const WorkspaceQuery = t.Object({ workspace_id: WorkspaceReference })
export const ConfigQuery = t.Object({ ...pageQuery(100, 1000), workspace_id: WorkspaceReference })
export const VersionQuery = t.Object({ ...pageQuery(100, 1000), workspace_id: WorkspaceReference })

export const NewConfig = t.Object({
  name: Name,
  config: ConfigBody,
  ...standing,
  workspace_id: WorkspaceReference,
})
export type NewConfigBody = Static<typeof NewConfig>

const Status = t.Union([t.Literal('active'), t.Literal('archived')])

export const ConfigChange = t.Object(
  {
    slug: t.Optional({ ...Reference, description: 'That of the path, if given at all.' }),
    name: t.Optional(Name),
    config: t.Optional(ConfigBody),
    status: t.Optional({ ...Status, description: 'An archived config serves no calls.' }),
    ...standing,
    workspace_id: WorkspaceReference,
  },
  { minProperties: 1 },
)
export type ConfigChangeBody = Static<typeof ConfigChange>

const success = t.Literal(true)
const object = t.Literal('config')

const row = {
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
}

const content = {
  config: t.String({ description: 'The config object as JSON, its secrets masked.' }),
  format: t.Literal('json'),
  type: t.Literal('ORG_CONFIG'),
  version_id: Uuid,
}

const version = { ...row, ...content, version_created_at: DateTime, version_owner_id: t.String() }

const wrapped = {
  success,
  data: t.Object({ config: t.Object({}, { additionalProperties: true, description: 'The same as an object.' }) }),
}

export const ConfigList = t.Object({ success, ...listOf(t.Object(row)).properties })
export const ConfigDetail = t.Object({ ...row, ...content, ...wrapped })
export const VersionList = t.Object({ success, ...listOf(t.Object(version)).properties })
export const VersionDetail = t.Object({ ...version, ...wrapped })

const migrated = t.Optional(t.Literal(true, { description: 'The config came as version 1.0.' }))

const receipt = { id: Uuid, version_id: Uuid, slug: t.String() }
export const ConfigReceipt = t.Object({ success, data: t.Object(receipt), ...receipt, object, migrated })
export const ChangeReceipt = t.Object({ success, data: t.Object({ version_id: Uuid }), migrated })
