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

const own = { authorization: `Bearer ${PROVIDER_KEY}` }

/** Bodies of 2023 as their authors wrote them: blanks and order count. */
const ANTHROPIC = `{ "prompt": "\\n\\nHuman: Hi\\n\\nAssistant:", "model": "claude-2",
  "max_tokens_to_sample": 256, "stop_sequences": ["\\n\\nHuman:"] }`
const COHERE = '{"prompt":"Once upon a time","max_tokens":20,"return_likelihoods":"NONE","truncate":"END"}'
const OPENAI = '{"n":2, "model":"text-davinci-003","prompt":"Once"}'

describe('a body in the format of one vendor', () => {
  const cases: readonly (readonly [string, string, string, string, Record<string, string>, string, string])[] = [
    [
      'a completion for Anthropic',
      '/v1/complete',
      ANTHROPIC,
      'anthropic',
      { 'x-api-key': PROVIDER_KEY },
      '/complete',
      'x-api-key',
    ],
    ['likelihoods', '/v1/complete', COHERE, 'together-ai', own, '/completions', 'authorization'],
    ['two choices', '/v1/complete', OPENAI, 'openai', own, '/completions', 'authorization'],
    [
      'a chat',
      '/v1/chatComplete',
      '{"model":"m", "messages":[], "n":1.0}',
      'openai',
      own,
      '/chat/completions',
      'authorization',
    ],
    ['an embedding', '/v1/embed', '{"input" :["a"],"model":"m"}', 'openai', own, '/embeddings', 'authorization'],
  ]

  test.each(cases)('%s passes as it is', async (_, route, body, provider, key, target, header) => {
    const words = `{ "completion" : " Hi",\n"stop_reason":"stop_sequence" }`
    scene.providers.answer = () =>
      new Response(words, { status: 201, headers: { 'content-type': 'application/json', 'x-vendor': 'own' } })
    const reply = await scene.send(route, {
      body,
      headers: { ...key, 'content-type': 'application/json', 'x-portkey-provider': provider, 'x-custom': 'kept' },
    })
    expect([reply.status, reply.text, reply.headers.get('x-vendor')]).toEqual([201, words, 'own'])
    const { headers, ...arrived } = scene.last()
    expect(arrived).toMatchObject({ method: 'POST', provider, target, text: body })
    expect(headers.get(header)).toContain(PROVIDER_KEY)
    expect(headers.get('x-custom')).toBe('kept')
    expect([...headers.keys()].filter((name) => /^x-(?:gateway|portkey)-/.test(name))).toEqual([])
    expect(reply.headers.get('deprecation')).toBe('@1701993600')
    expect(reply.headers.get('x-portkey-last-used-option-index')).toBe('0')
  })

  test.each([
    ['the mode', { 'x-portkey-mode': 'proxy openai', ...own }, PROVIDER_KEY],
    ['a virtual key', { 'x-portkey-virtual-key': 'prod' }, STORED_KEY],
    ['a stored provider', { 'x-gateway-provider': '@prod' }, STORED_KEY],
    ['the config of the headers', { 'x-portkey-config': '{"virtual_key":"prod"}' }, STORED_KEY],
  ])('goes where %s says', async (_, headers, key) => {
    const reply = await scene.send('/v1/complete', { body: OPENAI, headers })
    expect(reply.status).toBe(200)
    expect(scene.last()).toMatchObject({ provider: 'openai', target: '/completions', text: OPENAI })
    expect(scene.last().headers.get('authorization')).toBe(`Bearer ${key}`)
  })

  test('that names nobody is refused', async () => {
    const reply = await scene.send('/v1/complete', { body: ANTHROPIC })
    expect([reply.status, reply.body.status, scene.providers.arrived.length]).toEqual([400, 'failure', 0])
  })

  test('is limited and logged as any call, with its tokens', async () => {
    const body = OPENAI.replace('003', 'metered')
    await scene.send('/v1/complete', { body, headers: { ...own, 'x-portkey-provider': 'openai' } })
    const record = await scene.gateway.record(({ model }) => model === 'text-davinci-metered')
    expect(record).toMatchObject({
      route: '/v1/complete',
      endpoint: 'proxy',
      provider: 'openai',
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
      legacy_calls: expect.any(Number),
    })
  })

  test('streams as it is', async () => {
    const events = 'event: completion\r\ndata: {"completion":" Hi"}\r\n\r\nevent: ping\r\ndata: {}\r\n\r\n'
    scene.providers.answer = () => new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    const reply = await scene.send('/v1/complete', {
      body: ANTHROPIC.replace('{', '{"stream":true,'),
      headers: { 'x-portkey-mode': 'proxy anthropic', 'x-api-key': PROVIDER_KEY },
    })
    expect([reply.status, reply.text]).toEqual([200, events])
  })

  test('gets the error of the vendor in its own words', async () => {
    scene.providers.answer = () => new Response('{"detail":"no"}', { status: 422, headers: { 'x-vendor': 'own' } })
    const reply = await scene.send('/v1/complete', {
      body: OPENAI,
      headers: { ...own, 'x-portkey-provider': 'openai' },
    })
    expect([reply.status, reply.text, reply.headers.get('x-vendor')]).toEqual([422, '{"detail":"no"}', 'own'])
  })

  test('is kept and asked again as the old headers say', async () => {
    const headers = {
      ...own,
      'x-portkey-mode': 'proxy openai',
      'x-portkey-cache': 'true',
      'cache-control': 'max-age:90',
    }
    const body = OPENAI.replace('Once', 'Twice')
    const statuses: (string | null)[] = []
    for (const more of [{}, {}, { 'x-portkey-cache-force-refresh': 'true' }]) {
      const reply = await scene.send('/v1/complete', { body, headers: { ...headers, ...more } })
      statuses.push(reply.headers.get('x-portkey-cache-status'))
    }
    expect(statuses).toEqual(['MISS', 'HIT', 'REFRESH'])
    const left = [503, 503]
    scene.providers.answer = (arrived) => {
      const status = left.shift()
      return status === undefined ? usualAnswer(arrived) : new Response('busy', { status })
    }
    const reply = await scene.send('/v1/complete', {
      body: OPENAI,
      headers: { ...own, 'x-portkey-mode': 'proxy openai', 'x-portkey-retry-count': '2' },
    })
    expect([reply.status, reply.headers.get('x-portkey-retry-attempt-count')]).toEqual([200, '2'])
  })
})
