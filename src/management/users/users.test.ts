import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import { ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES } from '../../store/scopes.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { addPerson } from '../test-support/add-person.ts'
import { type PeopleScene, setPeopleScene } from './test-support.ts'

describeOnBothStores('users', (store) => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await setPeopleScene(store())
  }, SLOW_START_MS)

  const send: PeopleScene['send'] = (...call) => scene.send(...call)

  test('are shown by id and address, listed, changed and removed', async () => {
    const { organisationId, first } = scene.world.ours
    const { id } = await scene.person({ email: 'bea@example.com', workspaces: [first.id] })
    const shown = {
      id,
      email: 'bea@example.com',
      first_name: null,
      last_name: null,
      role: 'member',
      status: 'active',
      source: 'invite',
      workspace_ids: [first.id],
      last_sign_in_at: null,
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      object: 'user',
    }
    for (const reference of [id, id.toUpperCase(), 'bea@example.com', 'BEA%40example.com']) {
      expect((await send('GET', `/users/${reference}`)).body).toEqual(shown)
    }
    expect((await send('GET', '/admin/users?email=Bea@example.com')).body).toEqual({
      object: 'list',
      total: 1,
      data: [shown],
    })
    expect((await send('GET', '/admin/users?pageSize=1&currentPage=1&role=member')).body.total).toBeGreaterThan(1)
    const changes = { role: 'admin', first_name: 'Bea', last_name: 'B.', userId: id.toUpperCase() }
    expect((await send('PUT', `/admin/users/${id}`, changes)).body).toEqual({})
    expect((await send('GET', `/users/${id}`)).body).toMatchObject({
      role: 'admin',
      first_name: 'Bea',
      last_name: 'B.',
    })
    expect((await send('DELETE', `/admin/users/${id}`)).body).toEqual({})
    expectError(await send('GET', `/users/${id}`), 'management_not_found')
    const theirs = await addPerson(scene.world.db, {
      organisationId: scene.world.theirs.organisationId,
      email: 't@example.com',
    })
    for (const reference of [theirs, 't@example.com', organisationId]) {
      expectError(await send('GET', `/users/${reference}`), 'management_not_found')
      expectError(await send('PUT', `/users/${reference}`, { role: 'admin' }), 'management_not_found')
      expectError(await send('DELETE', `/users/${reference}`), 'management_not_found')
    }
  })

  test('nobody makes or changes their betters, themselves least of all', async () => {
    const owner = await scene.person({ role: 'owner' })
    const admin = await scene.person({ role: 'admin' })
    const member = await scene.person({ workspaces: [scene.world.ours.first.id] })
    for (const [by, whom, body] of [
      [admin, admin, { role: 'owner' }],
      [admin, member, { role: 'owner' }],
      [admin, owner, { role: 'member' }],
      [admin, owner, { status: 'inactive' }],
      [admin, owner, { first_name: 'x' }],
      [member, member, { role: 'admin' }],
      [member, admin, { role: 'member' }],
    ] as const) {
      expectError(await send('PUT', `/users/${whom.id}`, body, by.token), 'management_forbidden')
    }
    expectError(await send('DELETE', `/users/${owner.id}`, undefined, admin.token), 'management_forbidden')
    expectError(await send('GET', '/users', undefined, member.token), 'management_forbidden')
    expectError(await send('GET', '/users', undefined, owner.in(scene.world.ours.first.id)), 'management_forbidden')

    // Not by a key either: an admin can make none that makes owners, and nobody one that makes admins without having that.
    const scopes = [...ORGANISATION_SCOPES]
    const refused = await send('POST', '/api-keys/organisation/service', { name: 'k', scopes }, admin.token)
    expectError(refused, 'management_forbidden')
    expect(refused.text).toContain('organisation_owners.update')
    const hr = scopes.filter((scope) => scope.startsWith('organisation_users.'))
    const key = await createKey(scene.world.db, 'organisation-service', scene.world.ours, hr)
    expectError(await send('PUT', `/users/${member.id}`, { role: 'admin' }, key), 'management_forbidden')
    expectError(await send('DELETE', `/users/${admin.id}`, undefined, key), 'management_forbidden')
    expect((await send('PUT', `/users/${member.id}`, { last_name: 'M' }, key)).status).toBe(200)

    expect((await send('PUT', `/users/${member.id}`, { role: 'owner' }, owner.token)).status).toBe(200)
    for (const last of [owner, member]) await send('PUT', `/users/${last.id}`, { role: 'admin' }, last.token)
    const { body } = await send('GET', '/users?role=owner')
    expect(body.total).toBe(1)
    const [{ id }] = body.data as [{ readonly id: string }]
    expectError(await send('DELETE', `/users/${id}`), 'management_conflict')
    expectError(await send('PUT', `/users/${id}`, { status: 'inactive' }), 'management_conflict')
    expectError(await send('DELETE', `/users/${id}`, undefined, `person:${id}`), 'management_conflict')
  })

  test('the audit log keeps what a removal ended, and who did it', async () => {
    const { first } = scene.world.ours
    const admin = await scene.person({ role: 'admin' })
    const user = await scene.person({ workspaces: [first.id] })
    const body = { name: 'k', scopes: ['completions.write'], user_id: user.id, workspace_id: first.id }
    const { body: key } = await send('POST', '/api-keys/user', body)
    expect((await send('DELETE', `/users/${user.id}`, undefined, admin.token)).status).toBe(200)
    expectError(await send('GET', `/api-keys/${key.id}`), 'management_not_found')
    const query = `start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z&user_id=${admin.id}`
    const { body: log } = await send('GET', `/audit-logs?${query}`)
    expect(log.records).toMatchObject([{ action: 'users.delete', user_type: 'user' }])
    expect(JSON.stringify(log.records)).toContain(String(key.id))
  })

  test('long and odd names and addresses are refused with their field', async () => {
    const { id } = await scene.person()
    const long = await send('PUT', `/users/${id}`, { first_name: 'x'.repeat(1_000_000) })
    expectError(long, 'management_invalid')
    expect(paramOf(long)).toBe('first_name')
    for (const email of ['a\u0000@example.com', 'а@example.com', 'a b@example.com', `${'x'.repeat(1_000_000)}@e.com`]) {
      const refused = await send('POST', '/users/invites', { email, role: 'member' })
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe('email')
    }
    for (const body of [
      { role: 'god' },
      { status: 'gone' },
      { email: 'new@example.com' },
      {},
      { userId: crypto.randomUUID() },
    ]) {
      expectError(await send('PUT', `/users/${id}`, body), 'management_invalid')
    }
  })

  test('people make, see, rotate and delete keys of their own, and know of no others', async () => {
    const { first, second } = scene.world.ours
    const mine = await scene.person({ workspaces: [first.id], workspaceRole: 'member' })
    const other = await scene.person({ workspaces: [first.id] })
    const key = (scopes: readonly string[], more: object = {}) => ({ name: 'mine', scopes, ...more })
    const made = await send('POST', '/api-keys/user', key(['completions.write']), mine.token)
    expect(made.status).toBe(200)
    const { id } = made.body
    const { body: theirs } = await send('POST', '/api-keys/user', key(['logs.view'], { user_id: other.id }))
    const { body: service } = await send('POST', '/api-keys/service', key(['logs.view']))

    expect((await send('GET', `/api-keys/${id}`, undefined, mine.token)).body).toMatchObject({
      user_id: mine.id,
      workspace_id: first.id,
      creation_mode: 'ui',
    })
    for (const path of ['/api-keys', '/api-keys/user']) {
      const { body } = await send('GET', path, undefined, mine.token)
      expect((body.data as { id: string }[]).map((row) => row.id)).toEqual([String(id)])
    }
    expect((await send('GET', '/api-keys/service', undefined, mine.token)).body).toMatchObject({ total: 0, data: [] })
    expect((await send('POST', `/api-keys/${id}/rotate`, undefined, mine.token)).status).toBe(200)
    for (const hidden of [theirs.id, service.id]) {
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
        ['POST', '/rotated-key'],
      ] as const) {
        const answer = await send(
          method,
          `/api-keys/${hidden}${path}`,
          method === 'PUT' ? { name: 'x' } : undefined,
          mine.token,
        )
        expectError(answer, 'management_not_found')
      }
    }
    // Limits and budgets of a key are for others to change.
    expectError(await send('PUT', `/api-keys/${id}`, { usage_limits: null }, mine.token), 'management_not_found')
    for (const [path, body] of [
      ['/api-keys/user', key(['providers.create'])],
      ['/api-keys/user', key(['completions.write'], { user_id: other.id })],
      ['/api-keys/user', key(['completions.write'], { workspace_id: second.id })],
      ['/api-keys/service', key(['completions.write'])],
      ['/api-keys/organisation/service', key(['logs.view'])],
    ] as const) {
      expectError(await send('POST', path, body, mine.token), 'management_forbidden')
    }
    expect((await send('DELETE', `/api-keys/${id}`, undefined, mine.token)).status).toBe(200)
  })

  test('a key of a person is for a member of its workspace, and can do no more than they', async () => {
    const { first, second, admin } = scene.world.ours
    const member = await scene.person({ workspaces: [first.id], workspaceRole: 'member' })
    const owner = await scene.person({ role: 'owner' })
    const theirs = await addPerson(scene.world.db, { ...scene.world.theirs, email: 'u@example.com' })
    const make = (user_id: string, scopes: readonly string[], workspace = first.id) =>
      send('POST', '/api-keys/user', { name: 'k', user_id, scopes, workspace_id: workspace }, admin)
    for (const stranger of [theirs, crypto.randomUUID(), scene.world.theirs.organisationId]) {
      const refused = await make(stranger, ['logs.view'])
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe('user_id')
    }
    expectError(await make(member.id, ['logs.view'], second.id), 'management_reference')
    const beyond = await make(member.id, ['completions.write', 'providers.create'])
    expectError(beyond, 'management_forbidden')
    expect(paramOf(beyond)).toBe('scopes[1]')
    const { body } = await make(member.id, ['completions.write'])
    expectError(await send('PUT', `/api-keys/${body.id}`, { scopes: ['providers.create'] }), 'management_forbidden')
    expect((await send('PUT', `/api-keys/${body.id}`, { scopes: ['logs.view'] })).status).toBe(200)
    // Owners are at home everywhere.
    expect((await make(owner.id, ['providers.create'], second.id)).status).toBe(200)
    // A manager cannot give a key what makes an admin.
    const manager = await scene.person({ workspaces: [first.id], workspaceRole: 'manager' })
    const scopes = [...WORKSPACE_SERVICE_SCOPES]
    expectError(await send('POST', '/api-keys/service', { name: 'k', scopes }, manager.token), 'management_forbidden')
  })
})
