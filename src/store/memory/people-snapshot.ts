import { and, eq } from 'drizzle-orm'
import type { OrganisationRole, WorkspaceRole } from '../schema/people.ts'
import { users, workspaceMembers } from '../schema/people.ts'
import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

/** Somebody who may act, with the role that they have in each of their workspaces. */
export interface Person {
  readonly id: string
  readonly organisationId: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly role: OrganisationRole
  /** By id of the workspace, the oldest membership first. */
  readonly workspaces: ReadonlyMap<string, WorkspaceRole>
}

/** All active users in memory, in step with the database. */
export interface PeopleSnapshot extends Snapshot {
  /** @returns undefined for one who is unknown, inactive or removed */
  find(userId: string): Person | undefined
  /** The same by the database: for somebody who may be too new to be in memory. @throws StoreUnavailable */
  lookUp(userId: string): Promise<Person | undefined>
}

/** @throws StoreUnavailable when the people cannot be read the first time */
export const createPeopleSnapshot = (store: Store, options: SnapshotOptions = {}): Promise<PeopleSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: ['users', 'workspace_members'],
    read: () => readPeople(store.db),
    find: (content) => ({
      find: (userId: string) => content()?.get(userId),
      lookUp: async (userId: string) => (await readPeople(store.db, userId)).get(userId),
    }),
  })

/** As they were at one moment: somebody whose membership is read before their new role would be both for a while. */
const readPeople = (db: Db, userId?: string): Promise<ReadonlyMap<string, Person>> =>
  db.transaction(
    async (transaction) => {
      const { id, organisationId, email, firstName, lastName, role } = users
      const active = await transaction
        .select({ id, organisationId, email, firstName, lastName, role })
        .from(users)
        .where(and(eq(users.status, 'active'), userId === undefined ? undefined : eq(users.id, userId)))
      const members = await transaction
        .select({
          userId: workspaceMembers.userId,
          workspaceId: workspaceMembers.workspaceId,
          role: workspaceMembers.role,
        })
        .from(workspaceMembers)
        .where(userId === undefined ? undefined : eq(workspaceMembers.userId, userId))
        .orderBy(workspaceMembers.createdAt, workspaceMembers.id)
      const byUser = Map.groupBy(members, (member) => member.userId)
      return new Map(
        active.map((user) => [
          user.id,
          {
            ...user,
            workspaces: new Map((byUser.get(user.id) ?? []).map((member) => [member.workspaceId, member.role])),
          },
        ]),
      )
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
