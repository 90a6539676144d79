import {
  type MembershipScope,
  membershipDifferences,
  workspacesOfGroup,
  writeMemberships,
} from '../../store/objects/scim-workspaces.ts'
import type { Db } from '../../store/types.ts'
import { alignKeysOf, makeAutomaticKeys } from '../keys-of-people.ts'

/** What became of memberships, in numbers, for the audit log. */
export interface Reconciled {
  readonly joined: number
  readonly changed: number
  readonly left: number
}

/**
 * Makes the memberships that come from groups what the mappings say they are: the mightiest role of several, nothing where no
 * group gives one; memberships that people have directly are left alone. Keys of those who leave, or lose might, end. To be
 * called in the transaction of the change, after it, with the people of the organisation held.
 */
export const reconcile = async (transaction: Db, scope: MembershipScope): Promise<Reconciled> => {
  const { organisationId } = scope
  const differences = scope.workspaceIds.length === 0 ? [] : await membershipDifferences(transaction, scope)
  if (differences.length === 0) return { joined: 0, changed: 0, left: 0 }
  await writeMemberships(transaction, organisationId, differences)
  const joining = differences.filter(({ memberId }) => memberId === null)
  const others = differences.filter(({ memberId }) => memberId !== null)
  const userIds = [...new Set(others.map(({ userId }) => userId))]
  if (userIds.length > 0) await alignKeysOf(transaction, organisationId, userIds)
  if (joining.length > 0) await makeAutomaticKeys(transaction, organisationId, joining)
  const left = others.filter(({ role }) => role === null).length
  return { joined: joining.length, changed: others.length - left, left }
}

/** The same for the workspaces that a group gives roles in. @param names that it has, and had */
export const reconcileGroup = async (
  transaction: Db,
  group: { readonly organisationId: string; readonly id: string; readonly names: readonly string[] },
  userIds?: readonly string[],
): Promise<Reconciled> =>
  reconcile(transaction, {
    organisationId: group.organisationId,
    workspaceIds: await workspacesOfGroup(transaction, group),
    ...(userIds !== undefined && { userIds }),
  })
