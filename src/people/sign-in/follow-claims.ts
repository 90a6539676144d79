import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { countOtherOwners, type User } from '../../store/objects/users.ts'
import { findMember } from '../../store/objects/workspace-members.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { changeMember, joinWorkspace, leaveWorkspace } from '../members.ts'
import { changeUser } from '../users.ts'
import type { Identity } from './claims.ts'

/** Somebody as they are after a sign-in. */
export interface Followed {
  readonly user: User
  /** The role that the claims gave and that was not taken: the organisation would have had no owner. */
  readonly refusedRole?: User['role']
}

/**
 * Gives somebody what the claims of a sign-in say: their role, and their membership of the workspaces that the settings name.
 * Memberships that people or a directory gave are left alone.
 * @param transaction in which the people of the organisation are held
 * @throws ManagementForbidden for somebody who is inactive, and whom the claims do not let in
 */
export const followClaims = async (
  transaction: Db,
  user: User,
  { role, workspaces }: Identity,
  lastSignInAt: Date,
): Promise<Followed> => {
  if (user.status !== 'active')
    throw new ManagementForbidden('This user is inactive: an owner or admin can change that.')
  if (role === 'refused') throw new ManagementForbidden('You have none of the roles that may sign in here.')
  const isKept = role !== undefined && (await isLastOwner(transaction, user)) && role !== 'owner'
  const changes = role === undefined || isKept || role === user.role ? {} : { role }
  const changed = await changeUser(transaction, user, { ...changes, lastSignInAt })
  for (const [reference, wanted] of workspaces) await follow(transaction, changed.user, reference, wanted)
  return { user: changed.user, ...(isKept ? { refusedRole: role } : {}) }
}

const isLastOwner = async (transaction: Db, user: User): Promise<boolean> =>
  user.role === 'owner' && (await countOtherOwners(transaction, user)) === 0

/** A workspace that is gone, or not there yet, is nobody's fault who signs in. */
const follow = async (
  transaction: Db,
  user: User,
  reference: string,
  role: Parameters<typeof joinWorkspace>[1]['role'] | undefined,
): Promise<void> => {
  const { id: userId, organisationId } = user
  const workspace = await workspaceRows.find(transaction, { organisationId, reference })
  if (workspace === undefined) return
  const member = await findMember(transaction, { workspaceId: workspace.id, userId })
  if (member === undefined) {
    if (role !== undefined) await joinWorkspace(transaction, { user, workspace, role, source: 'sign-in' })
    return
  }
  if (member.source !== 'sign-in') return
  if (role === undefined) await leaveWorkspace(transaction, member)
  else if (role !== member.role) await changeMember(transaction, member, { role })
}
