import { type Static, Type as t } from '@sinclair/typebox'
import { Description, Name, Reference, Status, searchIn, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of prompt partials (interface contract, section 8). */

/** Characters of a template. */
const MAX_TEMPLATE = 512 * 1024

const Template = t.String({ maxLength: MAX_TEMPLATE, description: 'The template, as it is inserted by `{{>slug}}`.' })

export const VersionsQuery = t.Object({ ...pageQuery(100, 1000), workspace_id: WorkspaceReference })

export const PartialsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: searchIn('name or the slug'),
  collection_id: t.Optional({
    ...Reference,
    description: 'Sent by older clients, and of no effect: partials stand in no collection.',
  }),
})

export const PartialQuery = t.Object({
  workspace_id: WorkspaceReference,
  version: t.Optional(
    t.String({
      pattern: '^(latest|[1-9][0-9]{0,8})$',
      maxLength: 9,
      description: 'Number of a version, or `latest`. Absent: the published one.',
    }),
  ),
})

export const NewPartial = t.Object({
  name: Name,
  string: Template,
  workspace_id: WorkspaceReference,
  version_description: t.Optional(Description),
})
export type NewPartialBody = Static<typeof NewPartial>

export const PartialChange = t.Object(
  {
    name: t.Optional(Name),
    string: t.Optional({ ...Template, description: 'Absent: as in the newest version.' }),
    version_description: t.Optional(Description),
    description: t.Optional({ ...Description, description: 'Another name of `version_description`.' }),
    status: t.Optional({ ...Status, description: 'An archived partial is in no template.' }),
    workspace_id: WorkspaceReference,
  },
  { minProperties: 1 },
)
export type PartialChangeBody = Static<typeof PartialChange>

export const Publication = t.Object({
  version: t.Integer({ minimum: 1, maximum: 999_999_999, description: 'Number of the version to publish.' }),
  workspace_id: WorkspaceReference,
})
