import type { Person } from '../store/memory/people-snapshot.ts'
import { SCOPES_OF_ORGANISATION_ROLE, SCOPES_OF_WORKSPACE_ROLE } from './roles.ts'

/** A person as management calls see them. */
export interface PersonActing {
  readonly kind: 'user'
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly organisationId: string
  readonly workspaceId?: string
  readonly scopes: ReadonlySet<string>
}

/**
 * Who a person is for one call. An owner or admin is that for the whole organisation, or an admin of the workspace that the
 * call names; a member is what they are in that workspace, or in their only one.
 * @param workspaceId an active workspace of the organisation of the person; absent: the call names none
 * @returns undefined for a member who is not in the named workspace, or who names none and is in none, or in several
 */
export const actorOfUser = (person: Person, workspaceId?: string): PersonActing | undefined => {
  const { id, email, organisationId, role, workspaces } = person
  const acting = { kind: 'user', id, userId: id, name: email, organisationId } as const
  if (role !== 'member') {
    return workspaceId === undefined
      ? { ...acting, scopes: SCOPES_OF_ORGANISATION_ROLE[role] }
      : { ...acting, workspaceId, scopes: SCOPES_OF_WORKSPACE_ROLE.admin }
  }
  const [only] = workspaces.size === 1 ? workspaces.keys() : []
  const place = workspaceId ?? only
  const own = place === undefined ? undefined : workspaces.get(place)
  return place === undefined || own === undefined
    ? undefined
    : { ...acting, workspaceId: place, scopes: SCOPES_OF_WORKSPACE_ROLE[own] }
}
