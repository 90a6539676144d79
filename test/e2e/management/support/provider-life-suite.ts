import { beforeAll, expect, test } from 'bun:test'
import type { RecordedRequest } from '../../../../plugins/providers/mock/server.ts'
import type { RunningGateway } from '../../../support/command.ts'
import { type ChatOptions, chat, hasStatus, type Reply, textOf, within } from './http.ts'
import { ADMIN_KEY, API_KEY, chatWith, done, manage, type Scene, SPREAD_MS, storeProvider } from './scene.ts'

const KEY = 'sk-stored-0123456789abcdef0123456789'
const NEXT_KEY = 'sk-rotated-0123456789abcdef012345678'

const config = (value: unknown): ChatOptions => ({ headers: { 'x-gateway-config': JSON.stringify(value) } })

const WAYS: readonly (readonly [string, ChatOptions])[] = [
  ['the provider header', { headers: { 'x-gateway-provider': '@prod' } }],
  ['the virtual-key header', { headers: { 'x-gateway-virtual-key': 'prod' } }],
  ['the model', { headers: {}, model: '@prod/mock' }],
  ['`virtual_key` of a config', config({ virtual_key: 'prod' })],
  ['`provider` of a config', config({ provider: '@prod' })],
  ['`override_params.model` of a config', config({ override_params: { model: '@prod/mock' } })],
  ['the only target of a config', config({ strategy: { mode: 'single' }, targets: [{ provider: '@prod' }] })],
  ['the query', { headers: {}, query: '?model=@prod/mock' }],
]

/** The whole life of a stored provider, with plain HTTP and a provider that records what reaches it. */
export const providerLifeSuite = (scene: () => Scene, gateway: () => RunningGateway): void => {
  const last = (): RecordedRequest => {
    const request = scene().upstream.requests.at(-1)
    if (request === undefined) throw new Error('nothing reached the provider')
    return request
  }
  const received = (): number => scene().upstream.counters.received
  const call = (options: ChatOptions): Promise<Reply> => chat(gateway().url, API_KEY, options)
  const put = (path: string, body: unknown): Promise<Reply> => done(gateway(), 'PUT', path, body)

  beforeAll(async () => {
    await storeProvider(scene(), gateway(), { slug: 'prod', key: KEY })
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(200))
  })

  test.each(WAYS)(
    'named in %s: the call goes to the stored host, with the stored key and no key of ours',
    async (_, options) => {
      const before = received()
      expect(await call(options)).toMatchObject({ status: 200, body: { object: 'chat.completion' } })
      expect(received()).toBe(before + 1)
      const { path, headers, rawHeaders, body } = last()
      expect([path, headers.get('authorization')]).toEqual(['/v1/chat/completions', `Bearer ${KEY}`])
      expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ model: 'mock' })
      const whole = rawHeaders.join('\n') + new TextDecoder().decode(body)
      for (const secret of [API_KEY, ADMIN_KEY]) expect(whole).not.toContain(secret)
    },
  )

  test('a gateway key in its own header leaves nothing of the caller in the authorization', async () => {
    const headers = { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': '@prod' }
    expect((await chat(gateway().url, 'sk-of-the-caller-0123456789abcdef', { headers })).status).toBe(200)
    expect(last().headers.get('authorization')).toBe(`Bearer ${KEY}`)
    expect(last().rawHeaders.join('\n')).not.toContain('sk-of-the-caller')
  })

  test('nobody can have the stored key sent to another host', async () => {
    const before = received()
    const elsewhere = `${scene().upstream.url}/elsewhere/v1`
    for (const options of [
      { headers: { 'x-gateway-provider': '@prod', 'x-gateway-custom-host': elsewhere } },
      config({ provider: '@prod', custom_host: elsewhere }),
      { headers: { 'x-gateway-custom-host': elsewhere }, model: '@prod/mock' },
    ]) {
      expect(await call(options)).toMatchObject({ status: 400, body: { error: { param: 'x-gateway-custom-host' } } })
    }
    expect(received()).toBe(before)
  })

  test('models outside the allow-list are refused, and the list of models follows it', async () => {
    const models = [
      { slug: 'mock', enabled: true },
      { slug: 'mock-small', enabled: false },
    ]
    await put('/admin/v2/integrations/prod-integration/models', { models, allow_all_models: false })
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod', 'mock-other'), hasStatus(412))
    for (const model of ['mock-other', 'mock-small']) {
      const refused = await call({ headers: {}, model: `@prod/${model}` })
      expect(refused).toMatchObject({ status: 412, body: { error: { type: 'model_not_allowed_error', code: null } } })
    }
    expect((await chatWith(gateway(), 'prod')).status).toBe(200)
    const listed = await fetch(`${gateway().url}/v1/models`, { headers: { 'x-gateway-api-key': API_KEY } })
    const { data } = (await listed.json()) as { data: readonly { id: string }[] }
    const ofProvider = data.map(({ id }) => id).filter((id) => id.startsWith('@prod/'))
    expect(ofProvider).toEqual(['@prod/mock'])
    await put('/admin/v2/integrations/prod-integration/models', { models: [], allow_all_models: true })
    await within(
      SPREAD_MS,
      () => chatWith(gateway(), 'prod', 'mock-other'),
      (reply) => reply.status !== 412,
    )
  })

  test('a new key of the integration is used within a second, and the old one never again', async () => {
    const call = () => chatWith(gateway(), 'prod')
    const usesNew = (): boolean => last().headers.get('authorization') === `Bearer ${NEXT_KEY}`
    await put('/admin/v2/integrations/prod-integration', { key: NEXT_KEY })
    await within(SPREAD_MS, call, (reply) => reply.status === 200 && usesNew())
    await call()
    expect(usesNew()).toBe(true)
    await put('/admin/v2/integrations/prod-integration', { key: KEY })
    await within(SPREAD_MS, call, (reply) => reply.status === 200 && !usesNew())
  })

  test('a provider belongs to its workspace alone', async () => {
    const { id } = (await done(gateway(), 'POST', '/admin/v2/workspaces', { name: 'other' })).body
    const body = { name: 'of the other', scopes: ['completions.write', 'providers.read'], workspace_id: id }
    const key = textOf(await done(gateway(), 'POST', '/v2/api-keys/service', body), 'key')
    const before = received()
    const other = await chat(gateway().url, key, { headers: { 'x-gateway-provider': '@prod' } })
    expect(other).toMatchObject({ status: 400, body: { error: { code: 'unknown_provider', param: '@prod' } } })
    expect(received()).toBe(before)
  })

  test('taken away from the workspace it is unknown, given back it works', async () => {
    const grant = (enabled: boolean) => ({
      workspaces: [{ id: 'ws-default', enabled, create_default_provider: false }],
    })
    await put('/admin/v2/integrations/prod-integration/workspaces', grant(false))
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(400))
    expect((await chatWith(gateway(), 'prod')).body).toMatchObject({ error: { code: 'unknown_provider' } })
    await put('/admin/v2/integrations/prod-integration/workspaces', grant(true))
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(200))
  })

  test('an expired provider is refused by name, and works again with a later time', async () => {
    const expires = (inMs: number) => ({ expires_at: new Date(Date.now() + inMs).toISOString() })
    await put('/v2/providers/prod', expires(1_200))
    await within(1_200 + SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(401))
    const refused = await chatWith(gateway(), 'prod')
    expect(refused.body).toMatchObject({ error: { type: 'virtual_key_expired_error', param: '@prod' } })
    for (const path of ['/v2/providers', '/v1/virtual-keys']) {
      expect((await done(gateway(), 'GET', `${path}/prod`)).body.status).toBe('expired')
      const { data } = (await done(gateway(), 'GET', path)).body
      expect(data).toContainEqual(expect.objectContaining({ slug: 'prod', status: 'expired' }))
    }
    const before = received()
    const chain = { strategy: { mode: 'fallback' }, targets: [{ provider: '@prod' }, { provider: 'mock' }] }
    const passedOver = await call(config(chain))
    expect([passedOver.status, passedOver.headers.get('x-gateway-last-used-option-index'), received()]).toEqual([
      200,
      'config.targets[1]',
      before,
    ])
    await put('/v2/providers/prod', expires(3_600_000))
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(200))
  })

  test('the older virtual keys are the same thing', async () => {
    const made = await done(gateway(), 'POST', '/v1/virtual-keys', {
      name: 'old',
      slug: 'old',
      provider: 'openai',
      key: KEY,
    })
    expect(made.body).toMatchObject({ success: true, data: { slug: 'old' } })
    await within(SPREAD_MS, () => call({ headers: { 'x-gateway-virtual-key': 'old' } }), hasStatus(200))
    // No host is stored with it, so it goes to that of the operator's file.
    expect(scene().ownUpstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${KEY}`)
    await done(gateway(), 'DELETE', '/v1/virtual-keys/old')
    await within(SPREAD_MS, () => call({ headers: { 'x-gateway-virtual-key': 'old' } }), hasStatus(400))
  })

  test('no reading shows a stored key', async () => {
    for (const path of [
      '/integrations',
      '/integrations/prod-integration',
      '/integrations/prod-integration/models',
      '/providers',
      '/providers/prod',
    ]) {
      const { status, text } = await manage(gateway(), 'GET', `/admin/v2${path}`)
      expect(status).toBe(200)
      expect(text).not.toContain(KEY)
    }
    const { body } = await manage(gateway(), 'GET', '/admin/v2/integrations/prod-integration')
    expect(String(body.masked_key)).toMatch(/^sk-\*{5}.{3}$/)
  })

  test('a deleted provider is unknown within a second', async () => {
    await done(gateway(), 'DELETE', '/v2/providers/prod')
    await within(SPREAD_MS, () => chatWith(gateway(), 'prod'), hasStatus(400))
    expect((await chatWith(gateway(), 'prod')).body).toMatchObject({ error: { code: 'unknown_provider' } })
  })
}
