import { readFields, readList, readName, readText } from '../body.ts'
import { ScimFault } from '../fault.ts'
import type { Filter } from '../filter/filter.ts'
import { type Operation, readOnly, required, requirePlain, requireSameId } from '../patch/operations.ts'
import { GROUP_SCHEMA } from '../schemas/group.ts'

/** One change of who is in a group, in its turn. */
export type MemberStep =
  | { readonly kind: 'add' | 'remove' | 'replace'; readonly ids: readonly string[] }
  | { readonly kind: 'remove-where'; readonly filter: Filter }

/** What is to become of a group; what is absent stays. */
export interface GroupChanges {
  readonly displayName?: string
  readonly externalId?: string | null
  readonly steps: readonly MemberStep[]
}

/** @throws ScimFault; nothing is changed then */
export const readGroupPatch = (id: string, operations: readonly Operation[]): GroupChanges => {
  const steps: MemberStep[] = []
  let fields: Omit<GroupChanges, 'steps'> = {}
  for (const operation of operations) {
    if (operation.path.name === 'members' && isOwn(operation)) steps.push(readStep(operation))
    else fields = { ...fields, ...fieldsOf(id, operation) }
  }
  return { ...fields, steps: joinSteps(steps) }
}

/** Attributes of extensions are not kept. */
const isOwn = ({ path: { urn } }: Operation): boolean => urn === undefined || urn === GROUP_SCHEMA.id.toLowerCase()

const fieldsOf = (id: string, operation: Operation): Omit<GroupChanges, 'steps'> => {
  const { op, path, value, isPart } = operation
  if (!isOwn(operation)) return {}
  switch (path.name) {
    case 'displayname':
      requirePlain(operation)
      if (op === 'remove') throw required('displayName')
      return { displayName: readName('displayName', value) }
    case 'externalid':
      requirePlain(operation)
      return { externalId: op === 'remove' ? null : readText('externalId', value) }
    case 'id':
      if (op === 'remove') throw readOnly('id')
      // Okta sends it beside the new name (its reference of SCIM 2.0, read 2026-11-25).
      requireSameId(value, id)
      return {}
    case 'schemas':
      return {}
    case 'meta':
      if (!isPart) throw readOnly('meta')
      return {}
    default:
      throw new ScimFault('invalidPath', `\`${path.text.slice(0, 100)}\` is not an attribute of a group.`)
  }
}

const readStep = ({ op, path, filter, value }: Operation): MemberStep => {
  if (path.sub !== undefined) throw readOnly(`members.${path.sub.slice(0, 100)}`)
  if (filter !== undefined) {
    if (op !== 'remove') throw readOnly('members[…]')
    const id = onlyId(filter)
    return id === undefined ? { kind: 'remove-where', filter } : { kind: 'remove', ids: [id] }
  }
  // Entra ID names in `value` whom it removes (its documentation, read 2026-11-25); RFC 7644 has no such thing.
  if (op === 'remove') {
    const isEveryone = value === undefined || value === null
    return isEveryone ? { kind: 'replace', ids: [] } : { kind: 'remove', ids: readMembers(value) }
  }
  return { kind: op, ids: readMembers(value) }
}

/** The id in `[value eq "…"]`, which is what directories send. */
const onlyId = (filter: Filter): string | undefined =>
  filter.kind === 'compare' &&
  filter.operator === 'eq' &&
  filter.path.name === 'value' &&
  filter.path.sub === undefined &&
  typeof filter.value === 'string'
    ? filter.value
    : undefined

/** Ids of members, as texts: whether there are such users is seen later. @throws ScimFault */
export const readMembers = (value: unknown): readonly string[] =>
  readList(value).map((member, index) => {
    const fields = readFields(member, `\`members[${index}]\``)
    if (fields.type !== undefined && fields.type !== null && String(fields.type).toLowerCase() !== 'user') {
      throw new ScimFault('invalidValue', `\`members[${index}]\` is no user: there are no groups of groups.`)
    }
    return readName(`members[${index}].value`, fields.value)
  })

/** Steps of one kind that follow each other become one. */
const joinSteps = (steps: readonly MemberStep[]): readonly MemberStep[] => {
  const joined: MemberStep[] = []
  let ids: string[] = []
  for (const step of steps) {
    const last = joined.at(-1)
    if ((step.kind === 'add' || step.kind === 'remove') && last?.kind === step.kind) ids.push(...step.ids)
    else if (step.kind === 'remove-where') joined.push(step)
    else {
      ids = [...step.ids]
      joined.push({ kind: step.kind, ids })
    }
  }
  return joined
}
