import { type Static, Type as t } from '@sinclair/typebox'
import { SCOPES_OF_WORKSPACE_ROLE, workspaceRoleOf } from '../../people/roles.ts'
import type { MemberWithUser } from '../../store/objects/workspace-members.ts'
import { MEMBER_SOURCES, WORKSPACE_ROLES } from '../../store/schema/people.ts'
import { DateTime, nullable, Reference, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'
import { Email, OrganisationRole } from '../users/model.ts'

/** Bodies, queries and answers of the members of a workspace (interface contract, section 8). */

export const WorkspaceRole = t.Union(WORKSPACE_ROLES.map((role) => t.Literal(role)))

/** Clients say once more what the path says, each in its own spelling. */
const workspace = t.Optional({ ...Reference, description: 'The workspace of the path, if given at all.' })
const user = t.Optional({ ...Reference, description: 'The user of the path, if given at all.' })
const ofWorkspace = { workspaceId: workspace, workspace_id: workspace }

export const ListMembers = t.Object({
  ...pageQuery(100, 1000),
  ...ofWorkspace,
  role: t.Optional(WorkspaceRole),
  email: t.Optional({ ...Email, description: 'The whole address, in either case.' }),
})

export const NewMember = t.Object({
  id: { ...Reference, description: 'Id or address of a user of the organisation.' },
  role: WorkspaceRole,
})
export type NewMemberBody = Static<typeof NewMember>

export const AddMembers = t.Object({
  ...ofWorkspace,
  users: t.Array(NewMember, { minItems: 1, maxItems: 100 }),
})

export const UpdateMember = t.Object({
  ...ofWorkspace,
  userId: user,
  user_id: user,
  role: WorkspaceRole,
})

export const memberAnswer = answerOf<MemberWithUser>()(
  {
    id: { ...Uuid, description: 'Id of the user.' },
    email: t.String(),
    first_name: nullable(t.String()),
    last_name: nullable(t.String()),
    org_role: OrganisationRole,
    role: WorkspaceRole,
    status: t.Union([t.Literal('active'), t.Literal('inactive')]),
    source: t.Union(
      MEMBER_SOURCES.map((source) => t.Literal(source)),
      { description: '`scim`: by the groups of a directory.' },
    ),
    workspace_id: Uuid,
    scopes: t.Array(t.String(), { description: 'What they may do in the workspace.' }),
    settings: t.Null(),
    created_at: DateTime,
    last_updated_at: DateTime,
    object: t.Literal('workspace_user'),
  },
  {
    id: ({ userId }) => userId,
    email: ({ user }) => user.email,
    first_name: ({ user }) => user.firstName,
    last_name: ({ user }) => user.lastName,
    org_role: ({ user }) => user.role,
    status: ({ user }) => user.status,
    scopes: ({ user, role }) => {
      const actual = workspaceRoleOf(user, role)
      return actual === undefined ? [] : [...SCOPES_OF_WORKSPACE_ROLE[actual]]
    },
    settings: () => null,
  },
)
