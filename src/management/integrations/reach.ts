import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { findIntegrationWorkspace } from '../../store/integration-workspaces.ts'
import { findIntegration, type Integration } from '../../store/integrations.ts'
import type { Scope } from '../../store/scopes.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { type Place, placeOf } from '../resolve-workspace.ts'

export type IntegrationVerb = 'create' | 'read' | 'update' | 'delete'

/** The scopes that let a call in, before it is known whose integration it is about. */
export const scopesOf = (verb: IntegrationVerb | 'list'): readonly Scope[] => [
  `organisation_integrations.${verb}`,
  `workspace_integrations.${verb}`,
]

/** The scope family of an integration: that of its workspace, or that of the organisation. */
export const familyOf = ({ workspaceId }: Pick<Integration, 'workspaceId'>) =>
  workspaceId === null ? ('organisation_integrations' as const) : ('workspace_integrations' as const)

/**
 * An integration of a workspace needs the scope of workspaces, or, for an organisation key, that of the organisation; one
 * of the organisation needs the latter.
 * @throws ManagementForbidden
 */
export const requireVerb = (actor: Actor, of: Pick<Integration, 'workspaceId'>, verb: IntegrationVerb): void => {
  const needed: Scope = `${familyOf(of)}.${verb}`
  if (actor.workspaceId !== undefined && of.workspaceId === null) {
    throw new ManagementForbidden('The integration belongs to the organisation: a key of a workspace cannot do this.')
  }
  if (actor.scopes.has(needed)) return
  if (actor.workspaceId === undefined && actor.scopes.has(`organisation_integrations.${verb}`)) return
  throw new ManagementForbidden(`The key lacks the scope ${needed}.`)
}

/**
 * The integration of an item route, by id or slug.
 * @param workspace id or slug of a workspace that must be able to use it
 * @throws ManagementNotFound when there is none, or the actor's workspace or the one that is named cannot see it;
 *   ManagementForbidden; ManagementReference.
 */
export const reachIntegration = async (
  db: Db,
  actor: Actor,
  reference: string,
  verb: IntegrationVerb,
  workspace?: string,
): Promise<Integration> => {
  const place = await placeOf(db, actor, workspace)
  const found = await findIntegration(db, { organisationId: actor.organisationId, reference })
  if (found === undefined || !(await isVisible(db, place, found))) {
    throw new ManagementNotFound(`There is no integration '${reference}'.`)
  }
  requireVerb(actor, found, verb)
  return found
}

const isVisible = async (db: Db, { workspaceId }: Place, integration: Integration): Promise<boolean> =>
  workspaceId === undefined || isUsableIn(db, integration, workspaceId)

/** Whether a workspace may use an integration: its own, or one that is granted to it by name or to all. */
export const isUsableIn = async (db: Db, integration: Integration, workspaceId: string): Promise<boolean> => {
  if (integration.workspaceId !== null) return integration.workspaceId === workspaceId
  const own = await findIntegrationWorkspace(db, { integrationId: integration.id, workspaceId })
  return own?.enabled ?? integration.globalWorkspaceAccess?.enabled ?? false
}
