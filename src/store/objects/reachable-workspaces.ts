import { and, asc, eq, type SQL } from 'drizzle-orm'
import { type WorkspaceRole, workspaceMembers } from '../schema/people.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import type { Workspace } from './workspaces.ts'

/** A workspace that somebody reaches; the role is that of a member. */
export interface ReachableWorkspace extends Pick<Workspace, 'id' | 'slug' | 'name'> {
  readonly role: WorkspaceRole | null
}

/** Whose workspaces are meant. */
export interface Reacher {
  readonly organisationId: string
  /** Absent: all of them. */
  readonly workspaceId?: string | undefined
  /** A user: only those that they are a member of. */
  readonly memberId?: string | undefined
}

/** Active workspaces by name. */
export const listReachableWorkspaces = (
  db: Db,
  { organisationId, workspaceId, memberId }: Reacher,
  limit: number,
): Promise<readonly ReachableWorkspace[]> => {
  const isTheirs = and(
    eq(workspaces.organisationId, organisationId),
    eq(workspaces.status, 'active'),
    workspaceId === undefined ? undefined : eq(workspaces.id, workspaceId),
  )
  const { id, slug, name } = workspaces
  const isMember = (userId: string): SQL | undefined =>
    and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, userId))
  const order = [asc(workspaces.name), asc(workspaces.id)] as const
  if (memberId !== undefined) {
    return db
      .select({ id, slug, name, role: workspaceMembers.role })
      .from(workspaces)
      .innerJoin(workspaceMembers, isMember(memberId))
      .where(isTheirs)
      .orderBy(...order)
      .limit(limit)
  }
  return db
    .select({ id, slug, name })
    .from(workspaces)
    .where(isTheirs)
    .orderBy(...order)
    .limit(limit)
    .then((rows) => rows.map((row) => ({ ...row, role: null })))
}
