import { type Static, Type as t } from '@sinclair/typebox'
import type { ScimWorkspace } from '../../store/objects/scim-workspaces.ts'
import { WORKSPACE_ROLES } from '../../store/schema/people.ts'
import { DateTime, Name, nullable, Reference, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

const Role = t.Union(WORKSPACE_ROLES.map((role) => t.Literal(role)))

export const NewMapping = t.Object({
  workspace_id: { ...Reference, description: 'Id or slug of the workspace.' },
  role: Role,
  scim_group_id: t.Optional({ ...Uuid, description: 'A group that is there. Either this or `scim_group_name`.' }),
  scim_group_name: t.Optional({ ...Name, description: 'Name of a group, also of one that comes later.' }),
})
export type NewMappingBody = Static<typeof NewMapping>

export const MappingsQuery = t.Object({
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug of the workspace.' }),
  scim_group_id: t.Optional(Uuid),
  scim_group_name: t.Optional(Name),
  ...pageQuery(50, 100),
})

export const mappingAnswer = answerOf<ScimWorkspace>()({
  id: Uuid,
  workspace_id: Uuid,
  role: Role,
  scim_group_id: nullable(Uuid),
  scim_group_name: nullable(t.String()),
  organisation_id: Uuid,
  created_at: DateTime,
  last_updated_at: DateTime,
  object: t.Literal('scim_workspace'),
})
