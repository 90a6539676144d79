import { MCP_SCOPE } from '../../mcp/place.ts'
import { actorOfUser } from '../../people/actor-of-user.ts'
import type { Person } from '../../store/memory/people-snapshot.ts'
import { listReachableWorkspaces } from '../../store/objects/reachable-workspaces.ts'
import type { AppsDeps } from './deps.ts'
import type { Resource } from './resource.ts'

/** A workspace in which a person may use what an app asks for, and what that is called there. */
export interface Place {
  readonly workspaceId: string
  readonly workspaceName: string
  /** Undefined: all servers that the person may use. */
  readonly serverName: string | undefined
}

/** More workspaces than anybody chooses from. */
const MAX_WORKSPACES = 200

/** The workspaces of a person in which they may use a resource themselves: an app never may what they may not. */
export const placesOf = async (
  { db, servers }: AppsDeps,
  person: Person,
  { place: { workspace, server } }: Resource,
): Promise<readonly Place[]> => {
  const { id: userId, organisationId, role } = person
  const memberId = role === 'member' ? userId : undefined
  const reachable = await listReachableWorkspaces(db, { organisationId, memberId }, MAX_WORKSPACES)
  return reachable.flatMap(({ id, slug, name }): Place[] => {
    const isMeant = workspace === undefined || workspace === slug || workspace.toLowerCase() === id
    if (!isMeant || actorOfUser(person, id)?.scopes.has(MCP_SCOPE) !== true) return []
    const place = { workspaceId: id, workspaceName: name }
    if (server === undefined) return [{ ...place, serverName: undefined }]
    const target = servers.find(id, server)
    return target?.allows(userId) === true ? [{ ...place, serverName: target.name }] : []
  })
}
