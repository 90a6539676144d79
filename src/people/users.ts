import { defined } from '../core/defined.ts'
import { ManagementConflict } from '../errors/gateway-error.ts'
import { isUniqueViolation } from '../store/errors.ts'
import { takeOrganisationLock } from '../store/locks.ts'
import { cancelInvitesBy } from '../store/objects/invites.ts'
import {
  countOtherOwners,
  endSessionsOf,
  USER_EMAIL_TAKEN,
  USER_NAME_TAKEN,
  type User,
  userRows,
} from '../store/objects/users.ts'
import type { OrganisationRole } from '../store/schema/people.ts'
import type { Db } from '../store/types.ts'
import { toAddress } from './address.ts'
import { alignKeys } from './keys.ts'
import type { AlignedKeys } from './keys-of-people.ts'
import { mightier } from './roles.ts'

/**
 * What people are is changed here alone, whoever asks for it: a route, a directory, a sign-in. Every function is to be called
 * in a transaction, and holds the people of the organisation until its end, so that what two changes need of each other (an
 * owner who stays) is known.
 */

/** What is known of somebody. */
export interface UserDetails {
  readonly email: string
  /** Absent: the address. */
  readonly userName?: string | undefined
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly externalId?: string | null | undefined
  /** `work` unless given. */
  readonly emailType?: string | undefined
  /** True unless given. */
  readonly isEmailPrimary?: boolean | undefined
}

export interface NewUser extends UserDetails {
  readonly organisationId: string
  readonly role: OrganisationRole
  readonly source: User['source']
  readonly status?: User['status']
}

/** Holds the people of an organisation until the end of the transaction: nobody else changes one of them. */
export const holdPeople = (transaction: Db, organisationId: string): Promise<void> =>
  takeOrganisationLock(transaction, 'people', organisationId)

/**
 * @throws ManagementInvalid for what is no address; ManagementConflict when somebody has it already, or the name in the
 *   directory
 */
export const createUser = async (
  transaction: Db,
  { organisationId, role, source, status, ...details }: NewUser,
): Promise<User> => {
  await holdPeople(transaction, organisationId)
  const email = toAddress(details.email)
  const { firstName = null, lastName = null, externalId = null, userName = email, emailType, isEmailPrimary } = details
  const row = { organisationId, email, userName: userName.toLowerCase(), firstName, lastName, externalId, role, source }
  const given = defined({ status, emailType, isEmailPrimary })
  return unlessTaken(() => userRows.insert(transaction, { ...row, ...given }))
}

export interface UserChanges extends Partial<UserDetails> {
  readonly role?: OrganisationRole
  readonly status?: User['status']
  readonly lastSignInAt?: Date
}

/** Somebody as they are now, and what that did to their keys. */
export interface ChangedUser {
  readonly user: User
  readonly keys: AlignedKeys
}

/**
 * Writes the given fields. Whoever loses might loses the keys that need it, and their invites; whoever becomes inactive loses
 * all keys, invites and sessions, in the same transaction.
 * @param before as it was found in this transaction, after `holdPeople`
 * @throws ManagementInvalid for what is no address; ManagementConflict for one that is taken, and for the last owner, who stays
 */
export const changeUser = async (transaction: Db, before: User, changes: UserChanges): Promise<ChangedUser> => {
  await holdPeople(transaction, before.organisationId)
  const { email, userName, ...rest } = changes
  const { role = before.role, status = before.status } = changes
  const isEnded = before.status === 'active' && status === 'inactive'
  const isLesser = role !== before.role && mightier(role, before.role) === before.role
  if (isEnded || isLesser) await keepAnOwner(transaction, before)
  const user = await unlessTaken(() =>
    userRows.update(transaction, {
      id: before.id,
      ...defined({
        ...rest,
        email: email === undefined ? undefined : toAddress(email),
        userName: userName?.toLowerCase(),
      }),
    }),
  )
  if (user === undefined) throw new Error('a user that was found is gone, though people are held')
  if (isEnded) await endSessionsOf(transaction, user.id)
  if (isEnded || isLesser) await cancelInvitesBy(transaction, user.id)
  return { user, keys: isEnded || isLesser ? await alignKeys(transaction, user) : NO_KEYS }
}

const NO_KEYS: AlignedKeys = { revoked: [], narrowed: [] }

/**
 * Removes somebody with their memberships, sessions and identities, and ends their keys and invites.
 * @throws ManagementConflict for the last owner
 */
export const removeUser = async (transaction: Db, user: User): Promise<AlignedKeys> => {
  await holdPeople(transaction, user.organisationId)
  await keepAnOwner(transaction, user)
  await userRows.remove(transaction, user.id)
  await cancelInvitesBy(transaction, user.id)
  return alignKeys(transaction, user)
}

const keepAnOwner = async (transaction: Db, user: User): Promise<void> => {
  if (user.role !== 'owner' || user.status !== 'active' || (await countOtherOwners(transaction, user)) > 0) return
  throw new ManagementConflict('This is the last owner of the organisation: make somebody else an owner first.')
}

const unlessTaken = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
  try {
    return await store()
  } catch (thrown) {
    for (const [constraint, param, what] of TAKEN) {
      if (!isUniqueViolation(thrown, constraint)) continue
      throw new ManagementConflict(`Somebody of the organisation has this ${what} already.`, { cause: thrown, param })
    }
    throw thrown
  }
}

const TAKEN = [
  [USER_EMAIL_TAKEN, 'email', 'address'],
  [USER_NAME_TAKEN, 'user_name', 'user name'],
] as const
