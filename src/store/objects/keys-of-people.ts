import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { apiKeys } from '../schema/api-keys.ts'
import { users, workspaceMembers } from '../schema/people.ts'
import { type UserKeyConfig, workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { newId } from './rows.ts'
import { idsOf } from './scim-groups.ts'

/** Queries about many people at once, each one statement however many they are. */

/** The keys of people, held against other changes. */
export const holdKeysOfPeople = (
  transaction: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<Pick<ApiKeyRecord, 'id' | 'userId' | 'workspaceId' | 'scopes' | 'creationMode'>[]> =>
  transaction
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      workspaceId: apiKeys.workspaceId,
      scopes: apiKeys.scopes,
      creationMode: apiKeys.creationMode,
    })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organisationId, organisationId),
        ne(apiKeys.status, 'revoked'),
        sql`${apiKeys.userId} in ${idsOf(userIds)}`,
      ),
    )
    .orderBy(asc(apiKeys.id))
    .for('update')

export const peopleById = async (
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<typeof users.$inferSelect, 'id' | 'role' | 'status' | 'email'>>> => {
  const { id, role, status, email } = users
  const rows = await db
    .select({ id, role, status, email })
    .from(users)
    .where(and(eq(users.organisationId, organisationId), sql`${id} in ${idsOf(userIds)}`))
  return new Map(rows.map((row) => [row.id, row]))
}

export const membershipsOfPeople = (
  db: Db,
  userIds: readonly string[],
): Promise<Pick<typeof workspaceMembers.$inferSelect, 'userId' | 'workspaceId' | 'role'>[]> => {
  const { userId, workspaceId, role } = workspaceMembers
  return db
    .select({ userId, workspaceId, role })
    .from(workspaceMembers)
    .where(sql`${userId} in ${idsOf(userIds)}`)
}

export const narrowKeys = async (db: Db, ids: readonly string[], scopes: readonly string[]): Promise<void> => {
  await db
    .update(apiKeys)
    .set({ scopes: [...scopes], lastUpdatedAt: sql`now()` })
    .where(sql`${apiKeys.id} in ${idsOf(ids)}`)
}

/** Rows of one statement: each takes a few parameters, of which there may be 65,535. */
const ROWS_AT_ONCE = 1_000

export const insertKeys = async (db: Db, rows: readonly Omit<typeof apiKeys.$inferInsert, 'id'>[]): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db.insert(apiKeys).values(rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ id: newId(), ...row })))
  }
}

/** What workspaces say about keys of new members, by id. */
export const keyConfigsOf = async (
  db: Db,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, UserKeyConfig | null>> => {
  const rows = await db
    .select({ id: workspaces.id, userKeyConfig: workspaces.userKeyConfig })
    .from(workspaces)
    .where(sql`${workspaces.id} in ${idsOf(workspaceIds)}`)
  return new Map(rows.map(({ id, userKeyConfig }) => [id, userKeyConfig]))
}
