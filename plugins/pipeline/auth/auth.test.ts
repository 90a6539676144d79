import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { KeyDirectory } from '#kit'
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const KEY = 'some-gateway-key-0123456789abcdef'
const NOW_MS = 1_700_000_000_000
const asked: string[] = []
const entry = (scopes: readonly string[], expiresAtMs?: number): NonNullable<ReturnType<KeyDirectory['find']>> => ({
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
const known: Readonly<Record<string, ReturnType<KeyDirectory['find']>>> = {
  [KEY]: entry(['completions.write']),
  'lists-models': entry(['models.list']),
  'lists-virtual-keys': entry(['virtual_keys.list']),
  'expires-now': entry(['completions.write'], NOW_MS),
  'expires-soon': entry(['completions.write'], NOW_MS + 1),
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', { auth: { headerPrefixes: ['x-acme-', 'x-old-'] } }] },
    keys: {
      find(key) {
        asked.push(key)
        return known[key]
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
