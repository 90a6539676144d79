import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { changeMember, leaveWorkspace } from '../../people/members.ts'
import { holdPeople } from '../../people/users.ts'
import { findMember, type MemberWithUser, memberRows } from '../../store/objects/workspace-members.ts'
import { type Workspace, workspaceRows } from '../../store/objects/workspaces.ts'
import { Empty } from '../fields.ts'
import { refuseOtherThanPath } from '../invalid-field.ts'
import { placeIn } from '../resolve-workspace.ts'
import { type AnyCall, filterOf, named } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { keysOf } from '../users/routes.ts'
import { AddMembers, ListMembers, memberAnswer, UpdateMember } from './model.ts'
import { addMembers, requireMight } from './service.ts'

const PATH = '/workspaces/:workspace/users'
const scopes = scopesIn('workspace_users')
const entry = entryOf('workspace_users', 'workspace_user')

/** The workspace of the path: one of the organisation, and for a caller of a workspace their own. @throws ManagementNotFound */
const workspaceOf = async ({ db, actor, params }: AnyCall): Promise<Workspace> => {
  const { organisationId, workspaceId } = actor
  const reference = params.workspace ?? ''
  const found = await workspaceRows.find(db, { organisationId, workspaceId, reference })
  if (found === undefined) throw new ManagementNotFound(`There is no workspace '${reference}'.`)
  return found
}

/** @throws ManagementInvalid for a body or query that says another workspace or user than the path */
const refuseOthers = (said: unknown, { workspace, userId }: AnyCall['params']): void => {
  for (const name of ['workspaceId', 'workspace_id']) refuseOtherThanPath(name, named(name, said), workspace)
  for (const name of ['userId', 'user_id']) refuseOtherThanPath(name, named(name, said), userId)
}

const members = resource<MemberWithUser, Workspace>({
  place: workspaceOf,
  async list(call, page) {
    refuseOthers(call.query, call.params)
    return memberRows.list(call.db, { ...filterOf(call), ...placeIn(await workspaceOf(call)) }, page)
  },
  async one(call, userId, verb) {
    const { id: workspaceId, organisationId } = await workspaceOf(call)
    if (verb !== 'read') await holdPeople(call.db, organisationId)
    const found = await findMember(call.db, { workspaceId, userId })
    if (found === undefined) throw new ManagementNotFound('The workspace has no member of that id.')
    return found
  },
  tag: 'Workspace users',
  path: `${PATH}/:userId`,
  aliases: [`/admin${PATH}/:userId`],
  scopes,
  entry: (verb, { userId, workspaceId }) => entry(verb, { id: userId, workspaceId }),
  answer: memberAnswer,
})

/** Who belongs to a workspace, and as what (interface contract, section 8). */
export const membersRoutes = (): readonly AnyRoute[] => [
  members.list({ summary: 'List the members of a workspace', query: ListMembers }),
  defineRoute({
    method: 'POST',
    path: PATH,
    aliases: [`/admin${PATH}`],
    tag: 'Workspace users',
    summary: 'Make users of the organisation members of a workspace',
    scopes: scopes('create'),
    plane: 'workspace',
    changes: true,
    body: AddMembers,
    response: Empty,
    async handle(call) {
      const workspace = await workspaceOf(call)
      refuseOthers(call.body, call.params)
      const users = await addMembers(call.db, call.actor, workspace, call.body.users)
      call.audit({ ...entry('create', { id: workspace.id, workspaceId: workspace.id }), after: { users } })
      return {}
    },
  }),
  members.read({ summary: 'Show a member of a workspace' }),
  members.update({
    summary: 'Give a member another role; their keys lose what it does not let them do',
    body: UpdateMember,
    async run({ db, actor, body, params }, member, note) {
      refuseOthers(body, params)
      requireMight(actor, member.role)
      requireMight(actor, body.role, 'role')
      const { member: changed, keys } = await changeMember(db, member, { role: body.role })
      note(keysOf(keys))
      return { ...member, ...changed }
    },
  }),
  members.delete({
    summary: 'Take a user out of a workspace: their keys of it end at once',
    async run({ db, actor }, member, note) {
      requireMight(actor, member.role)
      note(keysOf(await leaveWorkspace(db, member)))
    },
  }),
]
