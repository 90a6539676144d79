import { and, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm'
import { type INVITE_STATUSES, invites } from '../schema/people.ts'
import type { Db } from '../types.ts'
import { equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

/** An invite without the hash of its secret. */
export type Invite = Readonly<Omit<typeof invites.$inferSelect, 'tokenHash'>>
export type InviteStatus = (typeof INVITE_STATUSES)[number]

/** Constraint that a second invite of an address breaks while the first waits, for `isUniqueViolation`. */
export const INVITE_PENDING = 'invites_pending_email'

const isPending = eq(invites.status, 'pending')

/** One that waits past its time is `expired`, whatever its row says. */
export const inviteRows = rowsOf(invites, {
  hidden: ['tokenHash'],
  filters: {
    email: (address: string) => eq(invites.email, address.toLowerCase()),
    role: equals(invites.role),
    status: (wanted: InviteStatus) => {
      if (wanted === 'pending') return and(isPending, gt(invites.expiresAt, sql`now()`))
      const isThat = eq(invites.status, wanted)
      return wanted === 'expired' ? or(isThat, and(isPending, lte(invites.expiresAt, sql`now()`))) : isThat
    },
  },
})

const { tokenHash: _, ...shownColumns } = getTableColumns(invites)

/** The invite whose link holds the secret, in any status. */
export const findInviteByToken = async (db: Db, tokenHash: string): Promise<Invite | undefined> => {
  const [found] = await db.select(shownColumns).from(invites).where(eq(invites.tokenHash, tokenHash))
  return found
}

/** Lets go of invites of an address whose time is over, so that there can be a new one. */
export const expireInvites = async (
  db: Db,
  { organisationId, email, at }: { readonly organisationId: string; readonly email: string; readonly at: Date },
): Promise<void> => {
  await db
    .update(invites)
    .set({ status: 'expired' })
    .where(
      and(eq(invites.organisationId, organisationId), eq(invites.email, email), isPending, lte(invites.expiresAt, at)),
    )
}

/** Calls off what somebody invited to. @param invitedBy id of a user */
export const cancelInvitesBy = async (db: Db, invitedBy: string): Promise<void> => {
  await db
    .update(invites)
    .set({ status: 'cancelled' })
    .where(and(eq(invites.invitedBy, invitedBy), isPending))
}
