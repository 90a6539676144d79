import { beforeAll, describe, expect, test } from 'bun:test'
import { hashTables } from '../../../test/conformance/management/dump.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import type { ScimType } from '../../people/scim/fault.ts'
import { newId } from '../../store/objects/rows.ts'
import { scimGroupMembers, scimGroups } from '../../store/schema/people.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { expectFault, type ScimScene, setScimScene } from './test-support.ts'

const WORK = { value: 'x@ours.example', type: 'work' }

describeOnBothStores('what SCIM refuses', (store) => {
  let scene: ScimScene
  const ids = { user: '', group: '', theirUser: '', theirGroup: '', other: '' }

  beforeAll(async () => {
    scene = await setScimScene(store())
    ids.user = await scene.addUser('ann')
    ids.other = await scene.addUser('bob')
    ids.group = await scene.addGroup('Group', [ids.user])
    await scene.addGroup('Taken')
    const foreign = { userName: 'eve', emails: [{ value: 'eve@theirs.example' }] }
    const { admin } = scene.world.theirs
    ids.theirUser = String((await scene.send('POST', '/Users', foreign, admin)).body.id)
    const group = { displayName: 'Theirs', members: [{ value: ids.theirUser }] }
    ids.theirGroup = String((await scene.send('POST', '/Groups', group, admin)).body.id)
  }, SLOW_START_MS)

  const fill = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (text, name) => Reflect.get(ids, name) ?? text))

  type Refused = readonly [about: string, body: unknown, status: number, scimType: ScimType]

  /** Nothing that is refused changes anything. */
  const refuseAll = async (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    bodies: readonly Refused[],
  ): Promise<void> => {
    const before = await hashTables(store().db)
    for (const [about, body, status, scimType] of bodies) {
      expectFault(await scene.send(method, fill(path), fill(body)), status, scimType, about)
    }
    expect(await hashTables(store().db)).toEqual(before)
  }

  describe('as a user', () => {
    test('whatever cannot be one', async () => {
      await refuseAll('POST', '/Users', [
        ['nothing', {}, 400, 'invalidValue'],
        ['no name', { emails: [WORK] }, 400, 'invalidValue'],
        ['an empty name', { userName: '  ', emails: [WORK] }, 400, 'invalidValue'],
        ['a number as name', { userName: 5, emails: [WORK] }, 400, 'invalidValue'],
        ['a long name', { userName: 'a'.repeat(256), emails: [WORK] }, 400, 'invalidValue'],
        ['control characters', { userName: 'a\u0007b', emails: [WORK] }, 400, 'invalidValue'],
        ['NUL', { userName: 'a\0b', emails: [WORK] }, 400, 'invalidValue'],
        ['no address at all', { userName: 'name' }, 400, 'invalidValue'],
        ['an address that is none', { userName: 'name', emails: [{ value: 'nobody' }] }, 400, 'invalidValue'],
        ['emails that are a text', { userName: 'name', emails: 'a@b.c' }, 400, 'invalidSyntax'],
        ['an address without a value', { userName: 'name', emails: [{ type: 'work' }] }, 400, 'invalidValue'],
        ['a name that is a text', { userName: 'name', emails: [WORK], name: 'Ann' }, 400, 'invalidValue'],
        ['maybe active', { userName: 'name', emails: [WORK], active: 'maybe' }, 400, 'invalidValue'],
        ['another schema', { schemas: ['urn:x'], userName: 'name', emails: [WORK] }, 400, 'invalidSyntax'],
        ['a name that is taken, in another case', { userName: 'ANN', emails: [WORK] }, 409, 'uniqueness'],
        ['an address that is taken', { userName: 'n', emails: [{ value: 'Ann@ours.example' }] }, 409, 'uniqueness'],
      ])
    })

    test('a body that is no JSON, too long, or no object', async () => {
      const call = { method: 'POST', path: '/scim/v2/Users', token: scene.world.ours.admin } as const
      expectFault(await scene.world.call({ ...call, raw: '{' }), 400, 'invalidSyntax')
      expectFault(await scene.world.call({ ...call, raw: '[]' }), 400, 'invalidSyntax')
      expectFault(await scene.world.call({ ...call, body: { userName: 'a'.repeat(1024 * 1024) } }), 413)
    })
  })

  const change = (...Operations: readonly unknown[]) => ({ Operations })

  describe('as a change of a user', () => {
    test('whatever cannot be one', async () => {
      await refuseAll('PATCH', '/Users/{user}', [
        ['no operations', {}, 400, 'invalidSyntax'],
        ['an empty list', change(), 400, 'invalidSyntax'],
        ['too many operations', change(...Array.from({ length: 10_001 }, () => ({}))), 400, 'invalidSyntax'],
        ['a text', change('replace'), 400, 'invalidSyntax'],
        ['another operation', change({ op: 'move', path: 'active', value: true }), 400, 'invalidSyntax'],
        ['removing without a path', change({ op: 'remove' }), 400, 'noTarget'],
        ['no path and no object', change({ op: 'replace', value: 'x' }), 400, 'invalidValue'],
        ['a path that is none', change({ op: 'replace', path: 'a b', value: 'x' }), 400, 'invalidPath'],
        ['a path that is a number', change({ op: 'replace', path: 5, value: 'x' }), 400, 'invalidPath'],
        ['an unknown attribute', change({ op: 'replace', path: 'nonsense', value: 'x' }), 400, 'invalidPath'],
        ['an unknown attribute without a path', change({ op: 'add', value: { nonsense: 1 } }), 400, 'invalidPath'],
        ['the prototype', change({ op: 'add', path: '__proto__', value: { active: false } }), 400, 'invalidPath'],
        ['a part of what has none', change({ op: 'replace', path: 'userName.x', value: 'x' }), 400, 'invalidPath'],
        ['a filter of one value', change({ op: 'replace', path: 'name[x eq "y"]', value: 'x' }), 400, 'invalidPath'],
        ['a part that there is not', change({ op: 'replace', path: 'name.nick', value: 'x' }), 400, 'invalidPath'],
        ['the id', change({ op: 'replace', path: 'id', value: '{other}' }), 400, 'mutability'],
        ['the groups', change({ op: 'add', path: 'groups', value: [{ value: '{group}' }] }), 400, 'mutability'],
        ['removing the name', change({ op: 'remove', path: 'userName' }), 400, 'mutability'],
        ['removing the address', change({ op: 'remove', path: 'emails' }), 400, 'mutability'],
        ['removing the state', change({ op: 'remove', path: 'active' }), 400, 'mutability'],
        [
          'an address that is not there',
          change({ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.c' }),
          400,
          'noTarget',
        ],
        [
          'a filter of unknown parts',
          change({ op: 'replace', path: 'emails[x eq "y"].value', value: 'a@b.c' }),
          400,
          'invalidFilter',
        ],
        ['a taken name', change({ op: 'replace', path: 'userName', value: 'BOB' }), 409, 'uniqueness'],
        [
          'a good change before a bad one',
          change({ op: 'replace', path: 'active', value: false }, { op: 'replace', path: 'active', value: 'x' }),
          400,
          'invalidValue',
        ],
        [
          'a path of ten thousand brackets',
          change({ op: 'replace', path: `emails[${'('.repeat(10_000)}`, value: 'x' }),
          400,
          'invalidPath',
        ],
      ])
    })

    test('a body with another id', async () => {
      const body = { id: '{other}', userName: 'ann' }
      await refuseAll('PUT', '/Users/{user}', [['another id', body, 400, 'mutability']])
    })
  })

  describe('as a group', () => {
    test('whatever cannot be one', async () => {
      await refuseAll('POST', '/Groups', [
        ['no name', {}, 400, 'invalidValue'],
        ['a name that is taken', { displayName: 'Taken' }, 409, 'uniqueness'],
        ['members that are texts', { displayName: 'G', members: ['{user}'] }, 400, 'invalidSyntax'],
        ['members without ids', { displayName: 'G', members: [{ display: 'x' }] }, 400, 'invalidValue'],
        ['a member who is not there', { displayName: 'G', members: [{ value: newId() }] }, 400, 'invalidValue'],
        ['a member with no id of ours', { displayName: 'G', members: [{ value: "' or 1=1 --" }] }, 400, 'invalidValue'],
        ["another organisation's user", { displayName: 'G', members: [{ value: '{theirUser}' }] }, 400, 'invalidValue'],
        [
          'a group as member',
          { displayName: 'G', members: [{ value: '{group}', type: 'Group' }] },
          400,
          'invalidValue',
        ],
      ])
    })
  })

  describe('as a change of a group', () => {
    test('whatever cannot be one', async () => {
      await refuseAll('PATCH', '/Groups/{group}', [
        ['an unknown attribute', change({ op: 'add', path: 'owner', value: 'x' }), 400, 'invalidPath'],
        ['a taken name', change({ op: 'replace', path: 'displayName', value: 'Taken' }), 409, 'uniqueness'],
        ['removing the name', change({ op: 'remove', path: 'displayName' }), 400, 'mutability'],
        ['another id', change({ op: 'replace', value: { id: '{other}' } }), 400, 'mutability'],
        [
          'a part of a member',
          change({ op: 'replace', path: 'members[value eq "{user}"].value', value: '{other}' }),
          400,
          'mutability',
        ],
        [
          'one member for another',
          change({ op: 'replace', path: 'members[value eq "{user}"]', value: [{ value: '{other}' }] }),
          400,
          'mutability',
        ],
        ['a filter of unknown parts', change({ op: 'remove', path: 'members[name eq "x"]' }), 400, 'invalidFilter'],
        [
          "another organisation's user",
          change({ op: 'add', path: 'members', value: [{ value: '{theirUser}' }] }),
          400,
          'invalidValue',
        ],
        [
          'somebody who is not there, after a good change',
          change({ op: 'remove', path: 'members' }, { op: 'replace', path: 'members', value: [{ value: newId() }] }),
          400,
          'invalidValue',
        ],
      ])
    })

    test("takes the removal of whoever is not in it, and of another organisation's user, for done", async () => {
      for (const value of [ids.other, ids.theirUser, newId(), 'nobody']) {
        const path = `members[value eq "${value}"]`
        expect((await scene.patch(`/Groups/${ids.group}`, { op: 'remove', path })).status).toBe(204)
        const named = { op: 'Remove', path: 'members', value: [{ value }] }
        expect((await scene.patch(`/Groups/${ids.group}`, named)).status).toBe(204)
      }
      expect(await scene.done('GET', `/Groups/${ids.group}`)).toMatchObject({ members: [{ value: ids.user }] })
      const theirs = await scene.send('GET', `/Groups/${ids.theirGroup}`, undefined, scene.world.theirs.admin)
      expect(theirs.body).toMatchObject({ members: [{ value: ids.theirUser }] })
    })
  })

  describe('as a query', () => {
    test('whatever cannot be one', async () => {
      for (const [query, scimType] of [
        [`filter=${'a'.repeat(10_000)}`, 'invalidFilter'],
        [`filter=${'('.repeat(10_000)}`, 'invalidFilter'],
        ['filter=userName is "x"', 'invalidFilter'],
        ['filter=userName eq "%00"', 'invalidValue'],
        ['filter=members eq "x"', 'invalidFilter'],
        ['sortBy=nonsense', 'invalidFilter'],
        ['sortBy=groups', 'invalidValue'],
        ['count=many', 'invalidValue'],
        ['startIndex=1.5', 'invalidValue'],
        ['attributes=a b', 'invalidValue'],
      ] as const) {
        expectFault(await scene.send('GET', `/Users?${query}`), 400, scimType, query)
      }
    })

    // Ann, Bob, and the person whom every organisation of these tests has.
    test('what is out of range or unknown is put right', async () => {
      for (const query of ['count=1000000000', 'startIndex=-1', 'count=-1', 'filter=', 'nonsense=1']) {
        expect((await scene.send('GET', `/Users?${query}`)).body).toMatchObject({ totalResults: 3, startIndex: 1 })
      }
      expect((await scene.send('GET', '/Users?startIndex=999999999999999')).body).toMatchObject({ itemsPerPage: 0 })
    })

    test('an attribute that one kind has not finds none of it; one that neither has is refused', async () => {
      const search = (filter: string) => scene.send('POST', '/.search', { filter, attributes: ['id'] })
      expect((await search('userName eq "ann" or active eq true')).body).toMatchObject({ totalResults: 3 })
      expect((await search(`id eq "${ids.user}" or id eq "${ids.group}"`)).body).toMatchObject({
        totalResults: 2,
        Resources: [{ id: ids.user }, { id: ids.group }],
      })
      expectFault(await search('nonsense pr'), 400, 'invalidFilter')
    })
  })

  test("another organisation's resources are not there", async () => {
    const user = { userName: 'x', emails: [WORK] }
    for (const [path, whole] of [
      [`/Users/${ids.theirUser}`, user],
      [`/Groups/${ids.theirGroup}`, { displayName: 'x' }],
    ] as const) {
      const patch = change({ op: 'replace', path: 'externalId', value: 'x' })
      for (const answer of [
        await scene.send('GET', path),
        await scene.send('PUT', path, whole),
        await scene.send('PATCH', path, patch),
        await scene.send('DELETE', path),
      ]) {
        expectFault(answer, 404)
      }
    }
    const listed = await scene.done('GET', '/Users')
    expect(JSON.stringify(listed)).not.toContain(ids.theirUser)
    expect(await scene.done('GET', `/Groups?filter=members eq "${ids.theirUser}"`)).toMatchObject({ totalResults: 0 })
  })

  test('a key without the scope, or of a workspace', async () => {
    const token = await createKey(store().db, 'organisation-service', scene.world.ours, ['organisation_users.list'])
    expect((await scene.send('GET', '/Users', undefined, token)).status).toBe(200)
    expectFault(await scene.send('POST', '/Users', { userName: 'x' }, token), 403)
    expectFault(await scene.send('GET', '/Users', undefined, scene.world.ours.first.serviceKey), 403)
  })

  test('a change of what was changed meanwhile', async () => {
    const path = `/scim/v2/Users/${ids.other}`
    const call = async (method: 'GET' | 'PATCH', headers: Readonly<Record<string, string>>, givenName?: string) =>
      scene.world.call({
        method,
        path,
        token: scene.world.ours.admin,
        headers,
        ...(givenName !== undefined && { body: change({ op: 'add', value: { 'name.givenName': givenName } }) }),
      })
    const first = await call('GET', {})
    const version = first.headers.get('etag') ?? ''
    expect(first.body.meta).toMatchObject({ version })
    expect((await call('GET', { 'if-none-match': version })).status).toBe(304)
    const changed = await call('PATCH', { 'if-match': `"x", ${version}` }, 'Bob')
    expect(changed.body.name).toEqual({ givenName: 'Bob' })
    expectFault(await call('PATCH', { 'if-match': version }, 'Robert'), 412)
    expect((await call('GET', { 'if-none-match': version })).body).toEqual(changed.body)
    expect((await call('PATCH', { 'if-match': '*' }, 'Robert')).status).toBe(200)
  })

  test(
    'a user in a thousand groups is shown with all of them, and leaves them when removed',
    async () => {
      const many = await scene.addUser('many')
      const { organisationId } = scene.world.ours
      const groups = Array.from({ length: 1_000 }, (_, index) => ({
        id: newId(),
        organisationId,
        displayName: `of many ${index}`,
      }))
      await store().db.insert(scimGroups).values(groups)
      await store()
        .db.insert(scimGroupMembers)
        .values(groups.map(({ id: groupId }) => ({ groupId, userId: many })))
      expect((await scene.done('GET', `/Users/${many}`)).groups).toHaveLength(1_000)
      expect((await scene.done('GET', `/Groups?filter=members[value eq "${many}"]`)).totalResults).toBe(1_000)
      await scene.done('DELETE', `/Users/${many}`)
      expect((await scene.done('GET', '/Groups?filter=displayName sw "of many"&count=1')).Resources).toMatchObject([
        { members: [] },
      ])
    },
    SLOW_START_MS,
  )
})
