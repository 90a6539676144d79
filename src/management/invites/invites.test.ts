import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import { caller } from '../../../test/conformance/management/world.ts'
import { createAttempts } from '../../people/sign-in/attempts.ts'
import type { Invite } from '../../store/objects/invites.ts'
import { ORGANISATION_SCOPES } from '../../store/scopes.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { addPerson } from '../test-support/add-person.ts'
import { type PeopleScene, setPeopleScene } from '../users/test-support.ts'
import { type InvitesDeps, invitesRoutes } from './routes.ts'

const tokenOf = (link: unknown): string => new URL(String(link)).searchParams.get('invite') ?? ''

describeOnBothStores('invites', (store) => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await setPeopleScene(store())
  }, SLOW_START_MS)

  const send: PeopleScene['send'] = (...call) => scene.send(...call)
  const accept = (link: unknown) =>
    scene.world.call({ method: 'POST', path: '/invites/accept', body: { token: tokenOf(link) } })

  test('make a user with the role, the workspaces and the key that they promise', async () => {
    const { first, organisationId } = scene.world.ours
    const body = {
      email: 'New@example.com',
      role: 'member',
      workspaces: [{ id: first.slug, role: 'member' }],
      workspace_api_key_details: { scopes: ['completions.write'], expiry: '2090-01-01T00:00:00Z' },
    }
    const { body: made } = await send('POST', '/admin/users/invites', body)
    expect(made.invite_link).toMatch(/^http:\/\/gateway\.test\/sign-in\?invite=[A-Za-z0-9_-]{43}$/)
    const { text } = await send('GET', `/users/invites/${made.id}`)
    expect(text).not.toContain(tokenOf(made.invite_link))
    expect(JSON.parse(text)).toMatchObject({ email: 'new@example.com', status: 'pending', accepted_at: null })

    const { body: accepted, headers } = await accept(made.invite_link)
    expect(headers.get('set-cookie')).toBeNull()
    expect(accepted).toEqual({
      user_id: expect.any(String),
      email: 'new@example.com',
      role: 'member',
      organisation_id: organisationId,
      api_keys: [{ id: expect.any(String), workspace_id: first.id, key: expect.stringMatching(/^weir_/) }],
      object: 'user',
    })
    const [{ id, key }] = accepted.api_keys as [{ readonly id: string; readonly key: string }]
    expect((await send('GET', `/api-keys/${id}`)).body).toMatchObject({
      user_id: accepted.user_id,
      creation_mode: 'auto',
      expires_at: '2090-01-01T00:00:00.000Z',
      scopes: ['completions.write'],
    })
    const { text: log } = await send('GET', '/audit-logs?start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z')
    expect(log).toContain('invites.accept')
    for (const secret of [key, tokenOf(made.invite_link)])
      expect(log + scene.world.lines.join('')).not.toContain(secret)
    expectError(await accept(made.invite_link), 'management_not_found')
  })

  test('a link ends with its use, a resend, a cancellation, its time, and whoever invited', async () => {
    const admin = await scene.person({ role: 'admin' })
    const invite = async (email: string, token?: string) =>
      (await send('POST', '/users/invites', { email, role: 'member' }, token)).body
    const resent = await invite('resent@example.com')
    const { body: again } = await send('POST', `/users/invites/${resent.id}/resend`)
    expectError(await accept(resent.invite_link), 'management_not_found')
    const cancelled = await invite('cancelled@example.com')
    expect((await send('DELETE', `/users/invites/${cancelled.id}`)).status).toBe(200)
    expectError(await accept(cancelled.invite_link), 'management_not_found')
    expectError(await send('POST', `/users/invites/${cancelled.id}/resend`), 'management_conflict')
    const orphan = await invite('orphan@example.com', admin.token)
    expect((await send('DELETE', `/users/${admin.id}`)).status).toBe(200)
    expectError(await accept(orphan.invite_link), 'management_not_found')
    expect((await accept(again.invite_link)).status).toBe(200)
    for (const path of ['', '/resend']) {
      const method = path === '' ? 'DELETE' : 'POST'
      expectError(await send(method, `/users/invites/${resent.id}${path}`), 'management_conflict')
    }
    for (const token of ['x', 'a'.repeat(43), 'a'.repeat(128)]) {
      expectError(
        await scene.world.call({ method: 'POST', path: '/invites/accept', body: { token } }),
        'management_not_found',
      )
    }
    const long = await scene.world.call({
      method: 'POST',
      path: '/invites/accept',
      body: { token: 'a'.repeat(1_000_000) },
    })
    expectError(long, 'management_invalid')
  })

  test('give nobody more than whoever invites may give', async () => {
    const { first, second } = scene.world.ours
    const owner = await scene.person({ role: 'owner' })
    const admin = await scene.person({ role: 'admin' })
    const member = await scene.person({ workspaces: [first.id] })
    const scopes = ORGANISATION_SCOPES.filter((scope) => scope.startsWith('organisation_users.'))
    const hr = await createKey(scene.world.db, 'organisation-service', scene.world.ours, scopes)
    const invite = (token: string, more: object) =>
      send('POST', '/users/invites', { email: `${crypto.randomUUID()}@example.com`, role: 'member', ...more }, token)
    for (const [token, more, param] of [
      [admin.token, { role: 'owner' }, 'role'],
      [hr, { role: 'admin' }, 'role'],
      [hr, { workspaces: [{ id: first.id, role: 'manager' }] }, 'workspaces[0].role'],
      [hr, keyed(first.id, 'member', ['logs.view']), 'workspace_api_key_details.scopes'],
      [
        owner.token,
        keyed(first.id, 'member', ['completions.write', 'providers.create']),
        'workspace_api_key_details.scopes[1]',
      ],
    ] as const) {
      const refused = await invite(token, more)
      expectError(refused, 'management_forbidden')
      expect(paramOf(refused)).toBe(param)
    }
    for (const token of [member.token, owner.in(first.id), first.serviceKey, first.userKey]) {
      expectError(await invite(token, {}), 'management_forbidden')
    }
    expect((await invite(hr, {})).status).toBe(200)
    expect((await invite(admin.token, { role: 'admin', workspaces: [{ id: second.id, role: 'admin' }] })).status).toBe(
      200,
    )
    const { body: made } = await invite(owner.token, { role: 'owner' })
    expect((await send('GET', `/users/invites/${made.id}`)).body).toMatchObject({ role: 'owner', invited_by: owner.id })
    // An admin can neither get the link of an owner, nor call it off.
    expectError(await send('POST', `/users/invites/${made.id}/resend`, undefined, admin.token), 'management_forbidden')
    expectError(await send('DELETE', `/users/invites/${made.id}`, undefined, admin.token), 'management_forbidden')
  })

  test('stay in their organisation', async () => {
    const { theirs, ours } = scene.world
    await addPerson(scene.world.db, { organisationId: theirs.organisationId, email: 'both@example.com' })
    const { body: made } = await send('POST', '/users/invites', { email: 'both@example.com', role: 'member' })
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      expectError(
        await send(method, `/users/invites/${made.id}${path}`, undefined, theirs.admin),
        'management_not_found',
      )
    }
    const workspaces = [{ id: theirs.first.id, role: 'member' }]
    const refused = await send('POST', '/users/invites', { email: 'x@example.com', role: 'member', workspaces })
    expectError(refused, 'management_reference')
    expect(paramOf(refused)).toBe('workspaces[0].id')
    expect((await accept(made.invite_link)).body).toMatchObject({ organisation_id: ours.organisationId })
  })

  test('an address is invited once at a time, however many ask at once', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => send('POST', '/users/invites', { email: 'race@example.com', role: 'member' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('the operator hears of each link that is good; people who sign in need more than a link; tries are counted', async () => {
    const told: [string, string][] = []
    const deps = (more: Partial<InvitesDeps['invites']> = {}): InvitesDeps => ({
      now: Date.now,
      invites: {
        publicUrl: () => 'https://weir.example.com/llm',
        news: { tell: ({ email }: Invite, link) => told.push([email, link]) },
        needSignIn: false,
        attempts: createAttempts({ now: () => 0, perMinute: 3 }),
        ...more,
      },
    })
    const call = caller(store(), invitesRoutes(deps()), [], {})
    const post = (email: string) =>
      call({ method: 'POST', path: '/users/invites', body: { email, role: 'member' }, token: scene.world.ours.admin })
    const { body: made } = await post('told@example.com')
    await post('told@example.com')
    await post('not an address')
    expect(told).toEqual([['told@example.com', String(made.invite_link)]])
    expect(made.invite_link).toStartWith('https://weir.example.com/llm/sign-in?invite=')

    const body = { token: tokenOf(made.invite_link) }
    const strict = caller(store(), invitesRoutes(deps({ needSignIn: true })), [], {})
    expectError(await strict({ method: 'POST', path: '/invites/accept', body }), 'management_forbidden')
    const guess = () => call({ method: 'POST', path: '/invites/accept', body: { token: 'guess' } })
    for (let tries = 0; tries < 3; tries++) expectError(await guess(), 'management_not_found')
    const refused = await call({ method: 'POST', path: '/invites/accept', body })
    expectError(refused, 'management_too_many')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

const keyed = (id: string, role: string, scopes: readonly string[]) => ({
  workspaces: [{ id, role }],
  workspace_api_key_details: { scopes },
})
