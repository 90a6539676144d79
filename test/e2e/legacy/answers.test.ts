import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { usualAnswer } from './support/provider.ts'
import { FIXED_KEY, type Scene, startScene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.providers.answer = usualAnswer
  scene.providers.arrived.length = 0
})

const CHAT = { model: 'model-1', messages: [{ role: 'user', content: 'Hello' }] }
const TEXT = { model: 'model-1', prompt: 'Once' }
const EMBEDDING = { model: 'model-1', input: 'Hello' }

/** Old route, its successor, and what both take. */
const ROUTES = [
  ['/v1/chatComplete', '/v1/chat/completions', CHAT],
  ['/v1/complete', '/v1/completions', TEXT],
  ['/v1/embed', '/v1/embeddings', EMBEDDING],
] as const
const STREAMING = ROUTES.filter(([route]) => route !== '/v1/embed')

const CONFIG = { mode: 'single', options: [{ virtual_key: 'prod' }] }

describe.each(ROUTES)('%s', (old, successor, params) => {
  const config = { virtual_key: 'prod' }
  const today = (body: object) =>
    scene.send(successor, { body, headers: { 'x-gateway-config': JSON.stringify(config) } })

  test('answers as its successor, and asks the same of the provider', async () => {
    const then = await scene.send(old, { body: { config: CONFIG, params } })
    const asked = scene.last()
    const now = await today(params)
    expect([then.status, then.body]).toEqual([200, now.body])
    expect([asked.target, asked.text]).toEqual([scene.last().target, scene.last().text])
    expect(then.headers.get('content-type')).toBe(now.headers.get('content-type'))
  })

  test('says that it is on its way out, well or not', async () => {
    for (const body of [{ config: CONFIG, params }, { config: CONFIG, params: 5 }, '{', '']) {
      const { headers } = await scene.send(old, { body })
      expect(headers.get('deprecation')).toBe('@1701993600')
      expect(headers.get('link')).toBe(`<${successor}>; rel="successor-version"`)
    }
    expect((await today(params)).headers.has('deprecation')).toBe(false)
  })

  test('gives the words of the provider in the one form of errors', async () => {
    scene.providers.answer = () =>
      Response.json(
        { error: { message: 'no such model', type: 'invalid_request_error', code: 'gone' } },
        { status: 404 },
      )
    const then = await scene.send(old, { body: { config: CONFIG, params } })
    const now = await today(params)
    expect([then.status, then.body]).toEqual([404, now.body])
    expect(then.body).toMatchObject({
      error: { message: expect.stringContaining('no such model') },
      provider: 'openai',
    })
    expect(then.headers.get('x-gateway-last-used-option-index')).toBe('0')
    expect(now.headers.get('x-gateway-last-used-option-index')).toBe('config')
  })

  test('a provider that cannot be asked is an error of the gateway, with no more words than that', async () => {
    scene.providers.answer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const reply = await scene.send(old, { body: { config: CONFIG, params } })
    expect([reply.status, reply.body]).toMatchObject([502, { error: { code: 'upstream_invalid' } }])
  })
})

describe.each(STREAMING)('a stream of %s', (old, successor, params) => {
  test('is that of its successor', async () => {
    const body = { ...params, stream: true }
    const then = await scene.send(old, { body: { config: CONFIG, params: body } })
    expect(scene.last().body).toMatchObject(body)
    const now = await scene.send(successor, { body, headers: { 'x-gateway-provider': '@prod' } })
    expect([then.status, then.text]).toEqual([200, now.text])
    expect(then.headers.get('content-type')).toContain('text/event-stream')
    expect(then.text).toContain('Hello')
    expect(then.text).toEndWith('data: [DONE]\n\n')
    expect(then.headers.get('x-gateway-last-used-option-index')).toBe('0')
  })

  test('that breaks at once is another option’s', async () => {
    scene.providers.answer = (arrived) =>
      arrived.provider === 'openai'
        ? new Response('{"error":{"message":"busy"}}', { status: 529 })
        : usualAnswer(arrived)
    const reply = await scene.send(old, {
      body: {
        config: { mode: 'fallback', options: [{ virtual_key: 'prod' }, { provider: 'together-ai', api_key: 'k-1' }] },
        params: { ...params, stream: true },
      },
    })
    expect([reply.status, reply.headers.get('x-gateway-last-used-option-index')]).toEqual([200, '1'])
    expect(reply.text).toContain(' from together-ai')
  })

  test('that comes from the cache is the same again', async () => {
    const body = { config: { virtual_key: 'prod', cache: 'simple' }, params: { ...params, stream: true, user: old } }
    const texts: string[] = []
    for (const status of ['MISS', 'HIT']) {
      const reply = await scene.send(old, { body })
      expect(reply.headers.get('x-gateway-cache-status')).toBe(status)
      texts.push(textOf(reply.text))
    }
    expect(texts).toEqual(['Hello from openai', 'Hello from openai'])
    expect(scene.providers.arrived).toHaveLength(1)
  })
})

/** The words of a stream, of chat or of text. */
const textOf = (stream: string): string =>
  [...stream.matchAll(/"(?:content|text)":"([^"]*)"/g)].map(([, words = '']) => words).join('')

describe('the log', () => {
  test('counts the calls of each old route by key, and no others', async () => {
    const fresh = await startScene()
    const config = { provider: 'groq' }
    const sent = [
      [{ config: CONFIG, params: CHAT }, undefined],
      [{ config: CONFIG, params: 5 }, undefined],
      [{ params: CHAT }, FIXED_KEY],
      [{ config, params: CHAT }, undefined],
    ] as const
    for (const [body, key] of sent)
      await fresh.send('/v1/chatComplete', { body, ...(key === undefined ? {} : { key }) })
    await fresh.send('/v1/embed', { body: { config: CONFIG, params: EMBEDDING } })
    await fresh.send('/v1/chat/completions', { body: CHAT, headers: { 'x-gateway-provider': '@prod' } })
    const seen = fresh.gateway.records.map(({ route, api_key_id, legacy_calls, endpoint, status }) => [
      route,
      api_key_id,
      legacy_calls,
      endpoint,
      status,
    ])
    expect(seen).toEqual([
      ['/v1/chatComplete', 'key-workspace', 1, 'chat', 200],
      ['/v1/chatComplete', 'key-workspace', 2, 'chat', 400],
      ['/v1/chatComplete', 'key-fixed', 1, 'chat', 401],
      ['/v1/chatComplete', 'key-workspace', 3, 'chat', 401],
      ['/v1/embed', 'key-workspace', 1, 'embeddings', 200],
      ['/v1/chat/completions', 'key-workspace', undefined, 'chat', 200],
    ])
    await fresh.close()
  })
})
