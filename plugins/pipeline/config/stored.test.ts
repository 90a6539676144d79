import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin, openaiCompatible, StoredProviderExhausted, StoredProviderExpired, t } from '#kit'
import type { FoundKey, StoredProvider } from '#kit/plugin'
import { type CallConfig, callConfig, type Target } from '#kit/slots'
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const KEY = 'some-gateway-key-0123456789abcdef'
const WORKSPACE = 'workspace-1'

/** What the stage under test made of each call; the call ends there. */
let resolved: CallConfig | undefined
const capture = definePlugin({
  name: 'capture',
  config: t.Object({}),
  placement: { after: 'config' },
  setup: () => ({
    stages: [
      {
        name: 'capture',
        run(call) {
          resolved = call.get(callConfig)
          return Promise.resolve({ status: 200, headers: new Headers(), body: new Uint8Array(0) })
        },
      },
    ],
    providers: [
      {
        ...openaiCompatible({
          id: 'acme',
          baseURL: 'https://api.acme.example/v1',
          apiKey: 'operator-key',
          settings: { acme_region: 'acme-region', acme_url: 'acme-url', acme_bucket: 'acme-bucket' },
          hostSetting: 'acme_url',
          defaultSettings: { acme_region: 'operator' },
          models: ['listed'],
        }),
        keySettings: ['acme_token'],
        openSettings: ['acme_bucket'],
      },
    ],
  }),
})

const storedAs = (slug: string, changes: Partial<StoredProvider> = {}): StoredProvider => ({
  slug,
  providerId: 'acme',
  apiKey: `key-of-${slug}`,
  allows: (model) => model !== 'refused',
  forModel: (model) => ({ settings: { of: model ?? 'none' }, headers: { 'x-org': slug } }),
  ...changes,
})

const STORED: Readonly<Record<string, () => StoredProvider | Promise<StoredProvider>>> = {
  a: () => storedAs('a'),
  b: () => storedAs('b'),
  c: () => storedAs('c'),
  d: () => storedAs('d'),
  e: () => storedAs('e'),
  slow: () => Promise.resolve(storedAs('slow')),
  keyless: () => storedAs('keyless', { apiKey: '' }),
  elsewhere: () =>
    storedAs('elsewhere', { forModel: () => ({ settings: {}, headers: {}, customHost: 'https://own.example/v1' }) }),
  placed: () =>
    storedAs('placed', { forModel: () => ({ settings: { acme_url: 'https://placed.example/v1' }, headers: {} }) }),
  hosted: () =>
    storedAs('hosted', {
      forModel: () => ({
        settings: { acme_region: 'eu', acme_token: 'secret' },
        headers: {},
        customHost: 'https://model.example/v1',
        withoutKey: true,
      }),
    }),
  bucketed: () => storedAs('bucketed', { forModel: () => ({ settings: { acme_bucket: 'stored' }, headers: {} }) }),
  gone: () => storedAs('gone', { providerId: 'not-running' }),
  expired: () => {
    throw new StoredProviderExpired('The stored provider has expired.', { param: '@expired' })
  },
  exhausted: () => {
    throw new StoredProviderExhausted('The budget is used up.', { param: '@exhausted' })
  },
}

let found: FoundKey
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    plugins: [capture],
    keys: { find: (key) => (key === KEY ? found : undefined) },
    deps: {
      stored: {
        find: (workspaceId, slug) => (workspaceId === WORKSPACE ? STORED[slug]?.() : undefined),
        models: (workspaceId) =>
          workspaceId === WORKSPACE
            ? [
                { slug: 'b', models: ['z', 'org/y'] },
                { slug: 'acme', models: ['only-this'] },
              ]
            : [],
      },
    },
  })
})
afterAll(() => gateway.close())

const foundIn = (workspaceId: string): FoundKey => ({
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId,
    scopes: new Set(['completions.write']),
  },
})
beforeEach(() => {
  found = foundIn(WORKSPACE)
})

interface Asked {
  readonly headers?: Record<string, string>
  readonly config?: unknown
  readonly body?: Record<string, unknown>
  readonly query?: string
}

const send = ({ headers = {}, config, body = { model: 'm-1' }, query = '' }: Asked): Promise<Response> => {
  resolved = undefined
  return fetch(`${gateway.url}/v1/chat/completions${query}`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': KEY,
      ...headers,
      ...(config === undefined ? {} : { 'x-gateway-config': JSON.stringify(config) }),
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })
}

const target = async (asked: Asked): Promise<Target> => {
  const response = await send(asked)
  const first = resolved?.only
  if (first === undefined) throw new Error(`no target: ${response.status} ${await response.text()}`)
  return first
}

const refused = async (asked: Asked): Promise<unknown> => {
  const response = await send(asked)
  const { error } = (await response.json()) as { error: { code: string; type: string; param: string | null } }
  expect(resolved).toBeUndefined()
  return [response.status, error.code ?? error.type, error.param]
}

describe('who is named', () => {
  const everywhere = {
    headers: { 'x-gateway-provider': '@b', 'x-gateway-virtual-key': 'c' },
    config: { override_params: { model: '@d/m-d' } },
    body: { model: '@e/m-e' },
    query: '?model=@a/m-a',
  }
  const order: readonly (readonly [string, Asked, string, string | undefined])[] = [
    [
      'the virtual key of the config',
      { ...everywhere, config: { ...everywhere.config, virtual_key: 'a', provider: '@b' } },
      'a',
      'm-d',
    ],
    [
      'then the provider of the config',
      { ...everywhere, config: { ...everywhere.config, provider: '@a' } },
      'a',
      'm-d',
    ],
    ['then the provider header', everywhere, 'b', 'm-d'],
    ['then the header of virtual keys', { ...everywhere, headers: { 'x-gateway-virtual-key': '@c' } }, 'c', 'm-d'],
    ['then the model of the config', { ...everywhere, headers: {} }, 'd', 'm-d'],
    ['then the model of the body', { body: { model: '@e/org/m-e' }, query: '?model=@a/m-a' }, 'e', 'org/m-e'],
    ['then the model of the query', { query: '?model=@a/m-a' }, 'a', 'm-a'],
    [
      'which says nothing of the model where a header names the provider',
      { headers: { 'x-gateway-provider': '@b' }, query: '?model=@a/m-a' },
      'b',
      undefined,
    ],
    [
      'the model of the config takes the place of the one that named it',
      { config: { override_params: { model: 'm-2' } }, body: { model: '@e/m-e' } },
      'e',
      'm-2',
    ],
  ]
  test.each(order)('%s', async (_, asked, slug, model) => {
    const made = await target(asked)
    expect([made.apiKey, made.overrideParams?.model]).toEqual([`key-of-${slug}`, model])
  })

  test('a running provider may be written with `@` too, and is asked with the key of the call', async () => {
    const made = await target({ body: { model: '@acme/m-1' }, headers: { authorization: 'Bearer own' } })
    expect([made.provider.id, made.apiKey, made.overrideParams]).toEqual(['acme', 'own', { model: 'm-1' }])
  })

  test('a stored provider of another workspace is not there', async () => {
    found = foundIn('workspace-2')
    expect(await refused({ body: { model: '@a/m' } })).toEqual([400, 'unknown_provider', '@a'])
  })

  test('names of hosts that begin with `@` themselves are no providers', async () => {
    for (const model of ['@cf/meta/llama', '@hf/org/model']) {
      expect(await refused({ body: { model } })).toEqual([400, 'provider_required', 'x-gateway-provider'])
      const made = await target({ body: { model }, headers: { 'x-gateway-provider': '@a' } })
      expect([made.apiKey, made.overrideParams]).toEqual(['key-of-a', undefined])
    }
  })
})

describe('a stored provider', () => {
  test('takes from the call what leads its key nowhere else, where it says nothing of it', async () => {
    const headers = { 'x-gateway-acme-bucket': 'mine', 'x-gateway-acme-region': 'theirs' }
    const { settings } = await target({ headers, body: { model: '@a/m-1' } })
    expect(settings).toEqual({ of: 'm-1', acme_bucket: 'mine' })
    const config = { virtual_key: 'bucketed', acme_bucket: 'mine' }
    expect((await target({ headers, config })).settings).toEqual({ acme_bucket: 'stored' })
  })

  test('gives key, settings and headers, and nothing of the operator or the call mixes in', async () => {
    const { provider, ...rest } = await target({
      headers: {
        'x-gateway-provider': '@a',
        authorization: 'Bearer caller-key',
        'x-api-key': 'caller-key',
        'x-gateway-acme-region': 'caller',
      },
      config: { api_key: 'key-in-config', acme_region: 'config' },
    })
    expect(provider.id).toBe('acme')
    expect(rest).toEqual({
      path: 'config',
      storedProvider: 'a',
      model: 'm-1',
      apiKey: 'key-of-a',
      settings: { of: 'm-1' },
      headers: { 'x-org': 'a' },
      strict: true,
      forwardHeaders: [],
    })
  })

  test('gives no key to a host that came with the model', async () => {
    const { apiKey, customHost, withoutKey, settings } = await target({ body: { model: '@hosted/m' } })
    expect({ apiKey, customHost, withoutKey, settings }).toEqual({
      // Nor what the settings would give in the place of a key.
      settings: { acme_region: 'eu' },
      apiKey: '',
      customHost: 'https://model.example/v1',
      withoutKey: true,
    })
  })

  test('may have to be waited for', async () => {
    expect((await target({ body: { model: '@slow/m' } })).apiKey).toBe('key-of-slow')
  })

  test('without a key is asked without one: not with the operator’s, nor with that of the call', async () => {
    const made = await target({ headers: { 'x-gateway-provider': '@keyless', authorization: 'Bearer caller-key' } })
    expect(made.apiKey).toBe('')
  })

  test('goes where a setting says that is the host of its provider, and nowhere that a call says so', async () => {
    const asked = { 'x-gateway-provider': '@placed', 'x-gateway-acme-url': 'https://thief.example/v1' }
    expect(await target({ headers: asked })).toMatchObject({
      customHost: 'https://placed.example/v1',
      apiKey: 'key-of-placed',
    })
    const other = { 'x-gateway-provider': '@a', 'x-gateway-acme-url': 'https://thief.example/v1' }
    expect((await target({ headers: other })).customHost).toBeUndefined()
    const config = { provider: '@a', acme_url: 'https://thief.example/v1' }
    expect((await target({ config })).customHost).toBeUndefined()
  })

  test('sends its key to its own host, which no call can change', async () => {
    expect((await target({ body: { model: '@elsewhere/m' } })).customHost).toBe('https://own.example/v1')
    for (const asked of [
      { headers: { 'x-gateway-provider': '@a', 'x-gateway-custom-host': 'http://127.0.0.1:9/v1' } },
      { config: { provider: '@a', custom_host: 'https://thief.example/v1' } },
      { config: { virtual_key: 'a', targets: [{ custom_host: 'https://thief.example/v1' }] } },
      { config: { custom_host: 'https://thief.example/v1' }, body: { model: '@a/m' } },
    ]) {
      expect(await refused(asked)).toEqual([400, 'invalid_request', 'x-gateway-custom-host'])
    }
  })

  test('is only used with the models that it allows, wherever the model stands', async () => {
    const onA = { 'x-gateway-provider': '@a' }
    for (const asked of [
      { headers: onA, body: { model: 'refused' } },
      { body: { model: '@a/refused' } },
      { query: '?model=@a/refused' },
      { headers: onA, config: { override_params: { model: 'refused' } } },
      { config: { override_params: { model: '@a/refused' } } },
      { config: { override_params: { model: 'refused' } }, body: { model: '@a/allowed' } },
      { headers: onA, config: { default_params: { model: 'refused' } }, body: {} },
    ]) {
      expect(await refused(asked)).toEqual([412, 'model_not_allowed_error', 'model'])
    }
    const replaced = await target({ config: { override_params: { model: 'm-2' } }, body: { model: '@a/refused' } })
    expect(replaced.settings).toEqual({ of: 'm-2' })
  })

  test('that has expired, is used up, or needs a plugin that does not run, says so', async () => {
    expect(await refused({ body: { model: '@expired/m' } })).toEqual([401, 'virtual_key_expired_error', '@expired'])
    expect(await refused({ body: { model: '@exhausted/m' } })).toEqual([412, 'virtual_key_exhaust_error', '@exhausted'])
    expect(await refused({ body: { model: '@gone/m' } })).toEqual([400, 'unknown_provider', '@gone'])
  })
})

describe('what the key brings', () => {
  test('a key that forbids other configs refuses a call with one, and no other', async () => {
    found = { ...foundIn(WORKSPACE), defaults: { allowConfigOverride: false } }
    expect(await refused({ config: { provider: 'acme' } })).toEqual([400, 'invalid_config', 'x-gateway-config'])
    expect((await target({ headers: { 'x-gateway-provider': 'acme' } })).provider.id).toBe('acme')
    found = { ...foundIn(WORKSPACE), defaults: { allowConfigOverride: true } }
    expect((await target({ config: { provider: 'acme' } })).provider.id).toBe('acme')
  })

  test('its metadata wins over that of the call, which wins over baggage', async () => {
    found = { ...foundIn(WORKSPACE), defaults: { metadata: { team: 'key', _user: 'key-user' } } }
    await target({
      headers: {
        'x-gateway-provider': 'acme',
        'x-gateway-metadata': '{"team":"call","env":"call","_user":"call-user"}',
        baggage: 'env=baggage,zone=baggage',
      },
      body: { model: 'm', user: 'body-user' },
    })
    expect(resolved?.metadata).toEqual({ team: 'key', env: 'call', zone: 'baggage', _user: 'key-user' })
  })

  test('`user` of the body is the user, unless the metadata names one', async () => {
    const userOf = async (user: unknown, metadata = '{}'): Promise<unknown> => {
      await target({
        headers: { 'x-gateway-provider': 'acme', 'x-gateway-metadata': metadata },
        body: { model: 'm', user },
      })
      return resolved?.metadata._user
    }
    expect(await userOf('u-1')).toBe('u-1')
    expect(await userOf('u-1', '{"_user":"u-2"}')).toBe('u-2')
    expect(await userOf('x'.repeat(200))).toBe('x'.repeat(128))
    expect(await userOf('')).toBeUndefined()
    expect(await userOf(5)).toBeUndefined()
  })
})

describe('the list of models', () => {
  const list = async (headers: Record<string, string> = {}): Promise<string[]> => {
    const response = await fetch(`${gateway.url}/v1/models`, { headers: { 'x-gateway-api-key': KEY, ...headers } })
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }

  test('holds the enabled models of the workspace; a stored provider hides a running one of its name', async () => {
    const ids = await list()
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toEqual(expect.arrayContaining(['@b/z', '@b/org/y', '@acme/only-this', '@mock/mock']))
    expect(ids).not.toContain('@acme/listed')
    expect(await list({ 'x-gateway-provider': '@a', 'x-gateway-fetch-integrated-models': 'true' })).toEqual(ids)
  })

  test('holds nothing of another workspace', async () => {
    found = foundIn('workspace-2')
    const ids = await list()
    expect(ids).toContain('@acme/listed')
    expect(ids.filter((id) => id.startsWith('@b/'))).toEqual([])
  })

  test('is that of the stored provider when one is named, without looking at models', async () => {
    resolved = undefined
    await fetch(`${gateway.url}/v1/models`, { headers: { 'x-gateway-api-key': KEY, 'x-gateway-virtual-key': 'a' } })
    expect(resolved).toMatchObject({ only: { apiKey: 'key-of-a', settings: { of: 'none' } } })
  })
})
