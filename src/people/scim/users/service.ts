import { ManagementForbidden, ManagementNotFound } from '../../../errors/gateway-error.ts'
import { isUuid } from '../../../store/objects/rows.ts'
import { groupsOfUsers } from '../../../store/objects/scim-groups.ts'
import { type User, userRows } from '../../../store/objects/users.ts'
import { users } from '../../../store/schema/people.ts'
import type { Db } from '../../../store/types.ts'
import { mayGiveOrganisationRole } from '../../roles.ts'
import { changeUser, createUser, holdPeople, removeUser } from '../../users.ts'
import type { Fields } from '../documents.ts'
import { USER_SEARCH } from '../filter/user-search.ts'
import { readOperations } from '../patch/operations.ts'
import { findPage, type Query } from '../query.ts'
import { isWanted, type Selection, select } from '../selection.ts'
import { type KnownVersions, requireVersion } from '../version.ts'
import { patchUser } from './patch.ts'
import { toUserResource } from './resource.ts'
import { readUser, stateOf, type UserState } from './state.ts'

/** Who provisions: a key of the organisation. */
export interface Provisioner {
  readonly organisationId: string
  readonly scopes: ReadonlySet<string>
}

/** @throws ManagementNotFound */
export const findUser = async (db: Db, organisationId: string, id: string): Promise<User> => {
  // Not by the address, by which others are found too.
  const found = isUuid(id) ? await userRows.find(db, { organisationId, reference: id }) : undefined
  if (found === undefined) throw new ManagementNotFound(`There is no user '${id.slice(0, 100)}'.`)
  return found
}

/** One page of the users that a query is for, and how many there are. @throws ScimFault */
export const listUsers = async (
  db: Db,
  organisationId: string,
  query: Query,
  base: string,
): Promise<{ readonly total: number; readonly resources: readonly Fields[] }> => {
  const { rows, total } = await findPage(db, users, USER_SEARCH, organisationId, query)
  return { total, resources: await showUsers(db, rows, query.selection, base) }
}

/** Users as an answer shows them. */
export const showUsers = async (
  db: Db,
  rows: readonly User[],
  selection: Selection,
  base: string,
): Promise<readonly Fields[]> => {
  const ids = rows.map(({ id }) => id)
  const groups = isWanted(selection, 'groups') && rows.length > 0 ? await groupsOfUsers(db, ids) : undefined
  return rows.map((row) => select(toUserResource(row, groups?.get(row.id), base), selection))
}

/** @throws ScimFault, ManagementInvalid, ManagementConflict */
export const provisionUser = (transaction: Db, { organisationId }: Provisioner, body: unknown): Promise<User> =>
  createUser(transaction, { ...readUser(body), organisationId, role: 'member', source: 'scim' })

export interface ChangeOfUser {
  readonly before: User
  readonly user: User
}

/** @throws ScimFault, ManagementNotFound, ManagementForbidden, ManagementConflict */
export const replaceUser = (
  transaction: Db,
  caller: Provisioner,
  id: string,
  body: unknown,
  versions: KnownVersions,
): Promise<ChangeOfUser> => change(transaction, caller, id, versions, (before) => readUser(body, before))

/** @throws ScimFault, ManagementNotFound, ManagementForbidden, ManagementConflict */
export const patchStoredUser = (
  transaction: Db,
  caller: Provisioner,
  id: string,
  body: unknown,
  versions: KnownVersions,
): Promise<ChangeOfUser> => {
  const operations = readOperations(body)
  return change(transaction, caller, id, versions, (before) => patchUser(before.id, stateOf(before), operations))
}

const change = async (
  transaction: Db,
  caller: Provisioner,
  id: string,
  versions: KnownVersions,
  changed: (before: User) => UserState,
): Promise<ChangeOfUser> => {
  const before = await holdUser(transaction, caller, id, versions)
  const after = changed(before)
  const differences = Object.fromEntries(
    Object.entries({ ...after, userName: after.userName.toLowerCase(), email: after.email.toLowerCase() }).filter(
      ([name, value]) => value !== before[name as keyof UserState],
    ),
  )
  if (Object.keys(differences).length === 0) return { before, user: before }
  return { before, user: (await changeUser(transaction, before, differences)).user }
}

/** @throws ManagementNotFound, ManagementForbidden, ManagementConflict for the last owner */
export const deprovisionUser = async (
  transaction: Db,
  caller: Provisioner,
  id: string,
  versions: KnownVersions,
): Promise<User> => {
  const user = await holdUser(transaction, caller, id, versions)
  await removeUser(transaction, user)
  return user
}

/** A user whom nobody else changes until the end of the transaction. */
const holdUser = async (transaction: Db, caller: Provisioner, id: string, versions: KnownVersions): Promise<User> => {
  await holdPeople(transaction, caller.organisationId)
  const user = await findUser(transaction, caller.organisationId, id)
  requireVersion(versions, user)
  // Who may change an address may sign in with it: nobody reaches their betters in this way.
  if (mayGiveOrganisationRole(caller, user.role)) return user
  throw new ManagementForbidden(`The key may not change somebody who is ${user.role} of the organisation.`)
}
