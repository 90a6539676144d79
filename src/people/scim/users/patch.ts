import { isRecord } from '../../../core/json/record.ts'
import { readFields, readName, readText } from '../body.ts'
import { ScimFault } from '../fault.ts'
import { isMeant } from '../filter/evaluate.ts'
import { USER_SEARCH } from '../filter/user-search.ts'
import { type Operation, readOnly, required, requirePlain, requireSameId } from '../patch/operations.ts'
import { UNKEPT_USER_ATTRIBUTES, USER_SCHEMA } from '../schemas/user.ts'
import { readAddress, readFlag, toStatus, type UserState } from './state.ts'

/** What a user is after the changes. @throws ScimFault; none of them is made then */
export const patchUser = (id: string, before: UserState, operations: readonly Operation[]): UserState => {
  const state = { ...before }
  for (const operation of operations) Object.assign(state, changesOf(id, state, operation))
  return state
}

const changesOf = (id: string, state: UserState, operation: Operation): Partial<UserState> => {
  const { op, path, value, isPart } = operation
  // An extension that Weir does not have: nothing of it is kept.
  if (path.urn !== undefined && path.urn !== USER_SCHEMA.id.toLowerCase()) return {}
  switch (path.name) {
    case 'username':
      requirePlain(operation)
      if (op === 'remove') throw required('userName')
      return { userName: readName('userName', value) }
    case 'externalid':
      requirePlain(operation)
      return { externalId: op === 'remove' ? null : readText('externalId', value) }
    case 'active':
      requirePlain(operation)
      if (op === 'remove') throw required('active')
      return { status: toStatus(readFlag('active', value)) }
    case 'name':
      return nameOf(operation)
    case 'emails':
      return addressOf(state, operation)
    case 'id':
      if (op === 'remove') throw readOnly('id')
      requireSameId(value, id)
      return {}
    case 'schemas':
      return {}
    case 'groups':
    case 'meta':
      if (!isPart) throw readOnly(path.name)
      return {}
    default:
      if (UNKEPT_USER_ATTRIBUTES.has(path.name)) return {}
      throw new ScimFault('invalidPath', `\`${path.text.slice(0, 100)}\` is not an attribute of a user.`)
  }
}

const NAMES = new Map([
  ['givenname', 'firstName'],
  ['familyname', 'lastName'],
] as const)
const UNKEPT_NAMES: ReadonlySet<string> = new Set(['formatted', 'middlename', 'honorificprefix', 'honorificsuffix'])

const nameOf = ({ op, path, filter, value }: Operation): Partial<UserState> => {
  if (filter !== undefined) throw new ScimFault('invalidPath', '`name` has one value.')
  if (path.sub === undefined) {
    if (op === 'remove') return { firstName: null, lastName: null }
    if (!isRecord(value)) throw new ScimFault('invalidValue', '`name` must be an object.')
    // What is not given of a name stays as it is.
    return Object.fromEntries(
      Object.entries(readFields(value)).flatMap(([part, text]) => toName(part, text, 'invalidValue')),
    )
  }
  return Object.fromEntries(toName(path.sub, op === 'remove' ? null : value, 'invalidPath'))
}

const toName = (part: string, text: unknown, fault: 'invalidPath' | 'invalidValue') => {
  const field = NAMES.get(part as 'givenname')
  if (field !== undefined) return [[field, readText(`name.${part}`, text)] as const]
  if (UNKEPT_NAMES.has(part)) return []
  throw new ScimFault(fault, `\`name\` has no part \`${part.slice(0, 100)}\`.`)
}

/** A user has one address. */
const addressOf = (state: UserState, operation: Operation): Partial<UserState> => {
  const { op, path, filter, value } = operation
  const own = { value: state.email, type: state.emailType, primary: state.isEmailPrimary }
  if (filter !== undefined && !isMeant(USER_SEARCH.attributes.emails.parts, filter, own)) {
    if (op === 'replace')
      throw new ScimFault('noTarget', `No value of \`emails\` is what \`${path.text}[…]\` asks for.`)
    // Another address beside the one that is kept.
    return {}
  }
  if (path.sub !== undefined && path.sub !== 'value') return partOfAddress(path.sub, operation)
  if (op === 'remove') throw required('emails')
  if (path.sub === 'value' || typeof value === 'string') return { email: readName('emails.value', value) }
  const address = readAddress(value)
  if (address === undefined) throw required('emails')
  return address
}

const partOfAddress = (part: string, { op, value }: Operation): Partial<UserState> => {
  const isGone = op === 'remove'
  switch (part) {
    case 'type':
      return { emailType: (isGone ? null : readText('emails.type', value)) ?? 'work' }
    case 'primary':
      return { isEmailPrimary: isGone || readFlag('emails.primary', value) }
    case 'display':
      return {}
    default:
      throw new ScimFault('invalidPath', `\`emails\` has no part \`${part.slice(0, 100)}\`.`)
  }
}
