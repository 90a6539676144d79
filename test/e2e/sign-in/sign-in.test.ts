import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createInvite } from '../../../src/people/invites.ts'
import { changeUser, holdPeople } from '../../../src/people/users.ts'
import { findFirstOrganisation } from '../../../src/store/objects/tenancy.ts'
import { userRows } from '../../../src/store/objects/users.ts'
import { SLOW_START_MS, until } from '../../../src/store/testing.ts'
import { type RealIssuer, startRealIssuer } from './support/real-issuer.ts'
import { ADMIN_KEY, type Answer, API_KEY, openScene, type Scene, textIn, type Visitor } from './support/scene.ts'

let scene: Scene
/** Of the company: knows its domain, says roles and groups. */
let company: RealIssuer
/** Of the world: anybody may have any address there, and it lets in by invite alone. */
let world: RealIssuer

const CALLBACK = '/v2/sign-in/callback'

beforeAll(async () => {
  scene = await openScene()
  const { url } = scene
  company = await startRealIssuer({
    clientId: 'weir',
    clientSecret: 'the secret of weir at the company',
    redirectUri: `${url}${CALLBACK}/company`,
  })
  world = await startRealIssuer({ clientId: 'weir-public', redirectUri: `${url}${CALLBACK}/world`, inIdToken: true })
  await scene.start({
    issuers: [
      {
        ...{ id: 'company', name: 'The Company', issuer: company.url, clientId: 'weir' },
        clientSecret: 'the secret of weir at the company',
        scopes: ['openid', 'email', 'profile', 'groups'],
        domains: ['acme.example'],
        roles: { claim: 'groups', owner: ['bosses'], admin: ['admins'], otherwise: 'member' },
        workspaces: [{ claim: 'groups', value: 'builders', workspace: 'ws-default', role: 'manager' }],
      },
      { id: 'world', name: 'The <World>', issuer: world.url, clientId: 'weir-public' },
    ],
  })
}, SLOW_START_MS)
afterAll(async () => {
  await Promise.allSettled([company?.close(), world?.close()])
  await scene?.close()
})

const person = (issuer: RealIssuer, id: string, claims: Readonly<Record<string, unknown>> = {}): void => {
  issuer.accounts.set(id, { email: `${id}@acme.example`, email_verified: true, given_name: 'A', ...claims })
}

/** Goes through a whole sign-in. */
const signIn = async (
  issuer: RealIssuer,
  id: string,
  { visitor = scene.visitor(), query = '' }: { readonly visitor?: Visitor; readonly query?: string } = {},
) => {
  issuer.next = id
  const name = issuer === company ? 'company' : 'world'
  const { url, response } = await visitor.browser.go(`${scene.url}/v2/sign-in/start?issuer=${name}${query}`)
  return { visitor, url, status: response?.status, text: (await response?.text()) ?? '' }
}

const signedIn = async (issuer: RealIssuer, id: string, query = ''): Promise<Visitor> => {
  const { visitor, status, text } = await signIn(issuer, id, { query: `${query}&return_to=/v2/session` })
  expect([status, text]).toEqual([200, expect.stringContaining('"object":"session"')])
  return visitor
}

const whoIs = async (visitor: Visitor): Promise<Answer['body']> => (await visitor.call('GET', '/v2/session')).body

const byKey = async (key: string = ADMIN_KEY): Promise<Visitor> => {
  const visitor = scene.visitor()
  const { status } = await visitor.call('POST', '/v2/sign-in/key', { body: { api_key: key } })
  expect(status).toBe(200)
  return visitor
}

describe('the key of the administrator', () => {
  test('signs in, changes things with the token of its session, and signs out everywhere', async () => {
    const visitor = scene.visitor()
    const made = await visitor.call('POST', '/v2/sign-in/key', { body: { api_key: ADMIN_KEY } })
    expect(made.headers.get('set-cookie')).toMatch(
      /^__Host-weir_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(made.headers.get('cache-control')).toBe('no-store')
    const who = await whoIs(visitor)
    expect(who).toMatchObject({
      user: null,
      api_key: { name: 'Administrator', kind: 'organisation-service' },
      csrf_token: made.body.csrf_token,
      workspaces: [{ slug: 'ws-default', role: null }],
      workspace_id: null,
    })
    const body = { name: 'made in a browser' }
    const workspace = await visitor.call('POST', '/v2/workspaces', { body, at: scene.otherUrl })
    expect(workspace.status).toBe(200)
    expect((await visitor.call('POST', '/v2/sign-in/out')).status).toBe(200)
    expect(visitor.browser.cookies(scene.url).size).toBe(0)
    ;(visitor.browser.cookies(scene.url) as Map<string, string>).set('__Host-weir_session', tokenIn(made))
    for (const at of [scene.url, scene.otherUrl]) {
      await until(async () => (await visitor.call('GET', '/v2/session', { at })).status === 401)
    }
  })

  test.each([
    ['of a workspace', API_KEY, 403],
    ['that nobody has', 'x'.repeat(40), 401],
    ['that is none', '', 400],
  ])('a key %s does not', async (_what, key, status) => {
    const answer = await scene.visitor().call('POST', '/v2/sign-in/key', { body: { api_key: key } })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null])
    if (key !== '') expect(answer.text).not.toContain(key)
  })

  test('a session ends with its key', async () => {
    const admin = await byKey()
    const body = { name: 'short-lived', scopes: ['workspaces.list'] }
    const key = await admin.call('POST', '/v2/api-keys/organisation/service', { body })
    const visitor = await byKey(textIn(key, 'key'))
    expect((await visitor.call('GET', '/v2/workspaces')).status).toBe(200)
    expect((await visitor.call('POST', '/v2/workspaces', { body: { name: 'no' } })).status).toBe(403)
    await admin.call('DELETE', `/v2/api-keys/${textIn(key, 'id')}`)
    await until(async () => (await visitor.call('GET', '/v2/workspaces')).status === 401)
  })
})

describe('somebody with a verified address of the company', () => {
  test('is a user by signing in, with what the claims say, at every gateway', async () => {
    person(company, 'ada', { given_name: 'Ada', family_name: 'L', groups: ['builders', 'others'] })
    const { visitor, url } = await signIn(company, 'ada', { query: '&return_to=/v2/session%3Fx=1%23top' })
    expect(url.href).toBe(`${scene.url}/v2/session?x=1#top`)
    const who = await whoIs(visitor)
    expect(who).toMatchObject({
      user: { email: 'ada@acme.example', first_name: 'Ada', last_name: 'L', role: 'member' },
      api_key: null,
      workspaces: [{ slug: 'ws-default', role: 'manager' }],
    })
    expect(who.workspace_id).toBe((who.workspaces as { id: string }[])[0]?.id)
    expect(who.scopes).toContain('virtual_keys.create')
    expect(who.scopes).not.toContain('workspaces.create')
    for (const at of [scene.url, scene.otherUrl]) {
      expect((await visitor.call('GET', '/v2/prompts', { at })).status).toBe(200)
      expect(
        (
          await visitor.call('GET', '/v2/audit-logs?start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z', {
            at,
          })
        ).status,
      ).toBe(403)
    }
    // Once more: the same user, a new session, and the former one of this browser is over.
    const before = new Map(visitor.browser.cookies(scene.url))
    await signIn(company, 'ada', { visitor })
    const again = await whoIs(visitor)
    expect(again.user).toEqual(who.user)
    expect(again.id).not.toBe(who.id)
    const former = scene.visitor()
    for (const [name, value] of before) (former.browser.cookies(scene.url) as Map<string, string>).set(name, value)
    await until(async () => (await former.call('GET', '/v2/session')).status === 401)
  })

  test('is finished by another process than the one that began', async () => {
    person(company, 'bob')
    company.next = 'bob'
    const { browser, call } = scene.visitor()
    const { url } = await browser.go(`${scene.url}/v2/sign-in/start?issuer=company`, ({ pathname }) =>
      pathname.startsWith(CALLBACK),
    )
    for (const [name, value] of browser.cookies(scene.url))
      (browser.cookies(scene.otherUrl) as Map<string, string>).set(name, value)
    const done = await browser.send(`${scene.otherUrl}${url.pathname}${url.search}`)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${scene.url}/console/`])
    const cookies = done.headers.getSetCookie().join('\n')
    expect(cookies).toContain('__Host-weir_sign_in=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0')
    for (const [name, value] of browser.cookies(scene.otherUrl))
      (browser.cookies(scene.url) as Map<string, string>).set(name, value)
    expect((await call('GET', '/v2/session')).body).toMatchObject({ user: { email: 'bob@acme.example' } })
    // Neither the code nor, once it was taken away, the cookie is good again.
    expect((await browser.send(url.href)).status).toBe(403)
    expect((await browser.send(url.href)).status).toBe(400)
  })

  test('follows the claims at each sign-in: roles and workspaces come and go', async () => {
    person(company, 'carl', { groups: ['admins'] })
    const admin = await signedIn(company, 'carl')
    expect(await whoIs(admin)).toMatchObject({ user: { role: 'admin' }, workspace_id: null })
    expect((await admin.call('POST', '/v2/workspaces', { body: { name: 'of carl' } })).status).toBe(200)
    person(company, 'carl', { groups: ['builders'] })
    await signedIn(company, 'carl')
    // The session of before may no more than its holder.
    await until(async () => (await admin.call('POST', '/v2/workspaces', { body: { name: 'too late' } })).status === 403)
    expect(await whoIs(admin)).toMatchObject({ user: { role: 'member' }, workspaces: [{ slug: 'ws-default' }] })
    person(company, 'carl', { groups: [] })
    await signedIn(company, 'carl')
    await until(async () => (await whoIs(admin)).workspace_id === null)
    const lost = await admin.call('GET', '/v2/prompts')
    expect([lost.status, lost.text]).toEqual([403, expect.stringContaining('x-gateway-workspace')])
  })

  test('the last owner stays one whatever the claims say, and the log says so', async () => {
    person(company, 'olga', { groups: ['bosses'] })
    const first = await signedIn(company, 'olga')
    expect(await whoIs(first)).toMatchObject({ user: { role: 'owner' } })
    person(company, 'olga', { groups: [] })
    expect(await whoIs(await signedIn(company, 'olga'))).toMatchObject({ user: { role: 'owner' } })
    expect(scene.lines.join('\n')).toContain('make the last owner something less')
    person(company, 'otto', { groups: ['bosses'] })
    await signedIn(company, 'otto')
    expect(await whoIs(await signedIn(company, 'olga'))).toMatchObject({ user: { role: 'member' } })
  })
})

describe('who is not let in', () => {
  /** @returns what the page says */
  const refused = async (issuer: RealIssuer, id: string, query = ''): Promise<string> => {
    const { visitor, status, text } = await signIn(issuer, id, { query })
    expect([id, status]).toEqual([id, query.includes('no-such') ? 404 : 403])
    expect(text).toStartWith('<!doctype html>')
    expect([...visitor.browser.cookies(scene.url).keys()]).toEqual([])
    return text
  }

  test('whose address is not verified, of another domain, or of an issuer that does not know the domain', async () => {
    person(company, 'unverified', { email_verified: false })
    expect(await refused(company, 'unverified')).toContain('has verified an address')
    person(company, 'silent', { email_verified: undefined })
    expect(await refused(company, 'silent')).toContain('has verified an address')
    person(company, 'stranger', { email: 'stranger@sub.acme.example' })
    expect(await refused(company, 'stranger')).toContain('by invite alone')
    person(world, 'ada-of-the-world', { email: 'ada@acme.example' })
    expect(await refused(world, 'ada-of-the-world')).toContain('The &lt;World&gt; lets in by invite alone')
    company.next = undefined
    const { response } = await scene.visitor().browser.go(`${scene.url}/v2/sign-in/start?issuer=company`)
    expect([response?.status, await response?.text()]).toEqual([403, expect.stringContaining('called off')])
  })

  test('who has the address that somebody else at the issuer had before', async () => {
    person(company, 'former', { email: 'shared@acme.example' })
    await signedIn(company, 'former')
    person(company, 'later', { email: 'shared@acme.example' })
    expect(await refused(company, 'later')).toContain('Somebody else at The Company')
    // The former keeps their place under a new address, as the issuer knows them by another name.
    person(company, 'former', { email: 'renamed@acme.example' })
    expect(await whoIs(await signedIn(company, 'former'))).toMatchObject({ user: { email: 'shared@acme.example' } })
  })

  test('who comes by an invite for somebody else, that was used, or that never was; its own address comes in once', async () => {
    const { id: organisationId } = await organisation()
    const { token } = await scene.store.db.transaction((transaction) =>
      createInvite(
        transaction,
        { organisationId, email: 'guest@elsewhere.example', role: 'admin', workspaces: [], invitedBy: 'a test' },
        Date.now(),
      ),
    )
    person(world, 'thief', { email: 'thief@elsewhere.example' })
    expect(await refused(world, 'thief', `&invite=${token}`)).toContain('for another address')
    person(world, 'guest', { email: 'Guest@Elsewhere.example', email_verified: false })
    expect(await refused(world, 'guest', `&invite=${token}`)).toContain('has verified an address')
    person(world, 'guest', { email: 'Guest@Elsewhere.example' })
    expect(await refused(world, 'guest', '&invite=no-such-invite')).toContain('does not work')
    const guest = await signedIn(world, 'guest', `&invite=${token}`)
    expect(await whoIs(guest)).toMatchObject({ user: { email: 'guest@elsewhere.example', role: 'admin' } })
    // An old link is no reason to keep somebody out who is known.
    expect(await whoIs(await signedIn(world, 'guest', `&invite=${token}`))).toMatchObject({ user: { role: 'admin' } })
  })

  test('who was deactivated: their sessions are over everywhere, and stay so when they are back', async () => {
    person(company, 'dora')
    const dora = await signedIn(company, 'dora')
    expect((await dora.call('GET', '/v2/session', { at: scene.otherUrl })).status).toBe(200)
    const change = (status: 'active' | 'inactive') =>
      scene.store.db.transaction(async (transaction) => {
        const { id: organisationId } = await organisation()
        await holdPeople(transaction, organisationId)
        const user = await userRows.find(transaction, { organisationId, reference: 'dora@acme.example' })
        if (user !== undefined) await changeUser(transaction, user, { status })
      })
    await change('inactive')
    for (const at of [scene.url, scene.otherUrl]) {
      await until(async () => (await dora.call('GET', '/v2/session', { at })).status === 401)
    }
    expect(await refused(company, 'dora')).toContain('inactive')
    await change('active')
    await signedIn(company, 'dora')
    expect((await dora.call('GET', '/v2/session')).status).toBe(401)
  })
})

describe('sessions', () => {
  test('are listed and ended by their owner, and by who may change people; on every gateway', async () => {
    person(company, 'eve')
    const [here, there, third] = [
      await signedIn(company, 'eve'),
      await signedIn(company, 'eve'),
      await signedIn(company, 'eve'),
    ]
    const { body } = await here.call('GET', '/v2/sessions')
    const current = (await whoIs(here)).id
    expect(body).toMatchObject({ object: 'list', total: 3 })
    const listed = body.data as { id: string; user_id: string; is_current: boolean }[]
    expect(listed.filter((each) => each.is_current).map(({ id }) => id)).toEqual([String(current)])
    expect(listed[0]).toMatchObject({ issuer: company.url, api_key_id: null, address: expect.any(String) })
    expect(JSON.stringify(body)).not.toContain('oken')

    const [mine] = [String((await whoIs(there)).id)]
    expect((await here.call('DELETE', `/v2/sessions/${mine}`, { at: scene.otherUrl })).status).toBe(200)
    for (const at of [scene.url, scene.otherUrl]) {
      await until(async () => (await there.call('GET', '/v2/session', { at })).status === 401)
    }
    expect((await here.call('DELETE', '/v2/sessions')).body).toEqual({ ended: 1 })
    await until(async () => (await third.call('GET', '/v2/session')).status === 401)
    expect(await whoIs(here)).toMatchObject({ id: current })

    person(company, 'nosy')
    const nosy = await signedIn(company, 'nosy')
    const userId = listed[0]?.user_id
    expect((await nosy.call('GET', `/v2/sessions?user_id=${userId}`)).status).toBe(403)
    expect((await nosy.call('DELETE', `/v2/sessions/${current}`)).status).toBe(404)
    const admin = await byKey()
    expect((await admin.call('GET', `/v2/sessions?user_id=${userId}`)).body).toMatchObject({ total: 1 })
    expect((await admin.call('DELETE', `/v2/sessions/${current}`)).status).toBe(200)
    await until(async () => (await here.call('GET', '/v2/session')).status === 401)
  })

  test('change nothing for a page of another site, and nothing without their token', async () => {
    const admin = await byKey()
    const other = await byKey()
    const body = { name: 'forged' }
    const attempts = [
      { csrf: false },
      { csrf: false, headers: { 'x-gateway-csrf': '' } },
      { csrf: false, headers: { 'x-gateway-csrf': 'x'.repeat(43) } },
      { csrf: false, headers: { 'x-gateway-csrf': String((await whoIs(other)).csrf_token) } },
      { headers: { origin: 'https://evil.example' } },
      { headers: { origin: 'null' } },
      { headers: { origin: scene.otherUrl } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
    ]
    for (const attempt of attempts) {
      const answer = await admin.call('POST', '/v2/workspaces', { body, ...attempt })
      expect([attempt, answer.status]).toEqual([attempt, 403])
      expect(answer.text).toMatch(/x-gateway-csrf|server\.publicUrl/)
    }
    for (const path of ['/v2/sign-in/out', '/v2/sign-in/key']) {
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const answer = await admin.call('POST', path, { body: { api_key: ADMIN_KEY }, headers })
        expect([path, answer.status, answer.headers.get('set-cookie')]).toEqual([path, 403, null])
      }
    }
    const plain = await admin.call('POST', '/v2/sign-in/key', {
      body: { api_key: ADMIN_KEY },
      headers: { 'content-type': 'text/plain' },
    })
    expect(plain.status).toBe(400)
    const own = { origin: scene.url, 'sec-fetch-site': 'same-origin' }
    expect((await admin.call('POST', '/v2/workspaces', { body, headers: own })).status).toBe(200)
    // A token beside it wins, and a bad one is not made good by a cookie.
    const bearer = (token: string) => admin.call('GET', '/v2/workspaces', { headers: { authorization: token } })
    expect((await bearer(`Bearer ${'x'.repeat(40)}`)).status).toBe(401)
    expect((await bearer('Digest x')).status).toBe(401)
    expect((await bearer(`Bearer ${API_KEY}`)).status).toBe(403)
  })

  test('are in the audit log, with who it was', async () => {
    person(company, 'finn', { groups: ['admins'] })
    const finn = await signedIn(company, 'finn')
    await finn.call('POST', '/v2/workspaces', { body: { name: 'of finn' } })
    await finn.call('POST', '/v2/sign-in/out')
    const admin = await byKey()
    const times = 'start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z'
    const { body } = await admin.call('GET', `/v2/audit-logs?${times}&user_type=user&page_size=100`)
    const rows = (body.records as { user_name: string; action: string; user_type: string; user_id: string }[])
      .filter(({ user_name: name }) => name === 'finn@acme.example')
      .map(({ action }) => action)
    expect(rows).toEqual(['sessions.delete', 'workspaces.create', 'sessions.create', 'organisation_users.create'])
  })
})

const organisation = async () => {
  const found = await findFirstOrganisation(scene.store.db)
  if (found === undefined) throw new Error('there is no organisation')
  return found
}

const tokenIn = ({ headers }: Answer): string =>
  /__Host-weir_session=([\w-]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
