import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { usualAnswer } from './support/provider.ts'
import { PROVIDER_KEY, type Scene, STORED_KEY, startScene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.providers.answer = usualAnswer
  scene.providers.arrived.length = 0
})

const MODE = { 'x-portkey-mode': 'proxy openai', authorization: `Bearer ${PROVIDER_KEY}` }
const CHAT = '{"model":"model-1",  "messages":[{"role":"user","content":"Hello"}]}'

const bytesOf = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length))

describe('who is asked', () => {
  const own = { authorization: `Bearer ${PROVIDER_KEY}` }
  const config = (value: object) => ({ 'x-portkey-config': JSON.stringify(value) })
  const cases: readonly (readonly [string, Record<string, string>, string, string])[] = [
    ['the mode', { ...own, 'x-portkey-mode': 'proxy openai' }, 'openai', PROVIDER_KEY],
    ['the mode under our own prefix', { ...own, 'x-gateway-mode': 'proxy groq' }, 'groq', PROVIDER_KEY],
    ['the mode in another hand', { ...own, 'x-portkey-mode': '  Proxy   groq ' }, 'groq', PROVIDER_KEY],
    [
      'the mode before the provider',
      { ...own, 'x-portkey-mode': 'proxy groq', 'x-portkey-provider': 'openai' },
      'groq',
      PROVIDER_KEY,
    ],
    ['the provider, without a mode', { ...own, 'x-portkey-provider': 'groq' }, 'groq', PROVIDER_KEY],
    ['a stored provider', { 'x-portkey-provider': '@prod' }, 'openai', STORED_KEY],
    ['a virtual key', { 'x-portkey-virtual-key': 'prod' }, 'openai', STORED_KEY],
    [
      'a virtual key and its mode',
      { 'x-portkey-mode': 'proxy openai', 'x-portkey-virtual-key': 'prod' },
      'openai',
      STORED_KEY,
    ],
    [
      'a stored provider and the mode',
      { 'x-portkey-mode': 'proxy openai', 'x-portkey-provider': '@prod' },
      'openai',
      STORED_KEY,
    ],
    ['a config 2.0', config({ virtual_key: 'prod' }), 'openai', STORED_KEY],
    [
      'a config 1.0',
      config({ mode: 'single', options: [{ provider: 'groq', api_key: 'k-1', retry: 2 }] }),
      'groq',
      'k-1',
    ],
    ['the short form', config({ provider: 'groq', api_key: 'k-1', cache: 'simple', retry: 2 }), 'groq', 'k-1'],
    ['a saved config', { ...own, 'x-portkey-config': 'pc-single-1' }, 'groq', PROVIDER_KEY],
    [
      'a config without a provider, and the mode',
      { ...own, ...config({ retry: 1 }), 'x-portkey-mode': 'proxy groq' },
      'groq',
      PROVIDER_KEY,
    ],
  ]
  test.each(cases)('%s', async (name, headers, provider, key) => {
    const reply = await scene.send(`/v1/proxy/chat/completions?case=${encodeURIComponent(name)}`, {
      body: CHAT,
      headers,
    })
    expect(reply.status).toBe(200)
    expect(scene.last()).toMatchObject({ provider, text: CHAT })
    expect(scene.last().headers.get('authorization')).toBe(`Bearer ${key}`)
    expect(reply.headers.get('x-portkey-last-used-option-index')).toBe('0')
    expect(reply.headers.get('x-portkey-provider')).toBe(provider)
  })

  test.each([
    'openai',
    'proxy',
    'proxy ',
    'proxy openai groq',
    'proxyopenai',
    'fallback openai',
    'single',
    'proxy,openai',
  ])("the mode '%s' says nobody", async (mode) => {
    const reply = await scene.send('/v1/proxy/chat/completions', {
      body: CHAT,
      headers: { ...MODE, 'x-portkey-mode': mode, 'x-portkey-provider': 'openai' },
    })
    expect([reply.status, reply.body]).toMatchObject([400, { status: 'failure', error: { param: 'x-gateway-mode' } }])
    expect(scene.providers.arrived).toEqual([])
  })

  test.each([
    ['nobody', {}],
    ['a provider nobody has', { 'x-portkey-mode': 'proxy nobody' }],
  ])('%s is refused', async (_, headers) => {
    const reply = await scene.send('/v1/proxy/chat/completions', { body: CHAT, headers })
    expect([reply.status, reply.body.status, scene.providers.arrived.length]).toEqual([400, 'failure', 0])
  })

  test('the next option, when the config has one', async () => {
    scene.providers.answer = (arrived) =>
      arrived.provider === 'openai' ? new Response('busy', { status: 503 }) : usualAnswer(arrived)
    const options = [{ virtual_key: 'prod' }, { provider: 'groq', api_key: 'k-1' }]
    const reply = await scene.send('/v1/proxy/chat/completions', {
      body: CHAT,
      headers: config({ mode: 'fallback', options }),
    })
    expect([reply.status, reply.headers.get('x-portkey-last-used-option-index')]).toEqual([200, '1'])
    expect(scene.last()).toMatchObject({ provider: 'groq', text: CHAT })
  })
})

describe('what is passed on', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])(
    '%s, with the rest of its path and its query',
    async (method) => {
      const body = method === 'GET' ? {} : { body: '{"a":1}' }
      const reply = await scene.send('/v1/proxy/files/file-1/content?limit=2&after=a%2Fb', {
        method,
        headers: MODE,
        ...body,
      })
      expect([reply.status, reply.body]).toEqual([200, { ok: true }])
      expect(scene.last()).toMatchObject({ method, target: '/files/file-1/content?limit=2&after=a%2Fb' })
    },
  )

  test.each([
    ['/v1/proxy/v1/messages', '/messages'],
    ['/v1/proxy/messages', '/messages'],
    ['/v1/proxy/v1/complete', '/complete'],
    ['/v1/proxy/v1', ''],
  ])('%s: a version that the base URL has is not doubled', async (path, target) => {
    await scene.send(path, {
      body: '{}',
      headers: { 'x-portkey-mode': 'proxy anthropic', 'x-api-key': PROVIDER_KEY, 'anthropic-version': '2023-01-01' },
    })
    expect(scene.last()).toMatchObject({ provider: 'anthropic', target })
    expect(scene.last().headers.get('x-api-key')).toBe(PROVIDER_KEY)
    expect(scene.last().headers.get('anthropic-version')).toBe('2023-01-01')
  })

  test.each([
    ['JSON', CHAT, 'application/json'],
    ['a form', 'model=whisper-1&x=%20', 'application/x-www-form-urlencoded'],
    ['bytes', bytesOf(70_000), 'application/octet-stream'],
    ['text', 'Grüße', 'text/plain; charset=utf-8'],
  ] as const)('%s, byte by byte, both ways', async (_, body, type) => {
    const answer = bytesOf(50_000)
    scene.providers.answer = () =>
      new Response(answer, { headers: { 'content-type': 'audio/mpeg', 'x-vendor': 'own' } })
    const reply = await scene.send('/v1/proxy/some/place', { body, headers: { ...MODE, 'content-type': type } })
    const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
    expect([scene.last().headers.get('content-type'), Buffer.compare(scene.last().bytes, sent)]).toEqual([type, 0])
    expect([reply.headers.get('content-type'), Buffer.compare(reply.bytes, answer)]).toEqual(['audio/mpeg', 0])
    expect(reply.headers.get('x-vendor')).toBe('own')
  })

  test('a form with a file', async () => {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new Blob([bytesOf(20_000)]), 'sound.mp3')
    const whole = new Response(form)
    const type = whole.headers.get('content-type') ?? ''
    const body = new Uint8Array(await whole.arrayBuffer())
    await scene.send('/v1/proxy/audio/transcriptions', { body, headers: { ...MODE, 'content-type': type } })
    expect([scene.last().headers.get('content-type'), Buffer.compare(scene.last().bytes, body)]).toEqual([type, 0])
    expect(await scene.gateway.record(({ model }) => model === 'whisper-1')).toMatchObject({ route: '/v1/proxy/*' })
  })

  test('a stream, as it comes', async () => {
    const reply = await scene.send('/v1/proxy/chat/completions', {
      body: CHAT.replace('{', '{"stream":true,'),
      headers: MODE,
    })
    const same = await (
      await fetch(`${scene.providers.baseURL('openai')}/chat/completions`, { method: 'POST', body: scene.last().text })
    ).text()
    expect([reply.status, reply.text]).toEqual([200, same])
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
  })

  test('every header of the client, but those of the gateway, of keys, and of the connection', async () => {
    await scene.send('/v1/proxy/some/place', {
      body: '{}',
      headers: {
        ...MODE,
        'user-agent': 'an-application/1.0',
        'x-custom': 'kept',
        accept: 'application/x-own',
        'openai-organization': 'org-1',
        'idempotency-key': 'once',
        'x-portkey-metadata': '{"team":"a"}',
        'x-gateway-trace-id': 'trace-1',
        'x-api-key': 'another-key',
        'api-key': 'another-key',
        connection: 'x-hop',
        'x-hop': 'dropped',
        te: 'trailers',
      },
    })
    const { headers } = scene.last()
    const kept = ['user-agent', 'x-custom', 'accept', 'openai-organization', 'idempotency-key']
    expect(kept.map((name) => headers.get(name))).toEqual([
      'an-application/1.0',
      'kept',
      'application/x-own',
      'org-1',
      'once',
    ])
    expect(headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
    expect([...headers.keys()].filter((name) => /^x-(?:gateway|portkey|hop)|api-key|^te$/.test(name))).toEqual([])
    expect([...headers.values()].filter((value) => value.includes('another-key'))).toEqual([])
  })

  test('the error of the provider, in its own words', async () => {
    scene.providers.answer = () => new Response('{"detail":"no"}', { status: 422, headers: { 'x-vendor': 'own' } })
    const reply = await scene.send('/v1/proxy/chat/completions', { body: CHAT, headers: MODE })
    expect([reply.status, reply.text, reply.headers.get('x-vendor')]).toEqual([422, '{"detail":"no"}', 'own'])
    expect(reply.headers.get('deprecation')).toBe('@1701993600')
    expect(reply.headers.get('link')).toBe('</v1/gateway>; rel="successor-version"')
  })
})
