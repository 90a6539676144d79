import { defined } from '../../core/defined.ts'
import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { createInvite, type InviteWithToken } from '../../people/invites.ts'
import { keyScopesOf } from '../../people/roles.ts'
import type { Invite } from '../../store/objects/invites.ts'
import type { InvitedKey, InvitedWorkspace } from '../../store/schema/people.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { checkScopes, mayGrant } from '../api-keys/scopes.ts'
import { invalidField } from '../invalid-field.ts'
import { requireMight as requireWorkspaceMight } from '../members/service.ts'
import { toFutureDate } from '../own-budgets/usage-limits.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { requireMight } from '../users/routes.ts'
import type { NewInviteBody } from './model.ts'

/**
 * Invites somebody to what the caller may give.
 * @throws ManagementForbidden for roles and scopes that the caller may not give; ManagementReference for an unknown workspace;
 *   ManagementInvalid for one that is named twice, or a scope that no key of that role can have; ManagementConflict for an
 *   address that is invited or a user already
 */
export const invite = async (db: Db, actor: Actor, body: NewInviteBody, nowMs: number): Promise<InviteWithToken> => {
  requireMight(actor, body.role, 'role')
  const workspaces: InvitedWorkspace[] = []
  for (const [index, { id, role }] of body.workspaces.entries()) {
    const at = `workspaces[${index}]`
    requireWorkspaceMight(actor, role, `${at}.role`)
    const found = await resolveWorkspace(db, actor, id, `${at}.id`)
    if (workspaces.some((other) => other.id === found.id)) {
      throw invalidField(`${at}.id`, 'is a workspace that is named before it')
    }
    workspaces.push({ id: found.id, role })
  }
  const apiKey = body.workspace_api_key_details && toKey(actor, body, body.workspace_api_key_details, nowMs)
  const { organisationId, id: invitedBy } = actor
  return createInvite(
    db,
    { organisationId, email: body.email, role: body.role, workspaces, invitedBy, ...defined({ apiKey }) },
    nowMs,
  )
}

/** @throws ManagementForbidden for whoever may not give what an invite does */
export const requireMightOver = (actor: Actor, { role, workspaces }: Invite): void => {
  requireMight(actor, role)
  for (const each of workspaces) requireWorkspaceMight(actor, each.role)
}

const FIELD = 'workspace_api_key_details'

const toKey = (
  actor: Actor,
  { role, workspaces }: NewInviteBody,
  { scopes: wanted, name, metadata, expiry }: NonNullable<NewInviteBody[typeof FIELD]>,
  nowMs: number,
): InvitedKey => {
  if (workspaces.length === 0) throw invalidField(FIELD, 'is for an invite with `workspaces`: each gives such a key')
  const scopes = checkScopes(wanted, 'workspace-user', mayGrant(actor), [], `${FIELD}.scopes`)
  for (const member of workspaces) {
    const allowed: readonly string[] = keyScopesOf(role === 'member' ? member.role : 'admin')
    const index = scopes.findIndex((scope) => !allowed.includes(scope))
    if (index < 0) continue
    throw new ManagementForbidden(
      `A ${member.role} of a workspace cannot have a key with the scope ${scopes[index]}.`,
      {
        param: `${FIELD}.scopes[${index}]`,
      },
    )
  }
  const expiresAt = expiry === undefined ? undefined : toFutureDate(expiry, `${FIELD}.expiry`, nowMs).toISOString()
  return defined({ scopes, name, metadata, expiresAt })
}
