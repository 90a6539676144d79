import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import { scimGroupMembers, scimGroups, users } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { rowsOf } from './rows-of.ts'

/** A group of a directory. */
export type ScimGroup = Readonly<typeof scimGroups.$inferSelect>

/** Constraint that a second group of the same name breaks, for `isUniqueViolation`. */
export const GROUP_NAME_TAKEN = 'scim_groups_organisation_name'

export const scimGroupRows = rowsOf(scimGroups)

/** One parameter, however many there are. */
export const idsOf = (ids: readonly string[]): SQL =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** Which of these users are of the organisation. @param ids UUIDs */
export const usersAmong = async (
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.organisationId, organisationId), sql`${users.id} in ${idsOf(ids)}`))
  return new Set(rows.map(({ id }) => id))
}

/** Members are added once, however often they are named. @param ids users of the organisation of the group */
export const addGroupMembers = async (db: Db, groupId: string, ids: readonly string[]): Promise<void> => {
  await db.execute(
    sql`insert into ${scimGroupMembers} select ${groupId}::uuid, id from ${idsOf(ids)} as given (id) on conflict do nothing`,
  )
}

/** Takes those members out of which the condition holds. @param which about `scimGroupMembers` */
export const removeGroupMembers = async (db: Db, groupId: string, which?: SQL): Promise<void> => {
  await db.delete(scimGroupMembers).where(and(eq(scimGroupMembers.groupId, groupId), which))
}

export const isMemberIn = (ids: readonly string[]): SQL => sql`${scimGroupMembers.userId} in ${idsOf(ids)}`
export const isMemberBeside = (ids: readonly string[]): SQL => sql`${scimGroupMembers.userId} not in ${idsOf(ids)}`

/** How many members groups have together. */
export const countGroupMembers = async (db: Db, groupIds: readonly string[]): Promise<number> => {
  const [row] = await db
    .select({ members: count() })
    .from(scimGroupMembers)
    .where(sql`${scimGroupMembers.groupId} in ${idsOf(groupIds)}`)
  return row?.members ?? 0
}

/** Ids of the members of groups, by group. */
export const membersOfGroups = async (
  db: Db,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db
    .select()
    .from(scimGroupMembers)
    .where(sql`${scimGroupMembers.groupId} in ${idsOf(groupIds)}`)
    .orderBy(asc(scimGroupMembers.userId))
  const found = Map.groupBy(rows, ({ groupId }) => groupId)
  return new Map(groupIds.map((id) => [id, (found.get(id) ?? []).map(({ userId }) => userId)]))
}

/** The groups that users are in, by user. */
export const groupsOfUsers = async (
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Pick<ScimGroup, 'id' | 'displayName'>[]>> => {
  const rows = await db
    .select({ userId: scimGroupMembers.userId, id: scimGroups.id, displayName: scimGroups.displayName })
    .from(scimGroupMembers)
    .innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
    .where(sql`${scimGroupMembers.userId} in ${idsOf(userIds)}`)
    .orderBy(asc(scimGroups.createdAt), asc(scimGroups.id))
  const found = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(userIds.map((id) => [id, found.get(id) ?? []]))
}
