import type { SQL } from 'drizzle-orm'
import { ManagementConflict, ManagementNotFound } from '../../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../../store/errors.ts'
import { isUuid } from '../../../store/objects/rows.ts'
import {
  addGroupMembers,
  countGroupMembers,
  GROUP_NAME_TAKEN,
  isMemberBeside,
  isMemberIn,
  membersOfGroups,
  removeGroupMembers,
  type ScimGroup,
  scimGroupRows,
  usersAmong,
} from '../../../store/objects/scim-groups.ts'
import { scimGroups } from '../../../store/schema/people.ts'
import type { Db } from '../../../store/types.ts'
import { holdPeople } from '../../users.ts'
import { readFields, readName, readText, requireSchema } from '../body.ts'
import type { Fields } from '../documents.ts'
import { ScimFault } from '../fault.ts'
import { compileWithin } from '../filter/compile.ts'
import { GROUP_SEARCH } from '../filter/group-search.ts'
import { readOperations, requireSameId } from '../patch/operations.ts'
import { findPage, type Query } from '../query.ts'
import { type Reconciled, reconcileGroup } from '../reconcile.ts'
import { GROUP_SCHEMA } from '../schemas/group.ts'
import { isWanted, type Selection, select } from '../selection.ts'
import { type KnownVersions, requireVersion } from '../version.ts'
import { type GroupChanges, type MemberStep, readGroupPatch, readMembers } from './patch.ts'
import { toGroupResource } from './resource.ts'

/** Most members of a list of groups: some fifteen megabytes of JSON. */
const MAX_MEMBERS_OF_LIST = 100_000

/** @throws ManagementNotFound */
export const findGroup = async (db: Db, organisationId: string, id: string): Promise<ScimGroup> => {
  const found = isUuid(id) ? await scimGroupRows.find(db, { organisationId, reference: id }) : undefined
  if (found === undefined) throw new ManagementNotFound(`There is no group '${id.slice(0, 100)}'.`)
  return found
}

/** One page of the groups that a query is for, and how many there are. @throws ScimFault */
export const listGroups = async (
  db: Db,
  organisationId: string,
  query: Query,
  base: string,
): Promise<{ readonly total: number; readonly resources: readonly Fields[] }> => {
  const { rows, total } = await findPage(db, scimGroups, GROUP_SEARCH, organisationId, query)
  return { total, resources: await showGroups(db, rows, query.selection, base) }
}

/** Groups as an answer shows them. @throws ScimFault for several that have too many members together */
export const showGroups = async (
  db: Db,
  rows: readonly ScimGroup[],
  selection: Selection,
  base: string,
): Promise<readonly Fields[]> => {
  const ids = rows.map(({ id }) => id)
  const hasMembers = rows.length > 0 && isWanted(selection, 'members')
  if (hasMembers && rows.length > 1 && (await countGroupMembers(db, ids)) > MAX_MEMBERS_OF_LIST) {
    throw new ScimFault(
      'tooMany',
      `These groups have more than ${MAX_MEMBERS_OF_LIST} members together: ask for fewer with \`count\`, or without them with \`excludedAttributes=members\`.`,
    )
  }
  const members = hasMembers ? await membersOfGroups(db, ids) : undefined
  return rows.map((row) => select(toGroupResource(row, members?.get(row.id), base), selection))
}

/** A group after a change, and what that did to memberships of workspaces. */
export interface ChangeOfGroup {
  readonly before?: ScimGroup
  readonly group: ScimGroup
  readonly steps: readonly MemberStep[]
  readonly memberships: Reconciled
}

/** @throws ScimFault, ManagementConflict for a name that is taken */
export const provisionGroup = async (
  transaction: Db,
  organisationId: string,
  body: unknown,
): Promise<ChangeOfGroup> => {
  await holdPeople(transaction, organisationId)
  const { displayName, externalId, steps } = readGroup(body)
  const group = await unlessTaken(() => scimGroupRows.insert(transaction, { organisationId, displayName, externalId }))
  await takeSteps(transaction, group, steps)
  return { group, steps, memberships: await reconcileGroup(transaction, { ...group, names: [displayName] }) }
}

/** The whole of a group, as a body describes it. Members that it does not speak of stay. @throws ScimFault */
const readGroup = (body: unknown, id?: string): Required<GroupChanges> => {
  const fields = readFields(body)
  requireSchema(fields, GROUP_SCHEMA.id)
  if (id !== undefined) requireSameId(fields.id, id)
  return {
    displayName: readName('displayName', fields.displayname),
    externalId: readText('externalId', fields.externalid),
    steps:
      fields.members === undefined || fields.members === null
        ? []
        : [{ kind: 'replace', ids: readMembers(fields.members) }],
  }
}

/** @throws ScimFault, ManagementNotFound, ManagementConflict */
export const replaceGroup = (
  transaction: Db,
  organisationId: string,
  id: string,
  body: unknown,
  versions: KnownVersions,
): Promise<ChangeOfGroup> => change(transaction, organisationId, id, versions, (group) => readGroup(body, group.id))

/** @throws ScimFault, ManagementNotFound, ManagementConflict */
export const patchGroup = (
  transaction: Db,
  organisationId: string,
  id: string,
  body: unknown,
  versions: KnownVersions,
): Promise<ChangeOfGroup> => {
  const operations = readOperations(body)
  return change(transaction, organisationId, id, versions, (group) => readGroupPatch(group.id, operations))
}

const change = async (
  transaction: Db,
  organisationId: string,
  id: string,
  versions: KnownVersions,
  changesOf: (group: ScimGroup) => GroupChanges,
): Promise<ChangeOfGroup> => {
  await holdPeople(transaction, organisationId)
  const before = await findGroup(transaction, organisationId, id)
  requireVersion(versions, before)
  const { steps, displayName = before.displayName, externalId = before.externalId } = changesOf(before)
  const isRenamed = displayName !== before.displayName
  const isSame = steps.length === 0 && !isRenamed && externalId === before.externalId
  if (isSame) return { before, group: before, steps, memberships: { joined: 0, changed: 0, left: 0 } }
  const group =
    (await unlessTaken(() => scimGroupRows.update(transaction, { id: before.id, displayName, externalId }))) ?? before
  await takeSteps(transaction, group, steps)
  const names = [...new Set([before.displayName, displayName])]
  const touched = isRenamed ? undefined : usersOf(steps)
  return { before, group, steps, memberships: await reconcileGroup(transaction, { ...group, names }, touched) }
}

/** The users that steps are about, where they name them all. */
const usersOf = (steps: readonly MemberStep[]): readonly string[] | undefined => {
  const named = steps.map((step) =>
    step.kind === 'add' || step.kind === 'remove' ? step.ids.filter(isUuid) : undefined,
  )
  return named.every((ids) => ids !== undefined) ? [...new Set(named.flat())] : undefined
}

/** @throws ManagementNotFound */
export const deprovisionGroup = async (
  transaction: Db,
  organisationId: string,
  id: string,
  versions: KnownVersions,
): Promise<ChangeOfGroup> => {
  await holdPeople(transaction, organisationId)
  const group = await findGroup(transaction, organisationId, id)
  requireVersion(versions, group)
  // Those who were given a role by it lose that first: with the group its mappings go.
  const steps: readonly MemberStep[] = [{ kind: 'replace', ids: [] }]
  await takeSteps(transaction, group, steps)
  const memberships = await reconcileGroup(transaction, { ...group, names: [group.displayName] })
  await scimGroupRows.remove(transaction, group.id)
  return { before: group, group, steps, memberships }
}

const takeSteps = async (transaction: Db, group: ScimGroup, steps: readonly MemberStep[]): Promise<void> => {
  for (const step of steps) await takeStep(transaction, group, step)
}

const takeStep = async (transaction: Db, { id, organisationId }: ScimGroup, step: MemberStep): Promise<void> => {
  const remove = (which?: SQL): Promise<void> => removeGroupMembers(transaction, id, which)
  if (step.kind === 'remove-where') return remove(compileWithin(GROUP_SEARCH.attributes.members.parts, step.filter))
  // Whoever is no user here is in no group either.
  if (step.kind === 'remove') return remove(isMemberIn(step.ids.filter(isUuid)))
  const ids = await requireUsers(transaction, organisationId, step.ids)
  if (step.kind === 'replace') await remove(isMemberBeside(ids))
  if (ids.length > 0) await addGroupMembers(transaction, id, ids)
}

/** @returns each once @throws ScimFault for ids that no user of the organisation has */
const requireUsers = async (db: Db, organisationId: string, ids: readonly string[]): Promise<readonly string[]> => {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = await usersAmong(db, organisationId, wanted.filter(isUuid))
  const stranger = wanted.find((id) => !known.has(id))
  if (stranger === undefined) return wanted
  throw new ScimFault('invalidValue', `\`members\`: there is no user '${stranger.slice(0, 100)}'.`)
}

const unlessTaken = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
  try {
    return await store()
  } catch (thrown) {
    if (!isUniqueViolation(thrown, GROUP_NAME_TAKEN)) throw thrown
    throw new ManagementConflict('There is a group of this name already.', { cause: thrown, param: 'displayName' })
  }
}
