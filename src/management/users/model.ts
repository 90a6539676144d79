import { Type as t } from '@sinclair/typebox'
import type { User } from '../../store/objects/users.ts'
import { ORGANISATION_ROLES, USER_SOURCES, USER_STATUSES } from '../../store/schema/people.ts'
import { DateTime, nullable, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of users (interface contract, section 8). */

export const OrganisationRole = t.Union(ORGANISATION_ROLES.map((role) => t.Literal(role)))
const Status = t.Union(
  USER_STATUSES.map((status) => t.Literal(status)),
  { description: 'An inactive one can neither sign in nor use a key.' },
)

/** Schemas of the texts by which people go. */
export const PersonName = t.String({ maxLength: 255 })
export const Email = t.String({ minLength: 3, maxLength: 254, description: 'An address of electronic mail, in ASCII.' })

export const ListUsers = t.Object({
  ...pageQuery(100, 1000),
  role: t.Optional(OrganisationRole),
  email: t.Optional({ ...Email, description: 'The whole address, in either case.' }),
  status: t.Optional(Status),
})

export const UpdateUser = t.Object(
  {
    userId: t.Optional({ ...Uuid, description: 'That of the path, if given at all.' }),
    role: t.Optional(OrganisationRole),
    status: t.Optional(Status),
    first_name: t.Optional(nullable(PersonName)),
    last_name: t.Optional(nullable(PersonName)),
  },
  { minProperties: 1 },
)

/** A user with the workspaces that they are a member of. */
export interface ShownUser extends User {
  readonly workspaceIds: readonly string[]
}

export const userAnswer = answerOf<ShownUser>()(
  {
    id: Uuid,
    email: t.String(),
    first_name: nullable(t.String()),
    last_name: nullable(t.String()),
    role: OrganisationRole,
    status: Status,
    source: t.Union(
      USER_SOURCES.map((source) => t.Literal(source)),
      { description: 'How somebody came to be known.' },
    ),
    workspace_ids: t.Array(Uuid),
    last_sign_in_at: outsideTag(nullable(DateTime)),
    created_at: DateTime,
    // A sign-in counts as a change there.
    last_updated_at: outsideTag(DateTime),
    object: t.Literal('user'),
  },
  { workspace_ids: ({ workspaceIds }) => [...workspaceIds] },
)
