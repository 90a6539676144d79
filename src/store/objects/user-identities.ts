import { and, eq, ne } from 'drizzle-orm'
import { userIdentities } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { newId } from './rows.ts'

/** Somebody, as an issuer knows them. */
export interface UserIdentity {
  readonly organisationId: string
  readonly issuer: string
  readonly subject: string
}

/** Id of the user that somebody at an issuer is. */
export const findUserByIdentity = async (
  db: Db,
  { organisationId, issuer, subject }: UserIdentity,
): Promise<string | undefined> => {
  const isThem = and(
    eq(userIdentities.organisationId, organisationId),
    eq(userIdentities.issuer, issuer),
    eq(userIdentities.subject, subject),
  )
  const [found] = await db.select({ userId: userIdentities.userId }).from(userIdentities).where(isThem)
  return found?.userId
}

/** Whether an issuer knows a user as somebody else. */
export const hasOtherIdentity = async (
  db: Db,
  userId: string,
  { issuer, subject }: Pick<UserIdentity, 'issuer' | 'subject'>,
): Promise<boolean> => {
  const isOther = and(
    eq(userIdentities.userId, userId),
    eq(userIdentities.issuer, issuer),
    ne(userIdentities.subject, subject),
  )
  return (await db.select({ id: userIdentities.id }).from(userIdentities).where(isOther).limit(1)).length > 0
}

/** @throws QueryFailed when somebody is that already */
export const addIdentity = async (db: Db, userId: string, identity: UserIdentity): Promise<void> => {
  await db.insert(userIdentities).values({ id: newId(), userId, ...identity })
}
