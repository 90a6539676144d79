import { defined } from '../core/defined.ts'
import { ManagementConflict } from '../errors/gateway-error.ts'
import { isUniqueViolation } from '../store/errors.ts'
import type { User } from '../store/objects/users.ts'
import { MEMBER_TAKEN, memberRows, type WorkspaceMember } from '../store/objects/workspace-members.ts'
import type { Workspace } from '../store/objects/workspaces.ts'
import type { WorkspaceRole } from '../store/schema/people.ts'
import type { Db } from '../store/types.ts'
import { alignKeys, type KeyWish, type MadeKey, makeAutomaticKey } from './keys.ts'
import type { AlignedKeys } from './keys-of-people.ts'
import { workspaceRoleOf } from './roles.ts'
import { holdPeople } from './users.ts'

export interface NewMember {
  readonly user: User
  readonly workspace: Pick<Workspace, 'id' | 'organisationId' | 'userKeyConfig'>
  readonly role: WorkspaceRole
  /** `direct` unless given. */
  readonly source?: WorkspaceMember['source']
  /** The key that they get. Absent: what the workspace says. */
  readonly key?: KeyWish | undefined
}

export interface Joined {
  readonly member: WorkspaceMember
  /** The key that they got without asking. */
  readonly key?: MadeKey
}

/**
 * Makes somebody a member of a workspace of their organisation, with the key that the workspace gives to members.
 * @param input user and workspace as they were found in this transaction, after `holdPeople`
 * @throws ManagementConflict for somebody who is a member already
 */
export const joinWorkspace = async (transaction: Db, input: NewMember): Promise<Joined> => {
  const { user, workspace, role, source = 'direct', key: wish } = input
  const { id: workspaceId, organisationId, userKeyConfig } = workspace
  if (user.organisationId !== organisationId) throw new Error('a user cannot join a workspace of another organisation')
  await holdPeople(transaction, organisationId)
  const member = await unlessMember(() =>
    memberRows.insert(transaction, { organisationId, workspaceId, userId: user.id, role, source }),
  )
  const automatic = userKeyConfig?.isAutomatic === true ? defined({ scopes: userKeyConfig.scopes }) : undefined
  const given = wish ?? automatic
  const actual = workspaceRoleOf(user, role)
  if (given === undefined || actual === undefined) return { member }
  const key = await makeAutomaticKey(transaction, { user, workspaceId, role: actual, wish: given })
  return { member, ...defined({ key }) }
}

/** Gives a member another role; their keys lose what that does not let them do. */
export const changeMember = async (
  transaction: Db,
  member: WorkspaceMember,
  changes: { readonly role?: WorkspaceRole; readonly source?: WorkspaceMember['source'] },
): Promise<{ readonly member: WorkspaceMember; readonly keys: AlignedKeys }> => {
  await holdPeople(transaction, member.organisationId)
  const changed = (await memberRows.update(transaction, { id: member.id, ...changes })) ?? member
  return { member: changed, keys: await alignKeys(transaction, userOf(member)) }
}

/** Takes somebody out of a workspace; their keys of it end. */
export const leaveWorkspace = async (transaction: Db, member: WorkspaceMember): Promise<AlignedKeys> => {
  await holdPeople(transaction, member.organisationId)
  await memberRows.remove(transaction, member.id)
  return alignKeys(transaction, userOf(member))
}

const userOf = ({ userId, organisationId }: WorkspaceMember) => ({ id: userId, organisationId })

const unlessMember = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
  try {
    return await store()
  } catch (thrown) {
    if (!isUniqueViolation(thrown, MEMBER_TAKEN)) throw thrown
    throw new ManagementConflict('The user is a member of the workspace already.', { cause: thrown, param: 'users' })
  }
}
