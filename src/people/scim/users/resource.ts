import { defined } from '../../../core/defined.ts'
import type { User } from '../../../store/objects/users.ts'
import type { Fields } from '../documents.ts'
import { USER_SCHEMA } from '../schemas/user.ts'
import { versionOf } from '../version.ts'

/** A group, as its members show it. */
export interface GroupOfUser {
  readonly id: string
  readonly displayName: string
}

/** A user in the form of RFC 7643, section 4.1. @param groups absent: they are not asked for */
export const toUserResource = (user: User, groups: readonly GroupOfUser[] | undefined, base: string): Fields =>
  defined({
    schemas: [USER_SCHEMA.id],
    id: user.id,
    externalId: user.externalId ?? undefined,
    userName: user.userName,
    name: nameOf(user),
    displayName: [user.firstName, user.lastName].filter((name) => name !== null).join(' ') || user.userName,
    active: user.status === 'active',
    emails: [{ value: user.email, type: user.emailType, primary: user.isEmailPrimary }],
    groups: groups?.map(({ id, displayName }) => ({
      value: id,
      $ref: `${base}/Groups/${id}`,
      display: displayName,
      type: 'direct',
    })),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.lastUpdatedAt.toISOString(),
      location: `${base}/Users/${user.id}`,
      version: versionOf(user),
    },
  })

const nameOf = ({ firstName, lastName }: User): Fields | undefined =>
  firstName === null && lastName === null
    ? undefined
    : defined({ givenName: firstName ?? undefined, familyName: lastName ?? undefined })
