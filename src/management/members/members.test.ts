import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { SCOPES_OF_WORKSPACE_ROLE } from '../../people/roles.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { addPerson } from '../test-support/add-person.ts'
import { type PeopleScene, setPeopleScene } from '../users/test-support.ts'

describeOnBothStores('members', (store) => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await setPeopleScene(store())
  }, SLOW_START_MS)

  const send: PeopleScene['send'] = (...call) => scene.send(...call)
  const pathOf = (workspace: string) => `/workspaces/${workspace}/users`

  test('join by id or address, are shown with what they may do, change and leave', async () => {
    const { first } = scene.world.ours
    const path = pathOf(first.slug)
    const { id } = await scene.person({ email: 'cleo@example.com' })
    const users = [{ id: 'Cleo@example.com', role: 'member' }]
    expect((await send('POST', path, { users })).body).toEqual({})
    const { body } = await send('GET', `${path}/${id}`)
    expect(body).toEqual({
      id,
      email: 'cleo@example.com',
      first_name: null,
      last_name: null,
      org_role: 'member',
      role: 'member',
      status: 'active',
      source: 'direct',
      workspace_id: first.id,
      scopes: [...SCOPES_OF_WORKSPACE_ROLE.member],
      settings: null,
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      object: 'workspace_user',
    })
    expect((await send('GET', `/admin${path}?role=member&email=cleo@example.com`)).body).toEqual({
      object: 'list',
      total: 1,
      data: [body],
    })
    expectError(await send('POST', path, { users }), 'management_conflict')
    expect((await send('PUT', `${path}/${id}`, { role: 'manager' })).body).toEqual({})
    expect((await send('GET', `${path}/${id}`)).body.role).toBe('manager')
    expect((await send('DELETE', `${path}/${id}`)).body).toEqual({})
    expectError(await send('GET', `${path}/${id}`), 'management_not_found')
    expect((await send('GET', `/users/${id}`)).body).toMatchObject({ workspace_ids: [] })
  })

  test('a manager makes no admin, changes none, and reaches no other workspace', async () => {
    const { first, second } = scene.world.ours
    const manager = await scene.person({ workspaces: [first.id], workspaceRole: 'manager' })
    const admin = await scene.person({ workspaces: [first.id] })
    const member = await scene.person({ workspaces: [first.id], workspaceRole: 'member' })
    const outsider = await scene.person()
    const path = pathOf(first.id)
    for (const [method, at, body] of [
      ['POST', path, { users: [{ id: outsider.id, role: 'admin' }] }],
      ['PUT', `${path}/${manager.id}`, { role: 'admin' }],
      ['PUT', `${path}/${admin.id}`, { role: 'member' }],
      ['DELETE', `${path}/${admin.id}`, undefined],
    ] as const) {
      expectError(await send(method, at, body, manager.token), 'management_forbidden')
      // Nor by a key that a manager can have.
      const scopes = ['workspace_users.create', 'workspace_users.update', 'workspace_users.delete']
      const { body: key } = await send('POST', '/api-keys/service', { name: 'k', scopes }, manager.token)
      expectError(await send(method, at, body, String(key.key)), 'management_forbidden')
      expectError(await send(method, at, body, member.token), 'management_forbidden')
    }
    const users = [{ id: outsider.id, role: 'manager' }]
    for (const token of [manager.token, first.serviceKey, first.userKey, admin.in(second.id)]) {
      const refused = await send('POST', pathOf(second.id), { users }, token)
      expect([401, 404]).toContain(refused.status)
      expect([401, 404]).toContain((await send('GET', `${pathOf(second.id)}/${admin.id}`, undefined, token)).status)
    }
    expect((await send('POST', path, { users }, manager.token)).status).toBe(200)
    expect((await send('GET', path, undefined, member.token)).status).toBe(200)
    expect((await send('PUT', `${path}/${manager.id}`, { role: 'member' }, manager.token)).status).toBe(200)
    expectError(await send('PUT', `${path}/${manager.id}`, { role: 'manager' }, manager.token), 'management_forbidden')
  })

  test('come from the own organisation alone, also with a new workspace', async () => {
    const { world } = scene
    const stranger = await addPerson(world.db, { organisationId: world.theirs.organisationId, email: 's@example.com' })
    const { id } = await scene.person()
    for (const user of [stranger, 's@example.com', crypto.randomUUID(), world.theirs.first.id]) {
      const users = [
        { id, role: 'member' },
        { id: user, role: 'member' },
      ]
      const refused = await send('POST', pathOf(world.ours.first.id), { users })
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe('users[1].id')
      expectError(await send('POST', '/workspaces', { name: 'w', users: [user] }), 'management_reference')
    }
    // All or none.
    expectError(await send('GET', `${pathOf(world.ours.first.id)}/${id}`), 'management_not_found')
    expectError(await send('GET', pathOf(world.theirs.first.id)), 'management_not_found')
    const { body: made } = await send('POST', '/workspaces', {
      name: 'team',
      users: [id, { id: world.ours.userId, role: 'admin' }],
    })
    const { body } = await send('GET', pathOf(String(made.id)))
    expect((body.data as { id: string; role: string }[]).map((row) => [row.id, row.role])).toEqual([
      [id, 'member'],
      [world.ours.userId, 'admin'],
    ])
  })

  test('get a key where the workspace says so, which its person makes theirs by rotating it', async () => {
    const config = { enabled: true, scopes: ['completions.write', 'providers.create'] }
    const { body: workspace } = await send('POST', '/workspaces', { name: 'keys', user_api_key_config: config })
    expect(workspace.user_api_key_config).toEqual(config)
    const path = pathOf(String(workspace.id))
    const person = await scene.person()
    await send('POST', path, { users: [{ id: person.id, role: 'member' }] })
    const { body: list } = await send('GET', '/api-keys', undefined, person.token)
    const [key] = list.data as Record<string, unknown>[]
    expect(list.total).toBe(1)
    expect(key).toMatchObject({ user_id: person.id, creation_mode: 'auto', scopes: ['completions.write'] })
    const { body: rotated } = await send('POST', `/api-keys/${key?.id}/rotate`, undefined, person.token)
    expect(rotated.key).toMatch(/^weir_/)
    expect((await send('DELETE', `${path}/${person.id}`)).status).toBe(200)
    expectError(await send('GET', '/configs', undefined, String(rotated.key)), 'management_unauthorized')

    expect((await send('PUT', `/workspaces/${workspace.id}`, { user_api_key_config: null })).status).toBe(200)
    await send('POST', path, { users: [{ id: person.id, role: 'member' }] })
    expect((await send('GET', '/api-keys', undefined, person.token)).body.total).toBe(0)
    const wrong = { user_api_key_config: { enabled: true, scopes: ['workspaces.create'] } }
    const refused = await send('PUT', `/workspaces/${workspace.id}`, wrong)
    expectError(refused, 'management_invalid')
    expect(paramOf(refused)).toBe('user_api_key_config.scopes[0]')
  })
})
