import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { WorkspaceRole } from '../schema/people.ts'
import { scimGroupMembers, scimGroups, scimWorkspaces, WORKSPACE_ROLES, workspaceMembers } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { equals, newId } from './rows.ts'
import { rowsOf } from './rows-of.ts'
import { idsOf } from './scim-groups.ts'

/** The role that a group gives its members in a workspace. */
export type ScimWorkspace = Readonly<typeof scimWorkspaces.$inferSelect>

export const scimWorkspaceRows = rowsOf(scimWorkspaces, {
  filters: {
    scim_group_id: equals(scimWorkspaces.scimGroupId),
    scim_group_name: equals(scimWorkspaces.scimGroupName),
  },
})

/** The workspaces that a group gives roles in, by its id or one of these names. */
export const workspacesOfGroup = async (
  db: Db,
  {
    organisationId,
    id,
    names,
  }: { readonly organisationId: string; readonly id: string; readonly names: readonly string[] },
): Promise<readonly string[]> => {
  const rows = await db
    .selectDistinct({ workspaceId: scimWorkspaces.workspaceId })
    .from(scimWorkspaces)
    .where(
      and(
        eq(scimWorkspaces.organisationId, organisationId),
        or(eq(scimWorkspaces.scimGroupId, id), inArray(scimWorkspaces.scimGroupName, [...names])),
      ),
    )
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Which memberships are looked at. */
export interface MembershipScope {
  readonly organisationId: string
  readonly workspaceIds: readonly string[]
  /** Absent: of everybody. */
  readonly userIds?: readonly string[]
}

/** A membership as it is, and as the groups want it. */
export interface MembershipDifference {
  readonly workspaceId: string
  readonly userId: string
  /** Absent: somebody is to join. */
  readonly memberId: string | null
  /** Absent: somebody is to leave. */
  readonly role: WorkspaceRole | null
}

/** The mightiest of the roles that the groups of a user give, as text. */
const MIGHTIEST = sql<WorkspaceRole>`(${sql.raw(`array[${WORKSPACE_ROLES.map((role) => `'${role}'`).join(', ')}]`)})[min(${sql.join(
  [
    sql`case ${scimWorkspaces.role}`,
    ...WORKSPACE_ROLES.map((role, index) => sql.raw(`when '${role}' then ${index + 1}`)),
    sql`end`,
  ],
  sql.raw(' '),
)})]`

/**
 * Where memberships are not as the groups want them. Those that people have directly are left as they are.
 */
export const membershipDifferences = async (
  db: Db,
  { organisationId, workspaceIds, userIds }: MembershipScope,
): Promise<readonly MembershipDifference[]> => {
  const ofUsers = (column: SQL): SQL | undefined =>
    userIds === undefined ? undefined : sql`${column} in ${idsOf(userIds)}`
  const wanted = db
    .select({
      workspaceId: scimWorkspaces.workspaceId,
      userId: scimGroupMembers.userId,
      role: MIGHTIEST.as('wanted_role'),
    })
    .from(scimWorkspaces)
    .innerJoin(
      scimGroups,
      and(
        eq(scimGroups.organisationId, scimWorkspaces.organisationId),
        or(eq(scimGroups.id, scimWorkspaces.scimGroupId), eq(scimGroups.displayName, scimWorkspaces.scimGroupName)),
      ),
    )
    .innerJoin(scimGroupMembers, eq(scimGroupMembers.groupId, scimGroups.id))
    .where(
      and(
        eq(scimWorkspaces.organisationId, organisationId),
        sql`${scimWorkspaces.workspaceId} in ${idsOf(workspaceIds)}`,
        ofUsers(sql`${scimGroupMembers.userId}`),
      ),
    )
    .groupBy(scimWorkspaces.workspaceId, scimGroupMembers.userId)
    .as('wanted')
  const current = db
    .select({
      id: workspaceMembers.id,
      workspaceId: sql<string>`${workspaceMembers.workspaceId}`.as('current_workspace'),
      userId: sql<string>`${workspaceMembers.userId}`.as('current_user_id'),
      role: sql<WorkspaceRole>`${workspaceMembers.role}`.as('current_role_name'),
      source: workspaceMembers.source,
    })
    .from(workspaceMembers)
    .where(
      and(sql`${workspaceMembers.workspaceId} in ${idsOf(workspaceIds)}`, ofUsers(sql`${workspaceMembers.userId}`)),
    )
    .as('current')
  return db
    .select({
      workspaceId: sql<string>`coalesce(${wanted.workspaceId}, ${current.workspaceId})`,
      userId: sql<string>`coalesce(${wanted.userId}, ${current.userId})`,
      memberId: current.id,
      role: wanted.role,
    })
    .from(wanted)
    .fullJoin(current, and(eq(wanted.workspaceId, current.workspaceId), eq(wanted.userId, current.userId)))
    .where(
      sql`${current.id} is null or (${current.source} = 'scim' and ${wanted.role} is distinct from ${current.role})`,
    )
}

/** Rows of one statement: each takes a few parameters, of which there may be 65,535. */
const ROWS_AT_ONCE = 1_000

/** Makes memberships as the groups want them. */
export const writeMemberships = async (
  db: Db,
  organisationId: string,
  differences: readonly MembershipDifference[],
): Promise<void> => {
  const joining = differences.flatMap(({ memberId, role, workspaceId, userId }) =>
    memberId === null && role !== null
      ? [{ id: newId(), organisationId, workspaceId, userId, role, source: 'scim' as const }]
      : [],
  )
  for (let from = 0; from < joining.length; from += ROWS_AT_ONCE) {
    await db.insert(workspaceMembers).values(joining.slice(from, from + ROWS_AT_ONCE))
  }
  const idsWith = (wanted: WorkspaceRole | null): readonly string[] =>
    differences.flatMap(({ memberId, role }) => (memberId !== null && role === wanted ? [memberId] : []))
  for (const role of WORKSPACE_ROLES) {
    const ids = idsWith(role)
    if (ids.length === 0) continue
    const changes = { role, lastUpdatedAt: sql`now()` }
    await db
      .update(workspaceMembers)
      .set(changes)
      .where(sql`${workspaceMembers.id} in ${idsOf(ids)}`)
  }
  const leaving = idsWith(null)
  if (leaving.length > 0) await db.delete(workspaceMembers).where(sql`${workspaceMembers.id} in ${idsOf(leaving)}`)
}
