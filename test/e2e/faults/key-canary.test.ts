import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FoundKey } from '../../../src/kit/plugin.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../../src/store/scopes.ts'
import type { RouteSample } from '../../support/route-samples.ts'
import { callsOf, type EgressWorld, startEgressWorld } from './support/egress-world.ts'

const weirKey = (id: string): string => `weir_${id.padEnd(12, '0')}_${id.repeat(43).slice(0, 43)}`

/** A key of our form, one that the operator chose, and one of another tenant, which no call here may use. */
const KEYS = { own: weirKey('Own1'), chosen: 'a-key-that-the-operator-chose-0123456789' } as const
const FOREIGN = weirKey('Foreign')

const FOUND: FoundKey = {
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set(WORKSPACE_SERVICE_SCOPES),
  },
}

let world: EgressWorld
beforeAll(async () => {
  world = await startEgressWorld({
    deps: { keys: { find: (key) => (Object.values<string>(KEYS).includes(key) ? FOUND : undefined) } },
  })
})
afterAll(() => world.close())

/** How a key can stand in a value. */
const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  alone: (key) => key,
  'with a scheme': (key) => `Bearer ${key}`,
  'with two schemes': (key) => `Bearer Bearer ${key}`,
  doubled: (key) => `${key}${key}`,
  'twice in a list': (key) => `${key}, ${key}`,
  'behind a name': (key) => `key=${key}; path=/`,
  'as a user': (key) => `Basic ${btoa(`${key}:`)}`,
  'as a password': (key) => `Basic ${btoa(`user:${key}`)}`,
  'in Base64': (key) => btoa(`xy${key}`),
}

const HEADERS = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'cookie',
  'user-agent',
  'referer',
  'x-request-id',
  'x-forwarded-authorization',
  'x-gateway-azure-ad-token',
  'x-gateway-custom-header',
  'traceparent',
  'baggage',
  'sec-websocket-protocol',
  'openai-organization',
  'x-tenant',
] as const

/** All of the head that the provider got last, and what it decodes to. */
const lastHead = (): string => {
  const arrived = world.provider.requests.at(-1)
  const head = [arrived?.path ?? '', ...(arrived?.rawHeaders ?? [])]
  const decoded = head.flatMap((text) => [
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25')),
    ...[...text.matchAll(/[\w+/-]{40,}/g)].flatMap(([run]) =>
      [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
    ),
  ])
  return [...head, ...decoded].join('\n')
}

const leaks: string[] = []
/** Asks, and notes what the provider saw of any key. */
const ask = async (sample: RouteSample, headers: Readonly<Record<string, string>>, where: string): Promise<number> => {
  const before = world.provider.counters.received
  const { method, path, body = '' } = sample
  const { status } = await world.gateway.gateway.handle(
    new Request(`http://gateway.test${path}`, {
      method,
      headers: { 'x-gateway-provider': 'probe', ...headers },
      ...(body === '' ? {} : { body }),
    }),
  )
  if (world.provider.counters.received === before) return status
  const head = lastHead()
  for (const key of [...Object.values(KEYS), FOREIGN]) if (head.includes(key)) leaks.push(`${sample.path}: ${where}`)
  return status
}

describe('a gateway key never reaches a provider', () => {
  test('in any header, in any spelling, on any route, whoever it belongs to', async () => {
    for (const sample of callsOf(world)) {
      for (const gatewayKey of Object.values(KEYS)) {
        for (const name of HEADERS) {
          for (const [how, spelt] of Object.entries(SPELLINGS)) {
            for (const canary of [gatewayKey, FOREIGN]) {
              const headers = { 'x-gateway-api-key': gatewayKey, [name]: spelt(canary) }
              await ask(sample, headers, `${name}, ${how}`)
              if (name === 'x-tenant') {
                await ask(sample, { ...headers, 'x-gateway-forward-headers': name }, `${name} forwarded, ${how}`)
              }
            }
          }
        }
      }
    }
    expect(leaks.splice(0)).toEqual([])
  }, 240_000)

  test('in the query, the path, the model or the host', async () => {
    const chat = callsOf(world).find(({ path }) => path === '/v1/chat/completions')
    if (chat === undefined) throw new Error('there is no chat')
    const encoded = (key: string): string => `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`
    for (const [gatewayKey, canary] of [
      [KEYS.own, KEYS.own],
      [KEYS.own, FOREIGN],
      [KEYS.chosen, KEYS.chosen],
      [KEYS.chosen, FOREIGN],
    ] as const) {
      const named = { 'x-gateway-api-key': gatewayKey }
      for (const text of [canary, encoded(canary), encodeURIComponent(btoa(canary))]) {
        for (const path of [`/v1/things?key=${text}`, `/v1/things?a=1&b=${text}`, `/v1/things/${text}`]) {
          await ask({ ...chat, method: 'GET', path, body: '' }, named, path)
        }
      }
      const host = `http://127.0.0.1:${world.provider.port}/${canary}`
      expect(await ask(chat, { ...named, 'x-gateway-custom-host': host }, 'host')).toBe(400)
      const config = JSON.stringify({ provider: 'probe', api_key: canary })
      expect(await ask(chat, { ...named, 'x-gateway-provider': '', 'x-gateway-config': config }, 'config')).toBe(400)
    }
    expect(leaks.splice(0)).toEqual([])
  })

  test('and the query keeps what is no key', async () => {
    const sample = callsOf(world).find(({ path, method }) => path === '/v1/things' && method === 'GET')
    if (sample === undefined) throw new Error('there is no sample that passes through')
    for (const [query, passed] of [
      [`?a=%2F&key=${KEYS.own}&b=c+d`, '?a=%2F&b=c+d'],
      [`?key=${KEYS.own}`, ''],
      ['?key=other&x', '?key=other&x'],
    ]) {
      await ask({ ...sample, path: `/v1/things${query}` }, { 'x-gateway-api-key': KEYS.own }, 'query')
      expect(world.provider.requests.at(-1)?.path).toBe(`/inner/v1/things${passed}`)
    }
  })
})

describe('the gateway key alone, where a client puts its one key', () => {
  test.each(Object.entries(KEYS))('is found in every place: %s', async (_name, key) => {
    const sample = callsOf(world).find(({ path }) => path === '/v1/chat/completions')
    if (sample === undefined) throw new Error('there is no chat')
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { 'api-key': key },
      { 'x-goog-api-key': key },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${key}` },
      // The provider's key comes first, and is not known.
      { authorization: 'Bearer sk-provider-key', 'x-api-key': key },
      { 'x-api-key': 'sk-provider-key-0123456789-0123456789', 'x-goog-api-key': key },
    ]) {
      expect([headers, await ask(sample, headers, 'alone')]).toEqual([headers, 200])
    }
    expect(await ask({ ...sample, path: `${sample.path}?key=${key}` }, {}, 'query')).toBe(200)
    expect(await ask(sample, { 'x-api-key': `${key}x` }, 'wrong')).toBe(401)
    expect(leaks.splice(0)).toEqual([])
  })
})
