import { ManagementForbidden, ManagementReference } from '../../errors/gateway-error.ts'
import { joinWorkspace } from '../../people/members.ts'
import { mayGiveWorkspaceRole } from '../../people/roles.ts'
import { holdPeople } from '../../people/users.ts'
import { userRows } from '../../store/objects/users.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { WorkspaceRole } from '../../store/schema/people.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import type { NewMemberBody } from './model.ts'

/** @throws ManagementForbidden for whoever may not give a role in a workspace, or change somebody who has it */
export const requireMight = (actor: Actor, role: WorkspaceRole, param?: string): void => {
  if (mayGiveWorkspaceRole(actor, role)) return
  throw new ManagementForbidden(
    `Only somebody who may do all that its ${role} may can make or change the ${role} of a workspace.`,
    param === undefined ? {} : { param },
  )
}

/** Somebody who was made a member, as the audit log keeps them. */
export interface AddedMember {
  readonly id: string
  readonly role: WorkspaceRole
  /** Id of the key that they got without asking. */
  readonly api_key?: string
}

/**
 * Makes users members of a workspace, all or none.
 * @param users as a body names them
 * @throws ManagementForbidden for a role that the caller may not give; ManagementReference for somebody who is no user;
 *   ManagementInvalid for one who is named twice; ManagementConflict for one who is a member already
 */
export const addMembers = async (
  db: Db,
  actor: Actor,
  workspace: Workspace,
  users: readonly NewMemberBody[],
): Promise<readonly AddedMember[]> => {
  const { organisationId } = workspace
  await holdPeople(db, organisationId)
  const added: AddedMember[] = []
  for (const [index, { id, role }] of users.entries()) {
    requireMight(actor, role, `users[${index}].role`)
    const user = await userRows.find(db, { organisationId, reference: id.toLowerCase() })
    const param = `users[${index}].id`
    if (user === undefined) throw new ManagementReference('There is no user of that id.', { param })
    if (added.some((other) => other.id === user.id)) throw invalidField(param, 'is a user that is named before it')
    const { key } = await joinWorkspace(db, { user, workspace, role })
    added.push({ id: user.id, role, ...(key && { api_key: key.id }) })
  }
  return added
}
