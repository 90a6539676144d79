import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { users, workspaceMembers } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { equals, isUuid } from './rows.ts'
import { rowsOf } from './rows-of.ts'
import { type User, userRows } from './users.ts'

/** Who belongs to a workspace, and as what. */
export type WorkspaceMember = Readonly<typeof workspaceMembers.$inferSelect>

/** A member with what their user says. */
export interface MemberWithUser extends WorkspaceMember {
  readonly user: Pick<User, 'email' | 'firstName' | 'lastName' | 'role' | 'status'>
}

/** Constraint that a second membership of a user in a workspace breaks, for `isUniqueViolation`. */
export const MEMBER_TAKEN = 'workspace_members_workspace_user'

const { email, firstName, lastName, role, status } = users

const selectWithUser = (db: Db) =>
  db
    .select({ ...getTableColumns(workspaceMembers), user: { email, firstName, lastName, role, status } })
    .from(workspaceMembers)
    .innerJoin(users, eq(users.id, workspaceMembers.userId))

/** Read with their users; one is found by `findMember`. */
export const memberRows = rowsOf(workspaceMembers, {
  select: (db) => selectWithUser(db).$dynamic(),
  filters: {
    role: equals(workspaceMembers.role),
    email: (address: string) =>
      sql`exists (select from ${users} where ${users.id} = ${workspaceMembers.userId} and ${users.email} = ${address.toLowerCase()})`,
  },
})

/** The membership of a user. @param userId may be any text */
export const findMember = async (
  db: Db,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
): Promise<MemberWithUser | undefined> => {
  if (!isUuid(userId)) return undefined
  const [found] = await selectWithUser(db).where(
    and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId)),
  )
  return found
}

/** What a user is a member of, the oldest membership first. */
export const membershipsOf = (db: Db, userId: string): Promise<WorkspaceMember[]> =>
  db
    .select()
    .from(workspaceMembers)
    .where(eq(workspaceMembers.userId, userId))
    .orderBy(asc(workspaceMembers.createdAt), asc(workspaceMembers.id))

/** Somebody as far as a workspace is concerned. */
export interface HeldPerson {
  readonly user: User
  /** Of the membership; absent: they have none. */
  readonly role?: WorkspaceMember['role']
}

/** A user and their membership, neither of which changes until the end of the transaction. @param userId may be any text */
export const holdPerson = async (
  transaction: Db,
  wanted: { readonly organisationId: string; readonly workspaceId: string; readonly userId: string },
): Promise<HeldPerson | undefined> => {
  const { organisationId, workspaceId, userId } = wanted
  if (!isUuid(userId)) return undefined
  const user = await userRows.find(transaction, { organisationId, reference: userId }, 'keep')
  if (user === undefined) return undefined
  const [membership] = await transaction
    .select({ role: workspaceMembers.role })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, user.id)))
    .for('share')
  return { user, ...membership }
}
