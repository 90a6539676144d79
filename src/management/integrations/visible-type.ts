import { ManagementForbidden } from '../../errors/gateway-error.ts'
import type { Actor } from '../actor.ts'

export type IntegrationType = 'workspace' | 'organisation' | 'all'

/**
 * The part of what a list asks for that the scopes of the actor allow.
 * @throws ManagementForbidden when nothing is left.
 */
export const visibleType = (actor: Actor, asked: IntegrationType): IntegrationType => {
  const seesOrganisation = actor.scopes.has('organisation_integrations.list')
  const seesWorkspace =
    actor.scopes.has('workspace_integrations.list') || (actor.workspaceId === undefined && seesOrganisation)
  if (seesOrganisation && seesWorkspace) return asked
  const seen = seesOrganisation ? 'organisation' : 'workspace'
  if (asked !== 'all' && asked !== seen)
    throw new ManagementForbidden(`The key lacks the scope ${asked}_integrations.list.`)
  return seen
}
