import { ManagementForbidden, ManagementReference } from '../errors/gateway-error.ts'
import type { WorkspacePlace } from '../store/objects/rows-of.ts'
import { findDefaultWorkspace, type Workspace, workspaceRows } from '../store/objects/workspaces.ts'
import type { Db } from '../store/types.ts'
import type { Actor } from './actor.ts'
import { invalidField } from './invalid-field.ts'

/**
 * The workspace that a call is about: that of a workspace key; for an organisation key the one that it names by id or
 * slug, else the default one.
 * @param param where the reference stands in the call
 * @throws ManagementForbidden when a workspace key names another one; ManagementReference for one that does not exist.
 */
export const resolveWorkspace = async (
  db: Db,
  actor: Actor,
  reference: string | undefined,
  param = 'workspace_id',
): Promise<Workspace> => {
  const { organisationId, workspaceId } = actor
  if (workspaceId !== undefined) {
    const own = await workspaceRows.find(db, { organisationId, reference: workspaceId })
    const isOwn = reference === undefined || reference === own?.slug || reference.toLowerCase() === own?.id
    if (own === undefined || !isOwn) {
      throw new ManagementForbidden('The key belongs to another workspace.', { param })
    }
    return own
  }
  if (reference === undefined) {
    const found = await findDefaultWorkspace(db, organisationId)
    if (found === undefined) throw invalidField(param, 'is missing, as there is no default workspace')
    return found
  }
  const found = await workspaceRows.find(db, { organisationId, reference })
  if (found === undefined) {
    throw new ManagementReference(`There is no workspace '${reference}'.`, { param })
  }
  return found
}

export const placeIn = ({ id, organisationId }: Pick<Workspace, 'id' | 'organisationId'>): WorkspacePlace => ({
  organisationId,
  workspaceId: id,
})

/** Where an object may be: anywhere in an organisation, or in one of its workspaces. */
export interface Place {
  readonly organisationId: string
  readonly workspaceId?: string
}

/**
 * Where a call may look: the workspace that it names; else that of its key; else, for an organisation key, everywhere.
 * @throws ManagementForbidden, ManagementReference as `resolveWorkspace` does
 */
export const placeOf = async (db: Db, actor: Actor, reference: string | undefined, param?: string): Promise<Place> => {
  const { organisationId, workspaceId } = actor
  const named = reference === undefined ? workspaceId : (await resolveWorkspace(db, actor, reference, param)).id
  return named === undefined ? { organisationId } : { organisationId, workspaceId: named }
}
