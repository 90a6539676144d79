import { isRecord } from '../../../core/json/record.ts'
import type { User } from '../../../store/objects/users.ts'
import { readFields, readList, readName, readText, requireSchema } from '../body.ts'
import { ScimFault } from '../fault.ts'
import { toFlag } from '../filter/comparison.ts'
import type { FilterValue } from '../filter/filter.ts'
import { requireSameId } from '../patch/operations.ts'
import { USER_SCHEMA } from '../schemas/user.ts'

/** An address, and what a directory says of it. */
export interface Address {
  readonly email: string
  readonly emailType: string
  readonly isEmailPrimary: boolean
}

/** What a directory may say of a user. */
export interface UserState extends Address {
  readonly userName: string
  readonly externalId: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly status: User['status']
}

export const stateOf = ({
  userName,
  email,
  emailType,
  isEmailPrimary,
  externalId,
  firstName,
  lastName,
  status,
}: User): UserState => ({
  userName,
  email,
  emailType,
  isEmailPrimary,
  externalId,
  firstName,
  lastName,
  status,
})

/**
 * The user that a body describes. Fields that it leaves out are cleared, but for those that are never without a value.
 * @param before absent: a new one
 * @throws ScimFault
 */
export const readUser = (body: unknown, before?: User): UserState => {
  const fields = readFields(body)
  requireSchema(fields, USER_SCHEMA.id)
  if (before !== undefined) requireSameId(fields.id, before.id)
  const userName = readName('userName', fields.username)
  const address = readAddress(fields.emails) ?? (before === undefined ? undefined : stateOf(before))
  if (address === undefined && !userName.includes('@')) {
    throw new ScimFault('invalidValue', '`emails` is missing, and `userName` is no address.')
  }
  const { email = userName, emailType = DEFAULT_TYPE, isEmailPrimary = true } = address ?? {}
  const isActive = fields.active === undefined || fields.active === null ? undefined : readFlag('active', fields.active)
  return {
    userName,
    email,
    emailType,
    isEmailPrimary,
    externalId: readText('externalId', fields.externalid),
    ...readNames(fields.name),
    status: isActive === undefined ? (before?.status ?? 'active') : toStatus(isActive),
  }
}

/** @throws ScimFault */
export const readNames = (value: unknown): Pick<UserState, 'firstName' | 'lastName'> => {
  if (value === null || value === undefined) return { firstName: null, lastName: null }
  if (!isRecord(value)) throw new ScimFault('invalidValue', '`name` must be an object.')
  const { givenname, familyname } = readFields(value)
  return { firstName: readText('name.givenName', givenname), lastName: readText('name.familyName', familyname) }
}

/** A truth value, also as a text. @throws ScimFault */
export const readFlag = (name: string, value: unknown): boolean => {
  const flag = toFlag(value as FilterValue)
  if (flag === undefined) throw new ScimFault('invalidValue', `\`${name}\` must be true or false.`)
  return flag
}

export const toStatus = (isActive: boolean): User['status'] => (isActive ? 'active' : 'inactive')

const DEFAULT_TYPE = 'work'

/** The address among several that is kept: the primary one, else that of work, else the first. @throws ScimFault */
export const readAddress = (value: unknown): Address | undefined => {
  const emails = readList(value).map((email) => readFields(email, '`emails`: each of it'))
  const primary = emails.find(({ primary: flag }) => flag !== undefined && readFlag('emails.primary', flag))
  const work = emails.find(({ type }) => String(type).toLowerCase() === DEFAULT_TYPE)
  const [chosen = emails[0]] = [primary, work].filter((email) => email !== undefined)
  if (chosen === undefined) return undefined
  return {
    email: readName('emails.value', chosen.value),
    emailType: readText('emails.type', chosen.type) ?? DEFAULT_TYPE,
    isEmailPrimary: chosen.primary === undefined || readFlag('emails.primary', chosen.primary),
  }
}
