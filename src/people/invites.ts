import { randomBytes } from 'node:crypto'
import { defined } from '../core/defined.ts'
import { ManagementConflict, ManagementForbidden, ManagementNotFound } from '../errors/gateway-error.ts'
import { isUniqueViolation } from '../store/errors.ts'
import { hashKey } from '../store/key-material.ts'
import {
  expireInvites,
  findInviteByToken,
  INVITE_PENDING,
  type Invite,
  type InviteStatus,
  inviteRows,
} from '../store/objects/invites.ts'
import { type User, userRows } from '../store/objects/users.ts'
import { findMember } from '../store/objects/workspace-members.ts'
import { workspaceRows } from '../store/objects/workspaces.ts'
import type { InvitedKey, InvitedWorkspace, OrganisationRole } from '../store/schema/people.ts'
import type { Db } from '../store/types.ts'
import { toAddress } from './address.ts'
import type { KeyWish, MadeKey } from './keys.ts'
import { changeMember, joinWorkspace } from './members.ts'
import { mightier } from './roles.ts'
import { changeUser, createUser, holdPeople } from './users.ts'

/** For how long the link of an invite works. */
export const INVITE_LIFETIME_MS = 7 * 24 * 3_600_000

/** Longest secret of a link that is looked for: ours have 43 characters. */
export const MAXIMUM_TOKEN = 128

/** An invite with the secret of its link, which is shown once and stored as a hash. */
export interface InviteWithToken {
  readonly invite: Invite
  readonly token: string
}

export interface NewInvite {
  readonly organisationId: string
  readonly email: string
  readonly role: OrganisationRole
  /** Workspaces of the organisation. */
  readonly workspaces: readonly InvitedWorkspace[]
  /** The key that each of them gives; absent: what it gives to every member. */
  readonly apiKey?: InvitedKey | undefined
  /** Id of the user or key that invites. */
  readonly invitedBy: string
}

/** Where a browser goes to accept an invite. */
export const inviteLink = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/sign-in?invite=${token}`

/**
 * Invites somebody. To be called in a transaction.
 * @throws ManagementInvalid for what is no address; ManagementConflict for one that is invited or a user already
 */
export const createInvite = async (transaction: Db, input: NewInvite, nowMs: number): Promise<InviteWithToken> => {
  const { organisationId, role, workspaces, invitedBy, apiKey = null } = input
  await holdPeople(transaction, organisationId)
  const email = toAddress(input.email)
  if ((await userRows.find(transaction, { organisationId, reference: email })) !== undefined) {
    throw new ManagementConflict('Somebody of the organisation has this address already.', { param: 'email' })
  }
  await expireInvites(transaction, { organisationId, email, at: new Date(nowMs) })
  const { token, ...secret } = newSecret(nowMs)
  const row = { organisationId, email, role, workspaces, apiKey, invitedBy, ...secret }
  const invite = await unlessPending(() => inviteRows.insert(transaction, row))
  return { invite, token }
}

/**
 * Gives an invite a new link, for a whole lifetime; the former one ends. One that has expired waits again.
 * @param before as it was found after `holdPeople`
 * @throws ManagementConflict for one that was accepted or cancelled, or whose address is invited or a user by now
 */
export const resendInvite = async (transaction: Db, before: Invite, nowMs: number): Promise<InviteWithToken> => {
  const { id, organisationId, email } = before
  await holdPeople(transaction, organisationId)
  if (before.status === 'accepted' || before.status === 'cancelled') throw isOver(before.status)
  if ((await userRows.find(transaction, { organisationId, reference: email })) !== undefined) {
    throw new ManagementConflict('Somebody of the organisation has this address already.')
  }
  await expireInvites(transaction, { organisationId, email, at: new Date(nowMs) })
  const { token, ...secret } = newSecret(nowMs)
  const invite = await unlessPending(() => inviteRows.update(transaction, { id, status: 'pending', ...secret }))
  return { invite: invite ?? before, token }
}

/**
 * Calls an invite off: its link ends.
 * @param invite as it was found after `holdPeople`
 * @throws ManagementConflict for one that was accepted; ManagementNotFound for one that is called off already
 */
export const cancelInvite = async (transaction: Db, { id, status }: Invite): Promise<void> => {
  if (status === 'accepted') throw isOver(status)
  if (status === 'cancelled') throw new ManagementNotFound('The invite is called off already.')
  await inviteRows.update(transaction, { id, status: 'cancelled' })
}

/** What an invite is now. */
export const statusOf = ({ status, expiresAt }: Pick<Invite, 'status' | 'expiresAt'>, nowMs: number): InviteStatus =>
  status === 'pending' && expiresAt.getTime() <= nowMs ? 'expired' : status

export interface Acceptance {
  /** The secret of the link. */
  readonly token: string
  readonly nowMs: number
  /** The address that an issuer vouches for: it must be the one that was invited. Absent: the link is all there is. */
  readonly verifiedEmail?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/** Who accepted an invite, and the keys that they got with it: their secrets are shown once, or never. */
export interface Accepted {
  readonly invite: Invite
  readonly user: User
  readonly keys: readonly MadeKey[]
}

/**
 * Makes a user of whoever has the link of an invite, once, and a member of its workspaces. Somebody who became a user in the
 * meantime gets what the invite gives besides. To be called in a transaction.
 * @throws ManagementNotFound for a link that is unknown, used, cancelled or expired: which of these is nobody's business
 * @throws ManagementForbidden for another address than the invited one, and for a user who is inactive
 */
export const acceptInvite = async (transaction: Db, acceptance: Acceptance): Promise<Accepted> => {
  const { token, nowMs, verifiedEmail, firstName, lastName } = acceptance
  const invite = await holdInvite(transaction, token)
  if (invite === undefined || statusOf(invite, nowMs) !== 'pending') throw unknownLink()
  const { organisationId, email, role } = invite
  if (verifiedEmail !== undefined && verifiedEmail.toLowerCase() !== email) {
    throw new ManagementForbidden('The invite is for another address than the one that signed in.')
  }
  const known = await userRows.find(transaction, { organisationId, reference: email })
  if (known?.status === 'inactive') throw new ManagementForbidden('The user of this address is inactive.')
  const names = defined({ firstName, lastName })
  const user =
    known === undefined
      ? await createUser(transaction, { organisationId, email, role, source: 'invite', ...names })
      : (await changeUser(transaction, known, { role: mightier(known.role, role), ...names })).user
  const keys = await joinAll(transaction, user, invite)
  const accepted = await inviteRows.update(transaction, { id: invite.id, status: 'accepted', acceptedBy: user.id })
  return { invite: accepted ?? invite, user, keys }
}

/** The invite of a link, as it is once the people of its organisation are held. */
const holdInvite = async (transaction: Db, token: string): Promise<Invite | undefined> => {
  const tokenHash = token.length > MAXIMUM_TOKEN ? undefined : hashKey(token)
  const found = tokenHash && (await findInviteByToken(transaction, tokenHash))
  if (!found) return undefined
  await holdPeople(transaction, found.organisationId)
  return findInviteByToken(transaction, tokenHash)
}

/** Those workspaces of an invite that are still there. */
const joinAll = async (transaction: Db, user: User, { workspaces, apiKey }: Invite): Promise<MadeKey[]> => {
  const keys: MadeKey[] = []
  const key = apiKey === null ? undefined : toWish(apiKey)
  for (const { id, role } of workspaces) {
    const workspace = await workspaceRows.find(transaction, { organisationId: user.organisationId, reference: id })
    if (workspace === undefined) continue
    const member = await findMember(transaction, { workspaceId: workspace.id, userId: user.id })
    if (member === undefined) {
      const joined = await joinWorkspace(transaction, { user, workspace, role, ...defined({ key }) })
      if (joined.key !== undefined) keys.push(joined.key)
    } else if (mightier(member.role, role) !== member.role) await changeMember(transaction, member, { role })
  }
  return keys
}

const toWish = ({ name, scopes, expiresAt, metadata }: InvitedKey): KeyWish =>
  defined({ name, scopes, metadata, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) })

const newSecret = (nowMs: number) => {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashKey(token), expiresAt: new Date(nowMs + INVITE_LIFETIME_MS) }
}

const unlessPending = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
  try {
    return await store()
  } catch (thrown) {
    if (!isUniqueViolation(thrown, INVITE_PENDING)) throw thrown
    throw new ManagementConflict('This address is invited already: resend or cancel that invite.', {
      cause: thrown,
      param: 'email',
    })
  }
}

const isOver = (status: InviteStatus) => new ManagementConflict(`The invite is ${status} already.`)

const unknownLink = () =>
  new ManagementNotFound('This link does not work: it was used, has expired, or was called off. Ask for a new one.')
