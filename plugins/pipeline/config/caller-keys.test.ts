import { afterAll, describe, expect, test } from 'bun:test'
import type { StoredConfig } from '#core/ports'
import { definePlugin, openaiCompatible, t } from '#kit'
import type { StoredProvider } from '#kit/plugin'
import { callConfig, type Target } from '#kit/slots'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const POLICIES = [undefined, 'prefer', 'fallback', 'never'] as const
type Policy = (typeof POLICIES)[number]

const OPERATOR = 'sk-operator'
const SAVED = 'sk-saved'
const STORED = 'sk-stored'
const BROUGHT = 'sk-brought'
const PLACEHOLDER = 'OPENAI_API_KEY'

const CONFIG: StoredConfig = {
  id: 'config-1',
  slug: 'pc-saved-000001',
  versionId: 'version-1',
  config: { provider: 'operated', api_key: SAVED },
}
const TARGET: StoredProvider = {
  slug: 'team',
  providerId: 'operated',
  apiKey: STORED,
  allows: () => true,
  forModel: () => ({ settings: {}, headers: {} }),
}

/** What the last call was bound to; it ends there. */
let bound: Target | undefined
const capture = definePlugin({
  name: 'capture',
  config: t.Object({}),
  placement: { after: 'config' },
  setup: () => ({
    stages: [
      {
        name: 'capture',
        run(call) {
          bound = call.get(callConfig).only
          return Promise.resolve({ status: 200, headers: new Headers(), body: new Uint8Array(0) })
        },
      },
    ],
    providers: [
      openaiCompatible({
        id: 'operated',
        baseURL: 'https://api.operated.example/v1',
        apiKey: OPERATOR,
        settings: { acme_token: 'acme-token', acme_region: 'acme-region' },
      }),
      openaiCompatible({ id: 'keyless', baseURL: 'https://api.keyless.example/v1' }),
    ],
  }),
})

const gateways = new Map<Policy, Promise<TestGateway>>()
const gatewayWith = (callerKeys: Policy): Promise<TestGateway> => {
  const known = gateways.get(callerKeys)
  if (known !== undefined) return known
  const started = startTestGateway({
    plugins: [capture],
    config: { plugins: ['defaults', 'capture', { auth: callerKeys === undefined ? {} : { callerKeys } }] },
    deps: {
      stored: { find: (_workspace, slug) => (slug === 'team' ? TARGET : undefined), models: () => [] },
      configs: { find: (_workspace, slug) => (slug === CONFIG.slug ? CONFIG : undefined), defaultOf: () => undefined },
    },
  })
  gateways.set(callerKeys, started)
  return started
}
afterAll(async () => {
  for (const gateway of gateways.values()) await (await gateway).close()
})

type Fields = Readonly<Record<string, string>>

/** The key that a call is bound to: 'none', or the status of its refusal. */
const keyOf = async (policy: Policy, headers: Fields): Promise<string | number> => {
  bound = undefined
  const { gateway } = await gatewayWith(policy)
  const { status } = await gateway.handle(
    new Request('http://gateway.test/v1/chat/completions', {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, ...headers },
      body: '{"model":"m","messages":[{"role":"user","content":"x"}]}',
    }),
  )
  if (bound === undefined) return status
  const { apiKey, customHost, provider }: Target = bound
  return apiKey ?? (customHost === undefined ? provider.apiKey : undefined) ?? 'none'
}

/** The same under each policy, in their order: one call at a time, as what it was bound to is noted in one place. */
const keysOf = async (headers: Fields): Promise<readonly (string | number)[]> => {
  const keys: (string | number)[] = []
  for (const policy of POLICIES) keys.push(await keyOf(policy, headers))
  return keys
}

const WAYS: Readonly<Record<string, Fields>> = {
  'a provider named by itself': { 'x-gateway-provider': 'operated' },
  'a stored provider': { 'x-gateway-provider': '@team' },
  'a saved config with a key': { 'x-gateway-config': CONFIG.slug },
  'a provider without a key': { 'x-gateway-provider': 'keyless' },
  'a host of the caller': { 'x-gateway-provider': 'operated', 'x-gateway-custom-host': 'https://public.example/v1' },
}

describe('which key is used', () => {
  test.each<[way: string, keys: readonly (string | number)[]]>([
    ['a provider named by itself', [BROUGHT, BROUGHT, OPERATOR, OPERATOR]],
    ['a stored provider', [STORED, BROUGHT, STORED, STORED]],
    ['a saved config with a key', [SAVED, BROUGHT, SAVED, SAVED]],
    ['a provider without a key', [BROUGHT, BROUGHT, BROUGHT, 401]],
    ['a host of the caller', [BROUGHT, BROUGHT, BROUGHT, 401]],
  ])('for %s, of a call that brings one', async (way, expected) => {
    const named = { ...WAYS[way], authorization: `Bearer ${BROUGHT}` }
    expect(await keysOf(named)).toEqual(expected)
  })

  test.each<[way: string, keys: readonly (string | number)[]]>([
    ['a provider named by itself', [OPERATOR, OPERATOR, OPERATOR, OPERATOR]],
    ['a stored provider', [STORED, STORED, STORED, STORED]],
    ['a saved config with a key', [SAVED, SAVED, SAVED, SAVED]],
    ['a provider without a key', [PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, 401]],
    ['a host of the caller', [PLACEHOLDER, PLACEHOLDER, PLACEHOLDER, 401]],
  ])('for %s, of a call that brings a placeholder', async (way, expected) => {
    const named = { ...WAYS[way], authorization: `Bearer ${PLACEHOLDER}` }
    expect(await keysOf(named)).toEqual(expected)
  })

  test('the key of an inline config is one that the call brings, and a real one in a header wins over a placeholder', async () => {
    const inline = (api_key: string): Fields => ({
      'x-gateway-config': JSON.stringify({ provider: 'operated', api_key }),
    })
    expect(await keysOf(inline(BROUGHT))).toEqual([BROUGHT, BROUGHT, OPERATOR, OPERATOR])
    expect(await keyOf(undefined, inline(PLACEHOLDER))).toBe(OPERATOR)
    expect(await keyOf(undefined, { ...inline(PLACEHOLDER), 'x-api-key': BROUGHT })).toBe(BROUGHT)
    expect(await keyOf(undefined, { ...inline(BROUGHT), 'x-api-key': 'sk-other' })).toBe(BROUGHT)
  })

  test('settings that hold credentials are keys too', async () => {
    for (const [policy, expected] of [
      [undefined, { acme_token: 'x', acme_region: 'y' }],
      ['prefer', { acme_token: 'x', acme_region: 'y' }],
      ['fallback', { acme_region: 'y' }],
      ['never', { acme_region: 'y' }],
    ] as const) {
      for (const headers of [
        { 'x-gateway-provider': 'operated', 'x-gateway-acme-token': 'x', 'x-gateway-acme-region': 'y' },
        { 'x-gateway-config': '{"provider":"operated","acme_token":"x","acme_region":"y"}' },
      ]) {
        await keyOf(policy, headers)
        expect(bound?.settings).toEqual(expected)
      }
    }
  })
})
