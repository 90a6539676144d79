import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { type Browser, openBrowser } from '../sign-in/support/browser.ts'
import { type RealIssuer, startRealIssuer } from '../sign-in/support/real-issuer.ts'
import { type App, answer, createApp, REDIRECT_URI, visit } from './support/app.ts'
import { type House, openHouse } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let house: House
let issuer: RealIssuer
/** Publishes documents about apps. */
let publisher: ReturnType<typeof Bun.serve>
let published: Record<string, unknown> = {}
let toolsId: string

beforeAll(async () => {
  tools = startToolServer()
  publisher = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(published) })
  house = await openHouse([tools.host, `127.0.0.1:${publisher.port}`], async (url) => {
    issuer = await startRealIssuer({ clientId: 'weir', redirectUri: `${url}/v2/sign-in/callback/company` })
    return {
      egress: { trustedHosts: [new URL(issuer.url).host] },
      signIn: {
        issuers: [
          {
            ...{ id: 'company', name: 'The Company', issuer: issuer.url, clientId: 'weir' },
            scopes: ['openid', 'email', 'profile', 'groups'],
            domains: ['acme.example'],
            roles: { claim: 'groups', admin: ['admins'], otherwise: 'member' },
            workspaces: [{ claim: 'groups', value: 'builders', workspace: 'ws-default', role: 'member' }],
          },
        ],
      },
    }
  })
  toolsId = await house.addServer('tools', tools.url)
  await house.addServer('others', tools.url)
})
afterAll(async () => {
  await house?.close()
  await issuer?.close()
  await tools?.close()
  await publisher?.stop(true)
})

/** Somebody of the workspace who has not signed in yet. */
const somebody = (id: string, groups: readonly string[] = ['builders']): Browser => {
  issuer.accounts.set(id, { email: `${id}@acme.example`, email_verified: true, given_name: 'A', groups })
  issuer.next = id
  return openBrowser()
}

const addressOf = (server: string): string => `${house.url}/mcp/${server}/mcp`

/** Lets an app do all that it has to until a person has allowed it. */
const letIn = async (app: App, browser: Browser): Promise<void> => {
  await expect(app.connect()).rejects.toBeInstanceOf(UnauthorizedError)
  const page = await visit(browser, app.asked ?? new URL(house.url))
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('wants to use')])
  const { told } = await answer(browser, house.url, { ...page.fields, answer: 'allow' })
  expect(told.get('iss')).toBe(house.url)
  await app.finish(told.get('code') ?? '')
}

const tokenRequest = (fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${house.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })

const refreshOf = (app: App, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  tokenRequest({
    grant_type: 'refresh_token',
    client_id: app.information?.client_id ?? '',
    refresh_token: app.tokens?.refresh_token ?? '',
    ...more,
  })

/** What a call with the app's token comes to. */
const statusWith = async (token: string | undefined, server = 'tools'): Promise<number> => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  return (await house.post(server, ping, { authorization: `Bearer ${token}` })).status
}

test('an app that knows an address alone signs its person in, and calls what the person may use', async () => {
  const app = createApp(addressOf('tools'))
  const browser = somebody('ann')
  await letIn(app, browser)
  const client = await app.connect()
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  const called = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
  expect(JSON.stringify(called)).toContain('hello')
  await client.close()
  // What the server behind sees is none of it.
  expect(JSON.stringify([...tools.last().headers])).not.toContain(String(app.tokens?.access_token))

  // A second app of the same person: signed in already, asked all the same.
  const second = createApp(`${house.url}/mcp`)
  await letIn(second, browser)
  const all = await second.connect()
  expect((await all.listTools()).tools.map(({ name }) => name)).toContain('tools__echo')
  await all.close()
})

test('the page says who asks, for what and whose, and lets no script run and nobody frame it', async () => {
  const app = createApp(addressOf('tools'))
  await app.connect().catch(() => undefined)
  const page = await visit(somebody('bea'), app.asked ?? new URL(house.url))
  expect(page.text).toContain('An &lt;app&gt;')
  expect(page.text).not.toContain('<app>')
  expect(page.text).toContain('bea@acme.example')
  expect(page.text).toContain('“tools”')
  expect(page.text).toContain('127.0.0.1:9')
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'self' http://127.0.0.1:9; frame-ancestors 'none'",
  )
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('referrer-policy')).toBe('same-origin')
})

test('who says no, the app is told; nothing was given', async () => {
  const app = createApp(addressOf('tools'))
  const browser = somebody('ben')
  await app.connect().catch(() => undefined)
  const page = await visit(browser, app.asked ?? new URL(house.url))
  const { told } = await answer(browser, house.url, { ...page.fields, answer: 'deny' })
  expect([told.get('error'), told.get('code'), told.get('state')]).toEqual([
    'access_denied',
    null,
    app.asked?.searchParams.get('state') ?? null,
  ])
})

describe('a token', () => {
  test('is good for the server it was asked for, and for nothing else', async () => {
    const app = createApp(addressOf('tools'))
    await letIn(app, somebody('cleo'))
    const token = app.tokens?.access_token
    expect(await statusWith(token)).toBe(200)
    expect(await statusWith(token, 'others')).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    for (const path of ['/mcp', '/v1/mcp/tools/mcp', '/m/tools/mcp', '/ws-default/mcp/tools/mcp']) {
      const init = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }
      expect([path, (await fetch(`${house.url}${path}`, init)).status]).toEqual([path, 401])
    }
    const chat = { method: 'POST', headers, body: '{"model":"@mock/mock","messages":[]}' }
    expect((await fetch(`${house.url}/v1/chat/completions`, chat)).status).toBe(401)
    for (const path of ['/v2/session', '/v2/mcp-servers', '/v2/sessions']) {
      expect([path, (await fetch(`${house.url}${path}`, { headers })).status]).toEqual([path, 401])
    }
  })

  test('ends with what its person may do: their access, their place, themselves', async () => {
    const app = createApp(addressOf('tools'))
    await letIn(app, somebody('dan'))
    const users = (await house.manage('GET', '/admin/users?email=dan@acme.example')) as { data: { id: string }[] }
    const userId = users.data[0]?.id ?? ''
    const access = (enabled: boolean) => ({ user_access: [{ user_id: userId, enabled }] })
    await house.manage('PUT', `/mcp-servers/${toolsId}/user-access`, access(false))
    await house.eventually(async () => (await statusWith(app.tokens?.access_token)) === 403)
    await house.manage('PUT', `/mcp-servers/${toolsId}/user-access`, access(true))
    await house.eventually(async () => (await statusWith(app.tokens?.access_token)) === 200)
    await house.manage('DELETE', `/admin/users/${userId}`)
    const removedMs = performance.now()
    await house.eventually(async () => (await statusWith(app.tokens?.access_token)) === 401)
    expect(performance.now() - removedMs).toBeLessThan(5_000)
    expect(await (await refreshOf(app)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('is refreshed, each refresh token once: a second use ends everything', async () => {
    const app = createApp(addressOf('tools'))
    await letIn(app, somebody('eve'))
    const first = await refreshOf(app)
    expect(first.status).toBe(200)
    const next = (await first.json()) as { access_token: string; refresh_token: string }
    expect(await statusWith(next.access_token)).toBe(200)
    const again = await refreshOf(app)
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await refreshOf(app, { refresh_token: next.refresh_token })).status).toBe(400)
    await house.eventually(async () => (await statusWith(next.access_token)) === 401)
  })

  test('is given back', async () => {
    const app = createApp(addressOf('tools'))
    await letIn(app, somebody('fay'))
    const token = app.tokens?.access_token ?? ''
    const revoked = await fetch(`${house.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
    expect(revoked.status).toBe(200)
    await house.eventually(async () => (await statusWith(token)) === 401)
    expect((await refreshOf(app)).status).toBe(400)
  })
})

test('a code is good once, for its app, with what the app began with', async () => {
  const app = createApp(addressOf('tools'))
  const browser = somebody('gil')
  await app.connect().catch(() => undefined)
  const page = await visit(browser, app.asked ?? new URL(house.url))
  const { told } = await answer(browser, house.url, { ...page.fields, answer: 'allow' })
  const right = {
    grant_type: 'authorization_code',
    code: told.get('code') ?? '',
    client_id: app.information?.client_id ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: 'x'.repeat(43),
  }
  const refused = async (fields: Readonly<Record<string, string>>): Promise<unknown> => {
    const response = await tokenRequest(fields)
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  expect(await refused(right)).toEqual([400, 'invalid_grant'])
  expect(await refused({ ...right, client_id: 'another' })).toEqual([400, 'invalid_grant'])
  expect(await refused({ ...right, redirect_uri: 'http://127.0.0.1:8/callback' })).toEqual([400, 'invalid_grant'])
  const { code_verifier: _, ...without } = right
  expect(await refused(without)).toEqual([400, 'invalid_request'])
  await app.finish(right.code)
  expect(await statusWith(app.tokens?.access_token)).toBe(200)
  await expect(app.finish(right.code)).rejects.toThrow()
  await house.eventually(async () => (await statusWith(app.tokens?.access_token)) === 401)
})

test('an app may be known by a document at its address', async () => {
  const id = `http://127.0.0.1:${publisher.port}/app.json`
  published = { client_id: id, client_name: 'A published app', redirect_uris: [REDIRECT_URI] }
  const app = createApp(addressOf('tools'), undefined)
  app.information = { client_id: id }
  const browser = somebody('hal')
  await app.connect().catch(() => undefined)
  const page = await visit(browser, app.asked ?? new URL(house.url))
  expect(page.text).toContain(`described by a document at 127.0.0.1:${publisher.port}`)
  const { told } = await answer(browser, house.url, { ...page.fields, answer: 'allow' })
  await app.finish(told.get('code') ?? '')
  expect(await statusWith(app.tokens?.access_token)).toBe(200)
})

describe('what cannot be', () => {
  let browser: Browser
  let asked: URL
  beforeAll(async () => {
    browser = somebody('ida')
    const app = createApp(addressOf('tools'))
    await app.connect().catch(() => undefined)
    asked = app.asked ?? new URL(house.url)
    await visit(browser, asked)
  })
  const changed = (changes: Readonly<Record<string, string | undefined>>): URL => {
    const url = new URL(asked)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return url
  }

  test.each([
    ['no app', { client_id: undefined }],
    ['an app that is not registered', { client_id: 'v1.1.abc.def' }],
    ['an address that is not the app’s', { redirect_uri: 'https://evil.example/' }],
    ['the address with another path', { redirect_uri: 'http://127.0.0.1:9/other' }],
    ['a document inside the network', { client_id: 'https://169.254.169.254/latest/meta-data' }],
    ['a document that is about another', { client_id: 'http://127.0.0.1:1/app.json' }],
  ])('%s: the browser stays here', async (_what, changes) => {
    const response = await browser.send(changed(changes).href, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await response.text()).not.toContain('evil.example')
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_target', { resource: undefined }],
    ['invalid_target', { resource: 'https://another.example/mcp' }],
    ['invalid_target', { resource: 'PATH /v2/api-keys' }],
    ['invalid_scope', { scope: 'api_keys.create' }],
  ])('%s, the app is told: %o', async (error, changes) => {
    const known = Object.entries<string | undefined>(changes).map(([name, value]) => [
      name,
      value?.startsWith('PATH ') ? `${house.url}${value.slice(5)}` : value,
    ])
    const response = await browser.send(changed(Object.fromEntries(known)).href)
    const location = new URL(response.headers.get('location') ?? house.url)
    expect([location.port, location.searchParams.get('error')]).toEqual(['9', error])
  })

  test('an answer from elsewhere, of another session, or about something else is none', async () => {
    const page = await visit(browser, asked)
    const refused = async (who: Browser, fields: Readonly<Record<string, string>>, origin = house.url) =>
      (await answer(who, origin, { ...page.fields, answer: 'allow', ...fields })).response.status
    const other = somebody('jon')
    await visit(other, asked)
    expect(await refused(other, {})).toBe(400)
    expect(await refused(openBrowser(), {})).toBe(400)
    expect(await refused(browser, { csrf_token: 'x' })).toBe(400)
    expect(await refused(browser, { asked: 'x' })).toBe(400)
    expect(await refused(browser, { workspace: crypto.randomUUID() })).toBe(400)
    const foreign = await browser.send(`${house.url}/oauth/authorize`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...page.fields, answer: 'allow' }).toString(),
    })
    expect(foreign.status).toBe(403)
  })

  test('who is in no workspace that has the server is told so', async () => {
    const page = await visit(somebody('kim', []), asked)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('kim@acme.example')])
  })

  test.each([
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://example.com/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://example.com/#part'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://user@example.com/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [`https://example.com/${'x'.repeat(1000)}`] }, 'invalid_client_metadata'],
    [{ redirect_uris: ['https://example.com/'], client_name: 7 }, 'invalid_client_metadata'],
  ])('an app %j', async (metadata, error) => {
    const response = await fetch(`${house.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test-address': crypto.randomUUID() },
      body: JSON.stringify(metadata),
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error }])
  })
})

test('every address of a server says where a token can be had; other calls are as they were', async () => {
  for (const path of ['/mcp/tools/mcp', '/mcp', '/v1/mcp/tools/mcp', '/m/tools/mcp', '/ws-default/mcp']) {
    const { status, headers } = await fetch(`${house.url}${path}`, { method: 'POST', body: '{}' })
    const challenge = headers.get('www-authenticate') ?? ''
    expect([status, challenge]).toEqual([401, expect.not.stringContaining('invalid_token')])
    const [, at = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const about = (await (await fetch(at)).json()) as { resource: string; authorization_servers: string[] }
    expect(about.resource).toBe(`${house.url}${path}`)
    const server = await fetch(`${about.authorization_servers[0]}/.well-known/oauth-authorization-server`)
    expect(await server.json()).toMatchObject({ issuer: house.url, code_challenge_methods_supported: ['S256'] })
  }
  const wrong = await house.post('tools', { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: 'Bearer no' })
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
  const chat = await fetch(`${house.url}/v1/chat/completions`, { method: 'POST', body: '{}' })
  expect([chat.status, chat.headers.get('www-authenticate')]).toEqual([401, null])
  expect((await fetch(`${house.url}/.well-known/oauth-protected-resource/v1/models`)).status).toBe(404)
})

test('from an address alone to a policy: signed in, its own tools, ten calls a minute, and all of it in the records', async () => {
  await house.addServer('governed', tools.url)
  await house.manage('POST', '/mcp-integrations/governed/sync')
  await house.manage('PUT', '/mcp-servers/governed/capabilities', {
    capabilities: [{ name: 'say', type: 'tool', enabled: false }],
  })
  await house.manage('POST', '/policies/rate-limits', {
    ...{ name: 'ten a minute', target: 'mcp_tools', type: 'requests', unit: 'rpm', value: 10 },
    conditions: [{ key: 'mcp_server', value: 'governed' }],
    group_by: [{ key: 'metadata._user' }],
  })
  const app = createApp(addressOf('governed'))
  await letIn(app, somebody('lea'))
  const client = await app.connect()
  await house.eventually(async () => (await client.listTools()).tools.every(({ name }) => name === 'echo'))

  const echo = () => client.callTool({ name: 'echo', arguments: { text: 'counted' } })
  let refused: unknown
  let passed = 0
  // The policy may be known a moment later than it was made; from then on there are ten.
  await house.eventually(async () => {
    for (let call = 0; call < 11 && refused === undefined; call++) {
      await echo().then(
        () => passed++,
        (thrown: unknown) => {
          refused = thrown
        },
      )
    }
    return refused !== undefined
  })
  expect(passed).toBeGreaterThanOrEqual(10)
  expect(String(refused)).toMatch(/"retry_after_ms":\d+/)
  const hidden = client.callTool({ name: 'say', arguments: { words: 'a' } })
  expect(await hidden.catch(String)).toContain('-32602')
  await client.close()

  // Another person has ten of their own.
  const other = createApp(addressOf('governed'))
  await letIn(other, somebody('max'))
  const ofOther = await other.connect()
  expect(JSON.stringify(await ofOther.callTool({ name: 'echo', arguments: { text: 'mine' } }))).toContain('mine')
  await ofOther.close()

  await house.eventually(async () => {
    const { data } = await house.manage('GET', '/logs?endpoint=mcp-messages&provider=governed&model=echo&limit=50')
    return (data as readonly object[]).length === passed + 2
  })
})
