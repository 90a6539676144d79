import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import type { AlignedKeys } from '../../people/keys-of-people.ts'
import { mayGiveOrganisationRole } from '../../people/roles.ts'
import { changeUser, holdPeople, removeUser } from '../../people/users.ts'
import { type User, userRows, workspacesOfUsers } from '../../store/objects/users.ts'
import type { OrganisationRole } from '../../store/schema/people.ts'
import type { Actor } from '../actor.ts'
import { refuseOtherThanPath } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { filterOf } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import { ListUsers, type ShownUser, UpdateUser, userAnswer } from './model.ts'

const entry = entryOf('users', 'user')

const users = resource<ShownUser, void>({
  place: async () => undefined,
  async list(call, page) {
    const { organisationId } = call.actor
    const { rows, total } = await userRows.list(call.db, { ...filterOf(call), organisationId }, page)
    return { rows: rows.map(unseen), total }
  },
  async one({ db, actor: { organisationId } }, reference, verb) {
    if (verb !== 'read') await holdPeople(db, organisationId)
    const found = await userRows.find(db, { organisationId, reference: reference.toLowerCase() })
    if (found === undefined) throw new ManagementNotFound('There is no user of that id.')
    return unseen(found)
  },
  tag: 'Users',
  plane: 'organisation',
  path: '/users/:userId',
  aliases: ['/admin/users/:userId'],
  scopes: scopesIn('organisation_users'),
  entry: (verb, { id }) => entry(verb, { id, workspaceId: null }),
  answer: userAnswer,
  async complete(db, rows) {
    const found = await workspacesOfUsers(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, workspaceIds: found.get(row.id) ?? [] }))
  },
})

/** A user whose workspaces are read later. */
const unseen = (user: User): ShownUser => ({ ...user, workspaceIds: [] })

/** People of an organisation, and what they are in it (interface contract, section 8). */
export const usersRoutes = (): readonly AnyRoute[] => [
  users.list({ summary: 'List the users of the organisation', query: ListUsers }),
  users.read({ summary: 'Show a user, by id or address' }),
  users.update({
    summary:
      'Change what a user is: whoever loses a role loses what their keys could do by it, and who becomes inactive their keys and sessions',
    body: UpdateUser,
    async run({ db, actor, body }, user, note) {
      refuseOtherThanPath('userId', body.userId?.toLowerCase(), body.userId && user.id)
      requireMight(actor, user.role)
      if (body.role !== undefined) requireMight(actor, body.role, 'role')
      const changes = columnsOf(body, ['role', 'status', 'first_name', 'last_name'])
      const { user: changed, keys } = await changeUser(db, user, changes)
      note(keysOf(keys))
      return unseen(changed)
    },
  }),
  users.delete({
    summary: 'Remove a user: their keys, sessions and memberships end at once. The last owner cannot be removed',
    async run({ db, actor }, user, note) {
      requireMight(actor, user.role)
      note(keysOf(await removeUser(db, user)))
    },
  }),
]

/** @throws ManagementForbidden for whoever may not give a role of the organisation, or change somebody who has it */
export const requireMight = (actor: Actor, role: OrganisationRole, param?: string): void => {
  if (mayGiveOrganisationRole(actor, role)) return
  throw new ManagementForbidden(
    `Only somebody who may do all that an ${role} may can make or change an ${role}.`,
    param === undefined ? {} : { param },
  )
}

/** What a change did to the keys of a person, for the audit log. */
export const keysOf = ({ revoked, narrowed }: AlignedKeys): object => ({
  ...(revoked.length > 0 && { revoked_keys: revoked }),
  ...(narrowed.length > 0 && { narrowed_keys: narrowed }),
})
