import { and, asc, count, eq, inArray, ne } from 'drizzle-orm'
import { sessions, users, workspaceMembers } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

/** Somebody of an organisation. */
export type User = Readonly<typeof users.$inferSelect>

/** Constraints that a second user of the same address, or name in the directory, breaks: for `isUniqueViolation`. */
export const USER_EMAIL_TAKEN = 'users_organisation_email'
export const USER_NAME_TAKEN = 'users_organisation_user_name'

/** Found by id, or by the address in lower case. */
export const userRows = rowsOf(users, {
  reference: users.email,
  filters: {
    role: equals(users.role),
    status: equals(users.status),
    email: (address: string) => eq(users.email, address.toLowerCase()),
  },
})

/** How many owners can act for the organisation besides one of its users. */
export const countOtherOwners = async (
  db: Db,
  { organisationId, id }: Pick<User, 'organisationId' | 'id'>,
): Promise<number> => {
  const isOwner = and(
    eq(users.organisationId, organisationId),
    eq(users.role, 'owner'),
    eq(users.status, 'active'),
    ne(users.id, id),
  )
  const [row] = await db.select({ owners: count() }).from(users).where(isOwner)
  return row?.owners ?? 0
}

/** The workspaces that users are members of, the oldest membership first, by user. */
export const workspacesOfUsers = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db
    .select({ userId: workspaceMembers.userId, workspaceId: workspaceMembers.workspaceId })
    .from(workspaceMembers)
    .where(inArray(workspaceMembers.userId, [...ids]))
    .orderBy(asc(workspaceMembers.createdAt), asc(workspaceMembers.id))
  const found = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(ids.map((id) => [id, (found.get(id) ?? []).map(({ workspaceId }) => workspaceId)]))
}

/** Ends what a user has open at screens. */
export const endSessionsOf = async (db: Db, userId: string): Promise<void> => {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}
