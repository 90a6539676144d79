import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { addGroupMembers, groupsOfUsers, scimGroupRows } from '../../../store/objects/scim-groups.ts'
import { createOrganisation } from '../../../store/objects/tenancy.ts'
import { userRows } from '../../../store/objects/users.ts'
import { users } from '../../../store/schema/people.ts'
import { describeOnBothStores, rejection, SLOW_START_MS } from '../../../store/testing.ts'
import type { Fields } from '../documents.ts'
import { ScimFault } from '../fault.ts'
import { readQuery } from '../query.ts'
import { toUserResource } from '../users/resource.ts'
import { listUsers } from '../users/service.ts'
import { compileFilter } from './compile.ts'
import { fieldOf, isMeant, meets } from './evaluate.ts'
import type { Filter, Test } from './filter.ts'
import { parseFilter } from './parse.ts'
import { findAttribute, findSeveral, partOf } from './searched.ts'
import { USER_SEARCH } from './user-search.ts'

const BASE = 'https://weir.example/scim/v2'
const RUNS = 150

/** What a filter means, said of one resource in memory. */
const fulfils = (filter: Filter, resource: Fields): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => fulfils(part, resource))
    case 'or':
      return filter.parts.some((part) => fulfils(part, resource))
    case 'not':
      return !fulfils(filter.part, resource)
    case 'value': {
      const { parts } = findSeveral(USER_SEARCH, filter.path)
      const { filter: within, test: behind } = filter
      return valuesOf(resource, filter.path.name).some(
        (value) => isMeant(parts, within, value) && (behind === undefined || isMeant(parts, behind, value)),
      )
    }
    default:
      return passes(filter, resource)
  }
}

const passes = (given: Test, resource: Fields): boolean => {
  const { name, sub } = given.path
  const found = findAttribute(USER_SEARCH, given.path)
  if (found.kind === 'column') return meets(found.column, given, fieldOf(resource, name))
  const values = valuesOf(resource, name)
  if (found.kind === 'parts' && given.kind === 'present') return values.length > 0
  const part = sub ?? 'value'
  const column = found.kind === 'part' ? found.column : partOf(found.of, { text: part, name: part })
  // One complex value that is not there has no parts, and is still one to ask.
  const asked = found.of.some === undefined && values.length === 0 ? [{}] : values
  return asked.some((value) => meets(column, given, fieldOf(value, part)))
}

const valuesOf = (resource: Fields, name: string): readonly Fields[] => {
  const value = fieldOf(resource, name)
  return value === undefined ? [] : ((Array.isArray(value) ? value : [value]) as readonly Fields[])
}

/** Few letters, so that texts often meet; `%` and `_` would be wildcards of LIKE. */
const texts = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', '%', '_', '.', "'", '\\', '1'),
  minLength: 0,
  maxLength: 3,
})
const quoted = texts.map((text) => JSON.stringify(text))

const TEXTS = [
  'userName',
  'displayName',
  'externalId',
  'name.givenName',
  'NAME.FAMILYNAME',
  'emails.value',
  'emails',
  'id',
]
const TEXTS_OF_SEVERAL = ['emails.type', 'groups.display', 'groups', 'groups.value', 'meta.resourceType']
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'EQ']

const tests = (ids: () => readonly string[]) =>
  fc
    .oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...OPERATORS), quoted) },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...TEXTS_OF_SEVERAL), fc.constantFrom(...OPERATORS), quoted) },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('id', 'groups.value', 'members' as const).filter((name) => name !== 'members'),
          fc.constantFrom('eq', 'ne'),
          fc.nat(40).map((index) => JSON.stringify(ids()[index % ids().length])),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('active', 'emails.primary'),
          fc.constantFrom('eq', 'ne'),
          fc.constantFrom('true', 'false', '"False"'),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('meta.created', 'meta.lastModified'),
          fc.constantFrom('gt', 'le', 'ne'),
          fc.constantFrom('"2026-01-01T00:00:00Z"', '"2999-01-01T00:00:00+02:00"'),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('name.givenName', 'externalId', 'groups', 'name', 'emails', 'active'),
          fc.constant('pr'),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('name.givenName', 'externalId'),
          fc.constantFrom('eq', 'ne'),
          fc.constant('null'),
        ),
      },
    )
    .map((words) => words.join(' '))

const within = fc.oneof(
  fc.tuple(fc.constant('groups'), fc.constantFrom('display', 'type'), fc.constantFrom(...OPERATORS), quoted),
  fc.tuple(fc.constant('emails'), fc.constantFrom('value', 'type'), fc.constantFrom(...OPERATORS), quoted),
)
const valuePaths = fc
  .tuple(
    within,
    fc.constantFrom('', ' or type pr', ' and not (type eq "home")'),
    fc.constantFrom('', '.type pr', '.type eq "work"'),
  )
  .map(([[name, part, operator, value], more, behind]) => `${name}[${part} ${operator} ${value}${more}]${behind}`)

const filters = (ids: () => readonly string[]): fc.Arbitrary<string> =>
  fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tests(ids),
      valuePaths,
      fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map((words) => words.join(' ')),
      tie('filter').map((filter) => `not (${filter})`),
      tie('filter').map((filter) => `(${filter})`),
    ),
  })).filter

describeOnBothStores('a filter as a condition of the database', (store) => {
  let organisationId = ''
  let resources: readonly Fields[] = []
  const ids: string[] = []

  beforeAll(async () => {
    const { db } = store()
    organisationId = (await createOrganisation(db, { name: 'o' })).id
    const some = fc.sample(fc.tuple(texts, texts, texts, fc.boolean(), fc.boolean(), fc.constantFrom('work', 'Home')), {
      numRuns: 40,
      seed: 7,
    })
    for (const [index, [first, last, external, isActive, isEmailPrimary, emailType]] of some.entries()) {
      const { id } = await userRows.insert(db, {
        organisationId,
        email: `${first.toLowerCase()}${index}@b.a`,
        userName: `${last.toLowerCase()}${index}`,
        firstName: first === '' ? null : first,
        lastName: last === '' ? null : last,
        externalId: external === '' ? null : external,
        role: 'member',
        status: isActive ? 'active' : 'inactive',
        source: 'scim',
        emailType,
        isEmailPrimary,
      })
      ids.push(id)
    }
    const people = [...ids]
    for (const [index, displayName] of ['a', 'B', 'b%', "'_"].entries()) {
      const group = await scimGroupRows.insert(db, { organisationId, displayName })
      const members = people.filter((_, at) => at % (index + 2) === 0)
      await addGroupMembers(db, group.id, members)
      ids.push(group.id)
    }
    const rows = await db.select().from(users)
    const groups = await groupsOfUsers(
      db,
      rows.map(({ id }) => id),
    )
    resources = rows.map((row) => {
      const of = groups.get(row.id) ?? []
      // An attribute without values is not there.
      return toUserResource(row, of.length === 0 ? undefined : of, BASE)
    })
  }, SLOW_START_MS)

  test(
    'finds what it finds in memory',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          filters(() => ids),
          async (text) => {
            const filter = parseFilter(text)
            const rows = await store().db.select({ id: users.id }).from(users).where(compileFilter(USER_SEARCH, filter))
            const wanted = resources.filter((resource) => fulfils(filter, resource)).map(({ id }) => String(id))
            expect(rows.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted())
          },
        ),
        { numRuns: RUNS },
      )
    },
    SLOW_START_MS,
  )

  test('what is true of some is found, in the order that is asked for, page by page', async () => {
    const list = async (input: Parameters<typeof readQuery>[0]) => {
      const { resources: found, total } = await listUsers(store().db, organisationId, readQuery(input), BASE)
      return { total, names: found.map(({ userName }) => String(userName)) }
    }
    const all = await list({ sortBy: 'userName' })
    expect([all.total, all.names]).toEqual([40, all.names.toSorted()])
    expect((await list({ sortBy: 'userName', sortOrder: 'descending' })).names).toEqual(all.names.toReversed())
    expect((await list({ sortBy: 'emails', count: 3, startIndex: 2 })).names).toHaveLength(3)
    expect((await list({ sortBy: 'userName', count: 3, startIndex: 39 })).names).toEqual(all.names.slice(38))
    expect(await list({ count: 0 })).toEqual({ total: 40, names: [] })
    expect(await list({ count: -5, startIndex: -1 })).toEqual({ total: 40, names: [] })
    expect((await list({ count: 1e9, startIndex: 0 })).names).toHaveLength(40)
    expect((await list({ startIndex: 1e9 })).names).toEqual([])
    const [, own] = resources
    expect(await list({ filter: `userName eq ${JSON.stringify(String(own?.userName).toUpperCase())}` })).toMatchObject({
      total: 1,
    })
    // One of another organisation is never found.
    const { id } = await createOrganisation(store().db, { name: 'other' })
    expect((await listUsers(store().db, id, readQuery({ filter: 'active pr' }), BASE)).total).toBe(0)
    await store().db.delete(users).where(eq(users.organisationId, id))
  })

  describe('refuses', () => {
    test.each([
      'password eq "x"',
      'nonsense pr',
      '__proto__ pr',
      'constructor pr',
      'userName.first eq "x"',
      'emails.nonsense eq "x"',
      'emails[nonsense eq "x"]',
      'userName[value eq "x"]',
      'emails[groups[value eq "x"]]',
      'active gt true',
      'active eq "maybe"',
      'active co true',
      'userName eq 5',
      'userName gt null',
      'meta.created co "2026"',
      'meta.created gt "yesterday"',
      'meta.created gt "2026-13-45T99:00:00Z"',
      'name eq "x"',
      'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "x"',
    ])('%s', async (filter) => {
      const list = async () => listUsers(store().db, organisationId, readQuery({ filter }), BASE)
      const fault = await rejection(list())
      expect(fault).toBeInstanceOf(ScimFault)
      expect((fault as ScimFault).scimType).toBe('invalidFilter')
    })
  })

  test('the longest filter is answered', async () => {
    const filter = Array.from({ length: 150 }, (_, index) => `userName eq "a${index}"`).join(' or ')
    expect((await listUsers(store().db, organisationId, readQuery({ filter }), BASE)).total).toBeGreaterThanOrEqual(0)
    const deep = `${'not ('.repeat(32)}userName pr${')'.repeat(32)}`
    expect((await listUsers(store().db, organisationId, readQuery({ filter: deep }), BASE)).total).toBe(40)
  })
})
