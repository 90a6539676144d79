import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { keyDefaults } from '#calls/slots'
import { definePlugin, ExpiredApiKey, ScopeMissing, StoreUnavailable, t } from '#kit'
import type { FoundKey, KeyDefaults } from '#kit/plugin'
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const KEY = 'some-gateway-key-0123456789abcdef'
const NOW_MS = 1_700_000_000_000
const asked: string[] = []
const entry = (scopes: readonly string[], expiresAtMs?: number): FoundKey => ({
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set(scopes),
  },
  ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
})
const known: Readonly<Record<string, FoundKey>> = {
  [KEY]: entry(['completions.write']),
  'lists-models': entry(['models.list']),
  'lists-virtual-keys': entry(['virtual_keys.list']),
  'expires-now': entry(['completions.write'], NOW_MS),
  'expires-soon': entry(['completions.write'], NOW_MS + 1),
  'lends-defaults': { ...entry(['models.list']), defaults: { metadata: { team: 'a' }, allowConfigOverride: false } },
}
const away = (): StoreUnavailable => new StoreUnavailable('The database does not answer.', { retryAfterMs: 1000 })
const failures: Readonly<Record<string, () => Error>> = {
  'token-that-expired': () => new ExpiredApiKey('The token has expired.'),
  'token-without-workspace': () => new ScopeMissing('The token names no workspace.'),
  'cannot-be-looked-up': away,
}

/** What the last admitted call was lent. */
let lent: KeyDefaults | undefined
const capture = definePlugin({
  name: 'capture',
  config: t.Object({}),
  placement: { after: 'auth' },
  setup: () => ({
    stages: [
      {
        name: 'capture',
        run(call, next) {
          lent = call.get(keyDefaults)
          return next()
        },
      },
    ],
  }),
})

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', 'capture', { auth: { headerPrefixes: ['x-acme-', 'x-old-'] } }] },
    plugins: [capture],
    keys: {
      find(key) {
        asked.push(key)
        // Asked for in both ways: at once, as for a key that was used lately, and by a promise.
        const [, later] = /^later-(.+)$/.exec(key) ?? []
        const fails = failures[later ?? key]
        if (later === undefined) {
          if (fails !== undefined) throw fails()
          return known[key]
        }
        return fails === undefined ? Promise.resolve(known[later]) : Promise.reject(fails())
      },
    },
    deps: { clock: { now: () => NOW_MS, monotonicMs: () => performance.now() } },
  })
})
afterAll(() => gateway.close())

const models = (headers: Record<string, string>): Promise<Response> => fetch(`${gateway.url}/v1/models`, { headers })
const chat = (headers: Record<string, string>, body = '{}'): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })

test('each route asks for its own scopes', async () => {
  for (const key of [KEY, 'lists-models', 'lists-virtual-keys']) {
    expect([key, (await models({ 'x-gateway-api-key': key })).status]).toEqual([key, 200])
  }
  const refused = await chat({ 'x-gateway-api-key': 'lists-models', 'x-gateway-provider': 'mock' })
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { error: { code: '033', message: 'The gateway key lacks the scope completions.write.' } },
  ])
})

test('a key expires with the very millisecond it names', async () => {
  expect((await models({ 'x-gateway-api-key': 'expires-soon' })).status).toBe(200)
  const expired = await models({ 'x-gateway-api-key': 'expires-now' })
  expect([expired.status, await expired.json()]).toMatchObject([401, { error: { code: '01' } }])
})

describe.each(['at once', 'by a promise'])('found %s', (way) => {
  const named = (key: string): Record<string, string> => ({
    'x-gateway-api-key': way === 'at once' ? key : `later-${key}`,
  })

  test('a key is admitted, expired or without the scope just the same', async () => {
    expect((await models(named(KEY))).status).toBe(200)
    expect((await models(named('nobody'))).status).toBe(401)
    const expired = await models(named('expires-now'))
    expect([expired.status, await expired.json()]).toMatchObject([401, { error: { code: '01' } }])
    expect((await chat({ ...named('lists-models'), 'x-gateway-provider': 'mock' })).status).toBe(403)
  })

  test('a token is refused in the words of the directory', async () => {
    const expired = await models(named('token-that-expired'))
    expect([expired.status, await expired.json()]).toMatchObject([401, { error: { code: '01' } }])
    const homeless = await models(named('token-without-workspace'))
    expect([homeless.status, await homeless.json()]).toMatchObject([
      403,
      { error: { code: '033', message: 'The token names no workspace.' } },
    ])
  })

  test('a key that cannot be looked up is not a wrong one: 503, and when to come back', async () => {
    const response = await models(named('cannot-be-looked-up'))
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'store_unavailable' } }])
    expect(response.headers.get('retry-after-ms')).toBe('1000')
  })
})

test('what the key lends goes to the stages behind; a key that lends nothing lends an empty object', async () => {
  await models({ 'x-gateway-api-key': 'lends-defaults' })
  expect(lent).toEqual({ metadata: { team: 'a' }, allowConfigOverride: false })
  await models({ 'x-gateway-api-key': KEY })
  expect(lent).toEqual({})
})

test('the key is looked up once a call, as it came', async () => {
  asked.length = 0
  await models({ 'x-gateway-api-key': KEY, authorization: 'Bearer provider-key' })
  expect(asked).toEqual([KEY])
})

test('a refusal never repeats the key', async () => {
  const response = await models({ 'x-gateway-api-key': 'unknown-secret-key' })
  expect(response.status).toBe(401)
  expect(await response.text()).not.toContain('unknown-secret-key')
  expect(JSON.stringify(gateway.records)).not.toContain('unknown-secret-key')
})

test('nobody unknown gets a body read', async () => {
  const response = await chat({ 'x-gateway-api-key': 'nobody' }, 'x'.repeat(1024))
  expect(response.status).toBe(401)
  const admitted = await chat({ 'x-gateway-api-key': KEY, 'content-encoding': 'gzip' }, 'x')
  expect(admitted.status).toBe(400)
  expect((await chat({ 'x-gateway-api-key': 'nobody', 'content-encoding': 'gzip' }, 'x')).status).toBe(401)
})

test('the trace id is echoed, also by a refusal', async () => {
  expect((await models({ 'x-gateway-trace-id': 'trace-1' })).headers.get('x-gateway-trace-id')).toBe('trace-1')
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const response = await models({ 'x-gateway-api-key': KEY, traceparent })
  expect(response.headers.get('x-gateway-trace-id')).toBe('0af7651916cd43dd8448eb211c80319c')
})

test('a caller with an alias gets its answer headers under both prefixes', async () => {
  const response = await models({ 'x-acme-api-key': KEY, 'x-acme-provider': 'mock', 'x-acme-trace-id': 'trace-2' })
  expect(response.status).toBe(200)
  for (const prefix of ['x-gateway-', 'x-acme-']) {
    expect(response.headers.get(`${prefix}trace-id`)).toBe('trace-2')
    expect(response.headers.get(`${prefix}provider`)).toBe('mock')
  }
  expect(response.headers.get('x-old-provider')).toBeNull()
  const plain = await models({ 'x-gateway-api-key': KEY })
  expect([...plain.headers.keys()].filter((name) => name.startsWith('x-acme-'))).toEqual([])
})
