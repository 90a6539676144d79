import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import type { Scope } from '../../store/scopes.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { placeOf } from '../resolve-workspace.ts'
import { entryOf } from '../resource/resource.ts'
import type { AuditEntry } from '../route.ts'

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
  const found = await integrationRows.find(db, { ...(await placeOf(db, actor, workspace)), reference })
  if (found === undefined) throw new ManagementNotFound(`There is no integration '${reference}'.`)
  requireVerb(actor, found, verb)
  return found
}

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

/** What the audit log says of a change of an integration, or of its models or workspaces. */
export const integrationEntry =
  (objectKind: 'integration' | 'integration_models' | 'integration_workspaces') =>
  (verb: string, integration: Integration): AuditEntry =>
    entryOf(familyOf(integration), objectKind)(verb, integration)
