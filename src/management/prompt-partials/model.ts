import { type Static, Type as t } from '@sinclair/typebox'
import { PROMPT_STATUSES } from '../../store/schema/prompts.ts'
import { DateTime, Description, Name, Reference, Uuid } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'

/** Bodies, queries and answers of prompt partials (interface contract, section 8). */

/** Characters of a template. */
const MAX_TEMPLATE = 512 * 1024

const Template = t.String({ maxLength: MAX_TEMPLATE, description: 'The template, as it is inserted by `{{>slug}}`.' })

const Status = t.Union(PROMPT_STATUSES.map((status) => t.Literal(status)))

const WorkspaceReference = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one, or the default one of the organisation.',
})

export const WorkspaceQuery = t.Object({ workspace_id: WorkspaceReference })
export const VersionsQuery = t.Object({ ...pageQuery(100, 1000), workspace_id: WorkspaceReference })

export const PartialsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: t.Optional(
    t.String({ minLength: 1, maxLength: 255, description: 'A part of the name or the slug, in either case.' }),
  ),
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

const object = t.Literal('partial')
const VersionStatus = t.Union([t.Literal('active'), t.Literal('archived')], {
  description: '`active`: the published one.',
})
const VersionDescription = t.Union([t.String(), t.Null()])

const row = {
  id: Uuid,
  slug: t.String(),
  name: t.String(),
  organisation_id: Uuid,
  workspace_id: Uuid,
  status: Status,
  published_version: t.Integer({ minimum: 1 }),
  latest_version: t.Integer({ minimum: 1 }),
  owner_id: t.String({ description: 'User, key or subject of a token that made it.' }),
  updated_by: t.String(),
  created_at: DateTime,
  last_updated_at: DateTime,
  object,
}

export const PartialList = listOf(t.Object({ ...row, version: t.Integer({ description: 'The published one.' }) }))

export const PartialDetail = t.Object({
  ...row,
  string: t.String(),
  version: t.Integer(),
  version_description: VersionDescription,
  prompt_partial_version_id: Uuid,
  prompt_version_status: VersionStatus,
})

export const PartialVersionList = listOf(
  t.Object({
    prompt_partial_id: Uuid,
    prompt_partial_version_id: Uuid,
    slug: t.String(),
    version: t.Integer(),
    string: t.String(),
    description: VersionDescription,
    prompt_version_status: VersionStatus,
    owner_id: t.String(),
    created_at: DateTime,
    object,
  }),
)

export const PartialReceipt = t.Object({ id: Uuid, slug: t.String(), version_id: Uuid })

export const ChangeReceipt = t.Object({
  id: Uuid,
  slug: t.String(),
  prompt_partial_version_id: { ...Uuid, description: 'Of the newest version, also when none was made.' },
})
