import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { usualAnswer } from './support/provider.ts'
import { PROVIDER_KEY, type Reply, type Scene, startScene } from './support/scene.ts'

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

/** A chat that no other test asks for: the cache of the gateway is one for all. */
const chat = (name: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  scene.send('/v1/proxy/chat/completions', {
    body: { model: 'model-1', messages: [{ role: 'user', content: name }] },
    headers: { ...MODE, ...headers },
  })

/** Fails so often, then answers. */
const failing = (times: number): void => {
  let left = times
  scene.providers.answer = (arrived) =>
    left-- > 0 ? new Response('busy', { status: 503, headers: { 'retry-after-ms': '1' } }) : usualAnswer(arrived)
}

describe('the retry count', () => {
  test.each([
    ['0', 1, 503, '0', 1],
    ['1', 1, 200, '1', 2],
    ['3', 5, 503, '-1', 4],
    ['5', 5, 200, '5', 6],
    ['99', 9, 503, '-1', 6],
  ] as const)('%s, at %i failures', async (count, failures, status, retries, asked) => {
    failing(failures)
    const reply = await chat('retried', { 'x-portkey-retry-count': count })
    expect([reply.status, reply.headers.get('x-portkey-retry-attempt-count')]).toEqual([status, retries])
    expect(scene.providers.arrived).toHaveLength(asked)
  })

  test.each(['-1', '1.5', 'many', ''])("'%s' is refused", async (count) => {
    const reply = await chat('refused', { 'x-portkey-retry-count': count })
    expect([reply.status, reply.body]).toMatchObject([400, { error: { param: 'x-gateway-retry-count' } }])
  })
})

describe('the cache', () => {
  const status = async (name: string, headers: Readonly<Record<string, string>>): Promise<string | null> =>
    (await chat(name, headers)).headers.get('x-portkey-cache-status')

  test.each([
    ['true', {}],
    ['TRUE', {}],
    ['simple', {}],
    ['semantic', {}],
    ['true', { 'cache-control': 'max-age=1000' }],
    ['true', { 'cache-control': 'max-age:1000' }],
  ])('%s %o', async (cache, more) => {
    const name = `${cache} ${JSON.stringify(more)}`
    const headers = { 'x-portkey-cache': cache, ...more }
    expect(await status(name, headers)).toBe('MISS')
    expect(await status(name, headers)).toBe('HIT')
    expect(scene.providers.arrived).toHaveLength(1)
    const anew = await status(name, { ...headers, 'x-portkey-cache-force-refresh': 'True' })
    expect([anew, scene.providers.arrived.length]).toEqual(['REFRESH', 2])
    expect(await status(name, headers)).toBe('HIT')
  })

  test('is off unless it is asked for', async () => {
    for (const headers of [{}, { 'x-portkey-cache': 'false' }, { 'cache-control': 'max-age=1000' }]) {
      expect(await status('uncached', headers)).toBe('DISABLED')
    }
    expect(scene.providers.arrived).toHaveLength(3)
  })

  test('has no other mode', async () => {
    const reply = await chat('odd', { 'x-portkey-cache': 'sometimes' })
    expect([reply.status, reply.body]).toMatchObject([400, { error: { param: 'x-gateway-cache' } }])
  })

  test('keeps an answer as it came, and no error', async () => {
    const words = '{ "choices" : [] ,\n"usage":{"prompt_tokens":1,"completion_tokens":1} }'
    scene.providers.answer = () =>
      new Response(words, { headers: { 'content-type': 'application/json; charset=utf-8' } })
    for (const expected of ['MISS', 'HIT']) {
      const reply = await chat('as it came', { 'x-portkey-cache': 'true' })
      expect([reply.headers.get('x-portkey-cache-status'), reply.text]).toEqual([expected, words])
      expect(reply.headers.get('content-type')).toStartWith('application/json')
    }
    failing(2)
    for (const expected of [503, 503, 200]) {
      expect((await chat('no error', { 'x-portkey-cache': 'true' })).status).toBe(expected)
    }
  })
})

describe('the trace and the labels', () => {
  test.each(['metadata', 'meta'])('are logged: %s', async (name) => {
    const trace = `trace-with-${name}`
    const reply = await chat('labelled', {
      'x-portkey-trace-id': trace,
      [`x-portkey-${name}`]: '{"_user":"u-1","team":5}',
    })
    expect(reply.headers.get('x-portkey-trace-id')).toBe(trace)
    expect(reply.headers.get('x-gateway-trace-id')).toBe(trace)
    expect(await scene.gateway.record(({ trace_id }) => trace_id === trace)).toMatchObject({
      route: '/v1/proxy/*',
      endpoint: 'proxy',
      provider: 'openai',
      metadata: { _user: 'u-1', team: '5' },
      usage: { total_tokens: 5 },
    })
  })

  test('that cannot be read are none', async () => {
    expect((await chat('unreadable', { 'x-portkey-trace-id': 'trace-2', 'x-portkey-metadata': '{' })).status).toBe(200)
    expect(await scene.gateway.record(({ trace_id }) => trace_id === 'trace-2')).toMatchObject({ metadata: {} })
  })
})
