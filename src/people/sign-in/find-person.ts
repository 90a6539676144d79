import type { SignInIssuer } from '../../config/sign-in.ts'
import { defined } from '../../core/defined.ts'
import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { addIdentity, findUserByIdentity, hasOtherIdentity } from '../../store/objects/user-identities.ts'
import { type User, userRows } from '../../store/objects/users.ts'
import type { Db } from '../../store/types.ts'
import { acceptInvite } from '../invites.ts'
import { createUser } from '../users.ts'
import type { Identity } from './claims.ts'

/** Somebody at the door, and by which way they came. */
export interface Arrival {
  readonly organisationId: string
  readonly issuer: SignInIssuer
  readonly identity: Identity
  /** Secret of the link that they followed. */
  readonly invite?: string
  readonly nowMs: number
}

export interface FoundPerson {
  readonly user: User
  /** How they came to be known, where they were not before. */
  readonly made?: 'invite' | 'sign-in'
}

/**
 * Finds who it is: by the name that the issuer gave them for good, else by an invite or by an address of a domain that the issuer
 * knows, each only for an address that the issuer has verified. From then on they are known by that name.
 * @param transaction in which the people of the organisation are held
 * @throws ManagementForbidden for whom none of these lets in; ManagementNotFound for an invite that is none any more
 */
export const findPerson = async (transaction: Db, arrival: Arrival): Promise<FoundPerson> => {
  const { organisationId, identity, invite, nowMs } = arrival
  const { issuer, subject } = identity
  const userId = await findUserByIdentity(transaction, { organisationId, issuer, subject })
  const known = userId && (await userRows.find(transaction, { organisationId, reference: userId }))
  if (known) return { user: await takeInvite(transaction, known, arrival) }
  const email = addressOf(arrival)
  const found =
    invite === undefined
      ? await byDomain(transaction, arrival, email)
      : await byInvite(transaction, { token: invite, nowMs, verifiedEmail: email, ...namesOf(identity) })
  // An address may be given to somebody else: its former owner does not become them by that.
  if (await hasOtherIdentity(transaction, found.user.id, { issuer, subject })) {
    throw new ManagementForbidden(
      `Somebody else at ${arrival.issuer.name} signs in as ${email}. An owner has to remove that user first.`,
    )
  }
  await addIdentity(transaction, found.user.id, { organisationId, issuer, subject })
  return found
}

/** Somebody who is known may follow an invite too: to what it adds. One that was used does not keep them out. */
const takeInvite = async (transaction: Db, user: User, { identity, invite, nowMs }: Arrival): Promise<User> => {
  if (invite === undefined || identity.verifiedEmail !== user.email) return user
  try {
    return (await acceptInvite(transaction, { token: invite, nowMs, verifiedEmail: user.email })).user
  } catch (thrown) {
    if (thrown instanceof ManagementNotFound) return user
    throw thrown
  }
}

const addressOf = ({ issuer, identity }: Arrival): string => {
  if (identity.verifiedEmail !== undefined) return identity.verifiedEmail
  throw new ManagementForbidden(
    `${issuer.name} does not say that it has verified an address of yours, and knows you by no other name that is known here.`,
  )
}

const namesOf = ({ firstName, lastName }: Identity) => defined({ firstName, lastName })

const byInvite = async (transaction: Db, acceptance: Parameters<typeof acceptInvite>[1]): Promise<FoundPerson> => {
  const { user } = await acceptInvite(transaction, acceptance)
  return { user, made: 'invite' }
}

const byDomain = async (
  transaction: Db,
  { organisationId, issuer, identity }: Arrival,
  email: string,
): Promise<FoundPerson> => {
  if (!issuer.domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw new ManagementForbidden(
      `Nobody is known here as ${email}, and ${issuer.name} lets in by invite alone: ask for one.`,
    )
  }
  const known = await userRows.find(transaction, { organisationId, reference: email })
  if (known !== undefined) return { user: known }
  const role = identity.role === undefined || identity.role === 'refused' ? 'member' : identity.role
  const user = await createUser(transaction, { organisationId, email, role, source: 'sign-in', ...namesOf(identity) })
  return { user, made: 'sign-in' }
}
