import { type Static, Type as t } from '@sinclair/typebox'
import { statusOf } from '../../people/invites.ts'
import type { Invite } from '../../store/objects/invites.ts'
import { INVITE_STATUSES } from '../../store/schema/people.ts'
import { DateTime, Name, nullable, Reference, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { WorkspaceRole } from '../members/model.ts'
import { answerOf } from '../resource/answer.ts'
import { Email, OrganisationRole, PersonName } from '../users/model.ts'

/** Bodies, queries and answers of invites (interface contract, section 8). */

const Status = t.Union(INVITE_STATUSES.map((status) => t.Literal(status)))

export const ListInvites = t.Object({
  ...pageQuery(100, 1000),
  email: t.Optional({ ...Email, description: 'The whole address, in either case.' }),
  role: t.Optional(OrganisationRole),
  status: t.Optional(Status),
})

export const KeyDetails = t.Object(
  {
    scopes: t.Array(t.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 200 }),
    name: t.Optional(Name),
    expiry: t.Optional({ ...DateTime, description: 'When the key ends.' }),
    metadata: t.Optional(
      t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 128 }), {
        maxProperties: 64,
        additionalProperties: false,
        description: 'Added to the metadata of each request of the key.',
      }),
    ),
  },
  { description: 'The key that each of the workspaces gives. Absent: what a workspace gives to every member.' },
)

export const NewInvite = t.Object({
  email: Email,
  role: OrganisationRole,
  workspaces: t.Array(t.Object({ id: { ...Reference, description: 'Id or slug.' }, role: WorkspaceRole }), {
    maxItems: 100,
    default: [],
    description: 'Where they become a member. Owners and admins reach every workspace without that.',
  }),
  workspace_api_key_details: t.Optional(KeyDetails),
})
export type NewInviteBody = Static<typeof NewInvite>

export const InviteReceipt = t.Object({
  id: Uuid,
  invite_link: t.String({ description: 'Where it is accepted, once, for seven days. Shown this once.' }),
})

export const AcceptInvite = t.Object({
  token: t.String({ minLength: 1, maxLength: 128, description: 'What the link of the invite has as `invite`.' }),
  first_name: t.Optional(PersonName),
  last_name: t.Optional(PersonName),
})

export const AcceptedInvite = t.Object({
  user_id: Uuid,
  email: t.String(),
  role: OrganisationRole,
  organisation_id: Uuid,
  api_keys: t.Array(
    t.Object({
      id: Uuid,
      workspace_id: Uuid,
      key: t.String({ description: 'The key itself. Shown this once.' }),
    }),
  ),
  object: t.Literal('user'),
})

/** An invite as the interface shows it; never its link. */
export const inviteAnswer = (now: () => number) =>
  answerOf<Invite>()(
    {
      id: Uuid,
      email: t.String(),
      role: OrganisationRole,
      workspaces: t.Array(t.Object({ id: Uuid, role: WorkspaceRole })),
      workspace_api_key_details: nullable(KeyDetails),
      status: Status,
      invited_by: t.String({ description: 'Id of the user or key that invites.' }),
      created_at: DateTime,
      expires_at: DateTime,
      accepted_at: nullable(DateTime),
      object: t.Literal('invite'),
    },
    {
      workspaces: ({ workspaces }) => [...workspaces],
      workspace_api_key_details: ({ apiKey }) => {
        if (apiKey === null) return null
        const { scopes, expiresAt: expiry, ...rest } = apiKey
        return { ...rest, scopes: [...scopes], ...(expiry !== undefined && { expiry }) }
      },
      status: (invite) => statusOf(invite, now()),
      // Nothing is changed of one that was accepted.
      accepted_at: ({ status, lastUpdatedAt }) => (status === 'accepted' ? lastUpdatedAt.toISOString() : null),
    },
  )
