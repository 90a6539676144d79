import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expectError } from '../../../test/conformance/management/expect-error.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import { reconcile } from '../../people/scim/reconcile.ts'
import { holdPeople } from '../../people/users.ts'
import { describeKey } from '../../store/key-material.ts'
import { newId } from '../../store/objects/rows.ts'
import { addGroupMembers, scimGroupRows } from '../../store/objects/scim-groups.ts'
import { memberRows } from '../../store/objects/workspace-members.ts'
import { apiKeys } from '../../store/schema/api-keys.ts'
import {
  scimGroups,
  scimWorkspaces,
  sessions,
  users,
  WORKSPACE_ROLES,
  type WorkspaceRole,
  workspaceMembers,
} from '../../store/schema/people.ts'
import { workspaces } from '../../store/schema/tenancy.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { expectFault, type ScimScene, setScimScene } from './test-support.ts'

describeOnBothStores('groups that are mapped to workspaces', (store) => {
  let scene: ScimScene
  beforeAll(async () => {
    scene = await setScimScene(store())
  }, SLOW_START_MS)
  beforeEach(async () => {
    const { organisationId } = scene.world.ours
    await store().db.delete(scimWorkspaces).where(eq(scimWorkspaces.organisationId, organisationId))
    await store().db.delete(scimGroups).where(eq(scimGroups.organisationId, organisationId))
    await store().db.delete(users).where(eq(users.organisationId, organisationId))
  })

  const members = async (workspaceId: string): Promise<Readonly<Record<string, string>>> => {
    const rows = await store().db.select().from(workspaceMembers).where(eq(workspaceMembers.workspaceId, workspaceId))
    return Object.fromEntries(rows.map(({ userId, role, source }) => [userId, `${role} ${source}`]))
  }
  const first = () => scene.world.ours.first.id
  const mapping = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    scene.world.call({ method, path: `/scim/workspaces${path}`, token: scene.world.ours.admin, ...(body && { body }) })

  test('members have the role from the mapping on, and lose it with the group, the name or the mapping', async () => {
    const [ann, bob] = [await scene.addUser('ann'), await scene.addUser('bob')]
    const group = await scene.addGroup('Engineers', [ann])
    expect(await members(first())).toEqual({})
    await scene.map({ workspace_id: first(), role: 'member', scim_group_name: 'Engineers' })
    expect(await members(first())).toEqual({ [ann]: 'member scim' })
    await scene.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: bob }, { value: bob }] })
    expect(await members(first())).toEqual({ [ann]: 'member scim', [bob]: 'member scim' })
    await scene.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${ann}"]` })
    expect(await members(first())).toEqual({ [bob]: 'member scim' })
    await scene.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'Builders' })
    expect(await members(first())).toEqual({})
    const later = await scene.addGroup('Engineers', [ann, bob])
    expect(await members(first())).toEqual({ [ann]: 'member scim', [bob]: 'member scim' })
    const manager = await scene.map({ workspace_id: first(), role: 'manager', scim_group_id: group })
    expect(await members(first())).toEqual({ [ann]: 'member scim', [bob]: 'manager scim' })
    expect((await mapping('DELETE', `/${manager}`)).body).toEqual({})
    expect(await members(first())).toEqual({ [ann]: 'member scim', [bob]: 'member scim' })
    await scene.done('DELETE', `/Groups/${later}`)
    expect(await members(first())).toEqual({})
    expect((await mapping('GET', '')).body).toMatchObject({ total: 1, data: [{ scim_group_name: 'Engineers' }] })
  })

  test('a membership that somebody has directly is left alone', async () => {
    const { organisationId } = scene.world.ours
    const ann = await scene.addUser('ann')
    const row = { organisationId, workspaceId: first(), userId: ann, role: 'member' } as const
    await memberRows.insert(store().db, row)
    const group = await scene.addGroup('Admins', [ann])
    await scene.map({ workspace_id: first(), role: 'admin', scim_group_id: group })
    expect(await members(first())).toEqual({ [ann]: 'member direct' })
    await scene.done('DELETE', `/Groups/${group}`)
    expect(await members(first())).toEqual({ [ann]: 'member direct' })
  })

  test('keys end or lose what the role no longer lets them do, and come where the workspace gives them', async () => {
    const { db } = store()
    const { organisationId } = scene.world.ours
    const userKeyConfig = { isAutomatic: true, scopes: ['completions.write', 'logs.view'] }
    await db.update(workspaces).set({ userKeyConfig }).where(eq(workspaces.id, first()))
    const [ann, bob] = [await scene.addUser('ann'), await scene.addUser('bob')]
    await scene.patch(`/Users/${bob}`, { op: 'replace', path: 'active', value: false })
    const keysOf = async (userId: string) =>
      (await db.select().from(apiKeys).where(eq(apiKeys.userId, userId))).map(({ status, scopes }) => [
        status,
        scopes.toSorted(),
      ])
    const group = await scene.addGroup('G', [ann, bob])
    const id = await scene.map({ workspace_id: first(), role: 'admin', scim_group_id: group })
    expect(await keysOf(ann)).toEqual([['active', ['completions.write', 'logs.view']]])
    // Whoever is inactive is a member, and gets none.
    expect(await keysOf(bob)).toEqual([])
    await db
      .update(apiKeys)
      .set({ scopes: ['completions.write', 'providers.delete'] })
      .where(eq(apiKeys.userId, ann))
    await scene.map({ workspace_id: first(), role: 'member', scim_group_name: 'G' })
    await mapping('DELETE', `/${id}`)
    expect(await members(first())).toEqual({ [ann]: 'member scim', [bob]: 'member scim' })
    expect(await keysOf(ann)).toEqual([['active', ['completions.write']]])
    await scene.patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
    expect(await keysOf(ann)).toEqual([['revoked', ['completions.write']]])
    await db.update(workspaces).set({ userKeyConfig: null }).where(eq(workspaces.organisationId, organisationId))
  })

  test('whoever is set inactive or removed has neither keys nor sessions, and no way back to either', async () => {
    const { db } = store()
    const { organisationId } = scene.world.ours
    const end = { endsAt: new Date(Date.now() + 3_600_000) }
    const enter = async (userId: string) => {
      const owner = { organisationId, workspaceId: first() }
      const { publicId } = describeKey(await createKey(db, 'workspace-user', owner))
      await db.update(apiKeys).set({ userId }).where(eq(apiKeys.publicId, publicId))
      await db.insert(sessions).values({ id: newId(), organisationId, userId, tokenHash: newId(), ...end })
    }
    const left = async (userId: string) => ({
      keys: (await db.select().from(apiKeys).where(eq(apiKeys.userId, userId))).filter(
        ({ status }) => status !== 'revoked',
      ).length,
      sessions: (await db.select().from(sessions).where(eq(sessions.userId, userId))).length,
    })
    const ann = await scene.addUser('ann')
    const group = await scene.addGroup('G', [ann])
    await scene.map({ workspace_id: first(), role: 'admin', scim_group_id: group })
    await enter(ann)
    expect(await left(ann)).toEqual({ keys: 1, sessions: 1 })
    expect((await scene.patch(`/Users/${ann}`, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    )
    expect(await left(ann)).toEqual({ keys: 0, sessions: 0 })
    expect((await scene.patch(`/Users/${ann}`, { op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(
      true,
    )
    expect(await left(ann)).toEqual({ keys: 0, sessions: 0 })
    expect(await members(first())).toEqual({ [ann]: 'admin scim' })
    await enter(ann)
    await scene.done('DELETE', `/Users/${ann}`)
    expect(await left(ann)).toEqual({ keys: 0, sessions: 0 })
    expect(await members(first())).toEqual({})
  })

  test('the last owner stays', async () => {
    const ann = await scene.addUser('ann')
    await store().db.update(users).set({ role: 'owner' }).where(eq(users.id, ann))
    for (const value of [false, 'False']) {
      expectFault(await scene.patch(`/Users/${ann}`, { op: 'replace', path: 'active', value }), 409)
    }
    expectFault(await scene.send('DELETE', `/Users/${ann}`), 409)
    const token = await createKey(store().db, 'organisation-service', scene.world.ours, ['organisation_users.update'])
    // Nor does a key that may not make owners change the address of one.
    const change = { Operations: [{ op: 'replace', path: 'userName', value: 'eve' }] }
    expectFault(await scene.send('PATCH', `/Users/${ann}`, change, token), 403)
  })

  describe('are what the mappings say they are', () => {
    test(
      'after any changes in any order',
      async () => {
        const { db } = store()
        const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => scene.addUser(name)))
        const places = [scene.world.ours.first.id, scene.world.ours.second.id]
        const names = ['X', 'Y']
        const taken: [string, number, number, number][] = [
          ['group', 0, 0, 0],
          ['rename', 0, 0, 0],
          ['group', 0, 0, 0],
          ['rename', 1, 0, 0],
        ]
        const step = fc.tuple(
          fc.constantFrom('group', 'drop', 'add', 'remove', 'rename', 'map', 'map-id', 'unmap'),
          fc.nat(7),
          fc.nat(7),
          fc.nat(7),
        )
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
            const { organisationId } = scene.world.ours
            await db.delete(scimWorkspaces).where(eq(scimWorkspaces.organisationId, organisationId))
            await db.delete(scimGroups).where(eq(scimGroups.organisationId, organisationId))
            await db.delete(workspaceMembers).where(eq(workspaceMembers.organisationId, organisationId))
            const groups = new Map<string, { name: string; members: Set<string> }>()
            const mappings = new Map<string, { place: string; role: WorkspaceRole; group: string }>()
            const nth = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value
            for (const [kind, one, two, three] of steps) {
              const group = nth([...groups.keys()], one)
              const person = nth(people, two)
              if (kind === 'group') {
                const name = names.find((free) => [...groups.values()].every((each) => each.name !== free))
                if (name !== undefined)
                  groups.set(await scene.addGroup(name, [person]), { name, members: new Set([person]) })
              } else if (kind.startsWith('map')) {
                const target = kind === 'map-id' ? { scim_group_id: group } : { scim_group_name: nth(names, one) }
                const fields = { workspace_id: nth(places, two), role: nth(WORKSPACE_ROLES, three), ...target }
                if (kind === 'map-id' && group === undefined) continue
                const made = await mapping('POST', '', fields)
                if (made.status === 409) continue
                expect(made.status).toBe(200)
                const named = kind === 'map-id' ? group : nth(names, one)
                mappings.set(String(made.body.id), {
                  place: fields.workspace_id,
                  role: fields.role,
                  group: String(named),
                })
              } else if (kind === 'unmap') {
                const id = nth([...mappings.keys()], one)
                if (id === undefined) continue
                await mapping('DELETE', `/${id}`)
                mappings.delete(id)
              } else if (group !== undefined) {
                const own = groups.get(group)
                if (kind === 'drop') {
                  await scene.done('DELETE', `/Groups/${group}`)
                  groups.delete(group)
                  for (const [id, mapped] of mappings) if (mapped.group === group) mappings.delete(id)
                } else if (kind === 'add') {
                  await scene.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: person }] })
                  own?.members.add(person)
                } else if (kind === 'remove') {
                  await scene.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${person}"]` })
                  own?.members.delete(person)
                } else if (own !== undefined) {
                  const displayName = `${own.name}${three}`
                  const isTaken = [...groups.values()].some(({ name }) => name === displayName)
                  const { status } = await scene.send('PUT', `/Groups/${group}`, { displayName })
                  expect(status).toBe(isTaken ? 409 : 200)
                  if (!isTaken) own.name = displayName
                }
              }
            }
            for (const place of places) {
              const wanted: Record<string, string> = {}
              for (const [id, { name, members: inside }] of groups) {
                for (const { place: mapped, role, group } of mappings.values()) {
                  if (mapped !== place || (group !== id && group !== name)) continue
                  for (const person of inside) {
                    const before = WORKSPACE_ROLES.find((known) => wanted[person] === `${known} scim`)
                    const isMightier =
                      before === undefined || WORKSPACE_ROLES.indexOf(role) < WORKSPACE_ROLES.indexOf(before)
                    if (isMightier) wanted[person] = `${role} scim`
                  }
                }
              }
              expect(await members(place)).toEqual(wanted)
            }
          }),
          // Of both groups the second is given the name that the first has by then: by chance that is rare.
          { numRuns: 6, examples: [[taken]] },
        )
      },
      SLOW_START_MS,
    )

    test(
      'for ten thousand members at once',
      async () => {
        const { db } = store()
        const { organisationId } = scene.world.ours
        const rows = Array.from({ length: 10_000 }, (_, index) => ({
          id: newId(),
          organisationId,
          email: `u${index}@ours.example`,
          userName: `u${index}`,
          role: 'member' as const,
          source: 'scim' as const,
        }))
        for (let from = 0; from < rows.length; from += 2_000)
          await db.insert(users).values(rows.slice(from, from + 2_000))
        const ids = rows.map(({ id }) => id)
        const { id } = await scimGroupRows.insert(db, { organisationId, displayName: 'Everybody' })
        await addGroupMembers(db, id, ids)
        await scene.map({ workspace_id: first(), role: 'member', scim_group_id: id })
        expect(Object.keys(await members(first()))).toHaveLength(10_000)
        // As Okta sends it: the whole group, without the first half.
        const put = { displayName: 'Everybody', members: ids.slice(5_000).map((value) => ({ value, display: value })) }
        await scene.done('PUT', `/Groups/${id}?excludedAttributes=members`, put)
        expect(Object.keys(await members(first()))).toHaveLength(5_000)
        const nothing = await db.transaction(async (transaction) => {
          await holdPeople(transaction, organisationId)
          return reconcile(transaction, { organisationId, workspaceIds: [first()] })
        })
        expect(nothing).toEqual({ joined: 0, changed: 0, left: 0 })
      },
      SLOW_START_MS,
    )
  })

  describe('a mapping', () => {
    test('is listed by workspace and group, read by nobody else, and not made twice', async () => {
      const group = await scene.addGroup('G')
      const { first: one, second } = scene.world.ours
      const made = await mapping('POST', '', {
        workspace_id: one.slug,
        role: 'member',
        scim_group_id: group.toUpperCase(),
      })
      expect(made.body).toMatchObject({
        workspace_id: one.id,
        role: 'member',
        scim_group_id: group,
        scim_group_name: null,
      })
      await scene.map({ workspace_id: second.id, role: 'admin', scim_group_name: 'G' })
      const total = async (query: string) => (await mapping('GET', `?${query}`)).body.total
      expect([await total(''), await total(`workspace_id=${one.slug}`), await total('scim_group_name=G')]).toEqual([
        2, 1, 1,
      ])
      expect(await total(`scim_group_id=${group}`)).toBe(1)
      const again = { workspace_id: one.id, role: 'admin', scim_group_id: group }
      expectError(await mapping('POST', '', again), 'management_conflict')
      const path = `/scim/workspaces/${made.body.id}`
      expectError(
        await scene.world.call({ method: 'DELETE', path, token: scene.world.theirs.admin }),
        'management_not_found',
      )
    })

    test('names one group of the own organisation, and a role that the key may give', async () => {
      const workspace_id = first()
      const good = { workspace_id, role: 'member', scim_group_name: 'G' }
      const theirs = await scene.send('POST', '/Groups', { displayName: 'T' }, scene.world.theirs.admin)
      for (const body of [
        { workspace_id, role: 'member' },
        { ...good, scim_group_id: newId() },
        { ...good, role: 'owner' },
        { ...good, scim_group_name: '' },
      ]) {
        expectError(await mapping('POST', '', body), 'management_invalid')
      }
      for (const id of [newId(), String(theirs.body.id)]) {
        const body = { workspace_id, role: 'member', scim_group_id: id }
        expectError(await mapping('POST', '', body), 'management_reference')
      }
      const token = await createKey(store().db, 'organisation-service', scene.world.ours, ['organisation_users.create'])
      const body = { ...good, role: 'admin' }
      expectError(
        await scene.world.call({ method: 'POST', path: '/scim/workspaces', token, body }),
        'management_forbidden',
      )
    })
  })
})
