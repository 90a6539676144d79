import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredConfig } from '#core/ports'
import { definePlugin, openaiCompatible, t } from '#kit'
import type { FoundKey, KeyDefaults, StoredProvider } from '#kit/plugin'
import { type CallConfig, callConfig, type Target } from '#kit/slots'
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const KEY = 'some-gateway-key-0123456789abcdef'
const WORKSPACE = 'workspace-1'
const ID = '0d7c3a36-58ee-4a0c-9c31-0ddc7c8d2f10'

const stored = (slug: string, config: Record<string, unknown>): StoredConfig => ({
  id: slug === 'pc-own-000001' ? ID : `id-of-${slug}`,
  slug,
  versionId: `version-of-${slug}`,
  config,
})

const CONFIGS = new Map(
  [
    stored('pc-own-000001', { provider: 'acme', request_timeout: 1 }),
    stored('pc-key-000002', { provider: 'acme', request_timeout: 2 }),
    stored('pc-all-000003', { provider: 'acme', request_timeout: 3 }),
    stored('pc-secret-4', { provider: 'acme', api_key: 'key-of-workspace' }),
    stored('pc-token-7', { provider: 'acme', azure_ad_token: 'token-of-workspace' }),
    stored('pc-secret-5', {
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'acme', api_key: 'key-of-workspace' }, {}],
    }),
    stored('pc-host-8', { provider: 'acme', custom_host: 'http://127.0.0.1:9/v1' }),
    stored('pc-old-000006', { provder: 'acme' }),
  ].map((config) => [config.slug, config]),
)

/** What the stage under test made of each call, with all its targets; the call ends there. */
let resolved: CallConfig | undefined
let targets: Target[] = []
const capture = definePlugin({
  name: 'capture',
  config: t.Object({}),
  placement: { after: 'config' },
  setup: () => ({
    stages: [
      {
        name: 'capture',
        async run(call) {
          resolved = call.get(callConfig)
          const { plan, bind } = resolved
          targets = []
          for (const leaf of plan.leaves) {
            const target = await bind(leaf)
            expect(await bind(leaf)).toBe(target)
            targets.push(target)
          }
          return { status: 200, headers: new Headers(), body: new Uint8Array(0) }
        },
      },
    ],
    providers: ['acme', 'other'].map((id) =>
      openaiCompatible({
        id,
        baseURL: `https://api.${id}.example/v1`,
        settings: { [`${id}_region`]: `${id}-region` },
      }),
    ),
  }),
})

const storedTarget = (slug: string): StoredProvider => ({
  slug,
  providerId: 'acme',
  apiKey: `key-of-${slug}`,
  allows: () => true,
  forModel: (model) => ({ settings: { of: model ?? 'none' }, headers: {} }),
})

let found: FoundKey
let defaultSlug: string | undefined
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    plugins: [capture],
    keys: { find: (key) => (key === KEY ? found : undefined) },
    deps: {
      stored: {
        find: (_workspace, slug) =>
          slug === 'team' ? storedTarget(slug) : slug === 'slow' ? Promise.resolve(storedTarget(slug)) : undefined,
        models: () => [],
      },
      configs: {
        find: (workspaceId, reference) =>
          workspaceId === WORKSPACE
            ? reference === ID
              ? CONFIGS.get('pc-own-000001')
              : CONFIGS.get(reference)
            : undefined,
        defaultOf: (workspaceId) =>
          workspaceId === WORKSPACE && defaultSlug !== undefined ? CONFIGS.get(defaultSlug) : undefined,
      },
    },
  })
})
afterAll(() => gateway.close())

const foundIn = (workspaceId: string, defaults?: KeyDefaults): FoundKey => ({
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId,
    scopes: new Set(['completions.write']),
  },
  ...(defaults === undefined ? {} : { defaults }),
})
beforeEach(() => {
  found = foundIn(WORKSPACE)
  defaultSlug = undefined
})

interface Asked {
  readonly config?: unknown
  readonly headers?: Record<string, string>
  readonly body?: Record<string, unknown>
}

const send = ({ config, headers = {}, body = { model: 'm-1' } }: Asked): Promise<Response> => {
  resolved = undefined
  targets = []
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': KEY,
      ...headers,
      ...(config === undefined
        ? {}
        : { 'x-gateway-config': typeof config === 'string' ? config : JSON.stringify(config) }),
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })
}

const ask = async (asked: Asked): Promise<CallConfig> => {
  const response = await send(asked)
  if (response.status !== 200 || resolved === undefined) throw new Error(`${response.status} ${await response.text()}`)
  return resolved
}

const refused = async (asked: Asked): Promise<unknown> => {
  const response = await send(asked)
  const { error } = (await response.json()) as { error: { code: string; type: string; param: string | null } }
  return [response.status, error.code ?? error.type, error.param]
}

const DENIED = [400, 'invalid_config', 'x-gateway-config']

describe('which config', () => {
  test('a saved one by slug or id', async () => {
    for (const reference of ['pc-own-000001', ` ${ID} `]) {
      expect(await ask({ config: reference })).toMatchObject({
        slug: 'pc-own-000001',
        versionId: 'version-of-pc-own-000001',
        only: { requestTimeoutMs: 1, path: 'config' },
      })
    }
  })

  test('that of the call, else that of the key, else that of the workspace, else none', async () => {
    defaultSlug = 'pc-all-000003'
    found = foundIn(WORKSPACE, { configId: 'pc-key-000002' })
    expect((await ask({ config: 'pc-own-000001' })).slug).toBe('pc-own-000001')
    expect((await ask({ config: { provider: 'acme' } })).slug).toBeUndefined()
    expect((await ask({})).slug).toBe('pc-key-000002')
    found = foundIn(WORKSPACE)
    expect((await ask({})).slug).toBe('pc-all-000003')
    defaultSlug = undefined
    expect((await ask({ headers: { 'x-gateway-provider': 'acme' } })).slug).toBeUndefined()
    expect(await refused({})).toEqual([400, 'provider_required', 'x-gateway-provider'])
  })

  test('one that is not there is refused, and so is that of another workspace', async () => {
    expect(await refused({ config: 'pc-none-123456' })).toEqual(DENIED)
    expect(await refused({ config: ID.replace('0', '1') })).toEqual(DENIED)
    found = foundIn(WORKSPACE, { configId: 'pc-none-123456' })
    expect(await refused({ headers: { 'x-gateway-provider': 'acme' } })).toEqual(DENIED)
    found = foundIn('workspace-2')
    defaultSlug = 'pc-all-000003'
    expect(await refused({ config: 'pc-own-000001' })).toEqual(DENIED)
    expect((await ask({ headers: { 'x-gateway-provider': 'acme' } })).slug).toBeUndefined()
  })

  test('a key may forbid all but its own', async () => {
    found = foundIn(WORKSPACE, { configId: 'pc-own-000001', allowConfigOverride: false })
    for (const config of [undefined, 'pc-own-000001', ID]) expect((await ask({ config })).slug).toBe('pc-own-000001')
    for (const config of ['pc-key-000002', 'pc-none-123456', { provider: 'acme' }]) {
      expect(await refused({ config })).toEqual(DENIED)
    }
    found = foundIn(WORKSPACE, { allowConfigOverride: false })
    expect(await refused({ config: 'pc-own-000001' })).toEqual(DENIED)
  })

  test('a saved one that is no longer valid says so', async () => {
    expect(await refused({ config: 'pc-old-000006' })).toEqual([400, 'invalid_config', 'provder'])
  })
})

describe('the key of a saved config', () => {
  const headers = { 'x-gateway-custom-host': 'http://127.0.0.1:9/v1' }

  test('goes to its own host, and takes no settings from the headers', async () => {
    expect(await refused({ config: 'pc-secret-4', headers })).toEqual([400, 'invalid_request', 'x-gateway-custom-host'])
    const { only } = await ask({
      config: 'pc-secret-4',
      headers: { 'x-gateway-acme-region': 'caller', authorization: 'Bearer caller' },
    })
    expect(only).toMatchObject({ apiKey: 'key-of-workspace', settings: {} })
  })

  test('may be a token among its settings, which is kept as well', async () => {
    expect(await refused({ config: 'pc-token-7', headers })).toEqual([400, 'invalid_request', 'x-gateway-custom-host'])
    const { only } = await ask({ config: 'pc-token-7', headers: { 'x-gateway-acme-region': 'caller' } })
    expect(only?.settings).toEqual({ azure_ad_token: 'token-of-workspace' })
  })

  test('stays there in one of several targets', async () => {
    await ask({
      config: 'pc-secret-5',
      headers: { ...headers, 'x-gateway-provider': 'other', authorization: 'Bearer caller' },
    })
    expect(targets.map(({ apiKey, customHost }) => [apiKey, customHost])).toEqual([
      ['key-of-workspace', undefined],
      ['caller', 'http://127.0.0.1:9/v1'],
    ])
  })

  test('an inline one is the caller’s own', async () => {
    const { only } = await ask({
      config: { provider: 'acme', api_key: 'own' },
      headers: { ...headers, 'x-gateway-acme-region': 'caller' },
    })
    expect(only).toMatchObject({
      apiKey: 'own',
      customHost: 'http://127.0.0.1:9/v1',
      settings: { acme_region: 'caller' },
    })
  })
})

test('a host is the caller’s when a header or the config of the call names it, and not that of a saved config', async () => {
  const host = 'http://127.0.0.1:9/v1'
  const { only: saved } = await ask({ config: 'pc-host-8' })
  expect([saved?.customHost, saved?.isCallersHost]).toEqual([host, undefined])
  for (const call of [
    { config: { provider: 'acme', custom_host: host } },
    { config: 'pc-own-000001', headers: { 'x-gateway-custom-host': host } },
  ]) {
    const { only } = await ask(call)
    expect([only?.customHost, only?.isCallersHost]).toEqual([host, true])
  }
})

describe('each of several targets', () => {
  const fallback = (...list: unknown[]) => ({ strategy: { mode: 'fallback' }, targets: list })

  test('is bound by itself, and only when it is asked for', async () => {
    const config = await ask({
      config: fallback(
        { provider: 'acme', api_key: 'a', override_params: { model: 'm-a' }, first_token_timeout: 7, cache: 'simple' },
        { virtual_key: 'team' },
        { provider: '@slow' },
        { override_params: { model: '@team/m-b' } },
        {},
      ),
      headers: { 'x-gateway-provider': 'other', authorization: 'Bearer caller' },
      body: { model: '@acme/m-c' },
    })
    expect(config.only).toBeUndefined()
    expect(config.model).toBe('m-c')
    expect(config.plan.usesCache).toBe(true)
    expect(
      targets.map(({ path, provider, apiKey, storedProvider, model, overrideParams }) => ({
        path,
        provider: provider.id,
        apiKey,
        storedProvider,
        model,
        sent: overrideParams?.model,
      })),
    ).toEqual([
      {
        path: 'config.targets[0]',
        provider: 'acme',
        apiKey: 'a',
        storedProvider: undefined,
        model: 'm-a',
        sent: 'm-a',
      },
      // A name in front of the model is for nobody where the target names its provider.
      {
        path: 'config.targets[1]',
        provider: 'acme',
        apiKey: 'key-of-team',
        storedProvider: 'team',
        model: 'm-c',
        sent: 'm-c',
      },
      {
        path: 'config.targets[2]',
        provider: 'acme',
        apiKey: 'key-of-slow',
        storedProvider: 'slow',
        model: 'm-c',
        sent: 'm-c',
      },
      {
        path: 'config.targets[3]',
        provider: 'acme',
        apiKey: 'key-of-team',
        storedProvider: 'team',
        model: 'm-b',
        sent: 'm-b',
      },
      {
        path: 'config.targets[4]',
        provider: 'other',
        apiKey: 'caller',
        storedProvider: undefined,
        model: 'm-c',
        sent: 'm-c',
      },
    ])
    expect(targets[0]).toMatchObject({ firstTokenTimeoutMs: 7, cache: { mode: 'simple' } })
    expect(targets[1]?.cache).toBeUndefined()
  })

  test('a bad one fails alone', async () => {
    const response = await send({ config: fallback({ provider: 'acme' }, { provider: 'nobody' }) })
    expect(response.status).toBe(400)
    expect(targets.map(({ provider }) => provider.id)).toEqual(['acme'])
  })

  test('a host in the headers is for those that name no provider', async () => {
    await ask({
      config: fallback({ provider: 'acme' }, { virtual_key: 'team' }, {}, { custom_host: 'http://127.0.0.1:8/v1' }),
      headers: {
        'x-gateway-provider': 'other',
        'x-gateway-custom-host': 'http://127.0.0.1:9/v1',
        authorization: 'Bearer k',
      },
    })
    expect(targets.map(({ customHost }) => customHost)).toEqual([
      undefined,
      undefined,
      'http://127.0.0.1:9/v1',
      'http://127.0.0.1:8/v1',
    ])
  })

  test('what the headers say of this very call counts for all', async () => {
    await ask({
      config: {
        ...fallback({ provider: 'acme', request_timeout: 5 }, { provider: 'other' }),
        strict_open_ai_compliance: true,
      },
      headers: { 'x-gateway-request-timeout': '9', 'x-gateway-strict-open-ai-compliance': 'false' },
    })
    expect(targets.map(({ requestTimeoutMs, strict }) => [requestTimeoutMs, strict])).toEqual([
      [9, false],
      [9, false],
    ])
  })
})

describe('the older headers', () => {
  const flat = { provider: 'acme' }

  test('ask for retries and the cache where the config does not', async () => {
    const asked = await ask({
      config: flat,
      headers: { 'x-gateway-retry-count': '9', 'x-gateway-cache': 'TRUE', 'cache-control': 'no-store, max-age:120' },
    })
    expect(asked.plan).toMatchObject({ usesCache: true, root: { retry: { attempts: 5 } } })
    expect(asked.only?.cache).toEqual({ mode: 'simple', maxAgeSeconds: 120 })
    const own = await ask({
      config: { ...flat, retry: { attempts: 1 }, cache: 'simple' },
      headers: { 'x-gateway-retry-count': '0', 'x-gateway-cache': 'semantic' },
    })
    expect(own.plan).toMatchObject({ root: { retry: { attempts: 1 }, cache: { mode: 'simple' } } })
    const none = await ask({ config: flat, headers: { 'x-gateway-cache': 'false', 'cache-control': 'max-age=120' } })
    expect(none.plan.usesCache).toBe(false)
  })

  test('are refused when they cannot be read', async () => {
    for (const [name, value] of [
      ['retry-count', 'many'],
      ['retry-count', '-1'],
      ['cache', 'total'],
    ] as const) {
      expect(await refused({ config: flat, headers: { [`x-gateway-${name}`]: value } })).toEqual([
        400,
        'invalid_header',
        `x-gateway-${name}`,
      ])
    }
  })
})
