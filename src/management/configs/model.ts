import { type Static, Type as t } from '@sinclair/typebox'
import { Flag, Name, Reference, Status, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of configs (interface contract, section 3.1). */

/** Characters of a config that comes as a text. */
const MAX_TEXT = 512 * 1024

const ConfigBody = t.Union(
  [
    t.Object({}, { additionalProperties: true, minProperties: 1 }),
    t.String({ minLength: 2, maxLength: MAX_TEXT, description: 'The object as JSON.' }),
  ],
  { description: 'The config object. One of version 1.0 is stored as version 2.0.' },
)

const defaultFields = {
  isDefault: t.Optional({
    ...Flag,
    description: 'True: the config of calls of the workspace that name none, instead of the one that was it before.',
  }),
  is_default: t.Optional({ ...Flag, description: 'Another name of `isDefault`.' }),
}

export const ConfigsQuery = t.Object({ ...pageQuery(100, 1000), workspace_id: WorkspaceReference })

export const NewConfig = t.Object({
  name: Name,
  config: ConfigBody,
  ...defaultFields,
  workspace_id: WorkspaceReference,
})
export type NewConfigBody = Static<typeof NewConfig>

export const ConfigChange = t.Object(
  {
    slug: t.Optional({ ...Reference, description: 'That of the path, if given at all.' }),
    name: t.Optional(Name),
    config: t.Optional(ConfigBody),
    status: t.Optional({ ...Status, description: 'An archived config serves no calls.' }),
    ...defaultFields,
    workspace_id: WorkspaceReference,
  },
  { minProperties: 1 },
)
export type ConfigChangeBody = Static<typeof ConfigChange>
