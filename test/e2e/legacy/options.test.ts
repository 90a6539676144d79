import { describe, expect, test } from 'bun:test'
import { CHAT, keyOf, MESSAGES, startChatting } from './support/chatting.ts'
import { usualAnswer } from './support/provider.ts'

const at = startChatting()

describe('an option', () => {
  const single = (option: object) => ({ mode: 'single', options: [{ virtual_key: 'prod', ...option }] })

  test('brings parameters of the model, its own over those of the call', async () => {
    await at.chat(single({ override_params: { model: 'model-2', temperature: 0.5, stop_sequences: ['END'] } }), {
      ...CHAT,
      temperature: 1,
      max_tokens: 7,
    })
    expect(at.scene.last().body).toEqual({ ...CHAT, model: 'model-2', temperature: 0.5, max_tokens: 7, stop: ['END'] })
  })

  test('holds parameters and the question beside its own fields', async () => {
    const reply = await at.chat(single({ messages: MESSAGES, model: 'model-3', max_tokens: 9 }), {})
    expect([reply.status, at.scene.last().body]).toEqual([200, { messages: MESSAGES, model: 'model-3', max_tokens: 9 }])
    const complete = {
      config: single({ prompt: 'Once', model: 'model-4', n: 2, timeout: 30, organization: 'o-1' }),
      params: {},
    }
    await at.scene.send('/v1/complete', { body: complete })
    expect(at.scene.last()).toMatchObject({ target: '/completions' })
    expect(at.scene.last().body).toEqual({ prompt: 'Once', model: 'model-4', n: 2 })
    await at.scene.send('/v1/embed', { body: { config: single({ input: 'Hi', model: 'model-5' }), params: {} } })
    expect(at.scene.last()).toMatchObject({ target: '/embeddings', body: { input: 'Hi', model: 'model-5' } })
  })

  test.each([
    ['a number', 3, [503, 503, 200], '2'],
    ['an object', { attempts: 2, on_status_codes: [418] }, [418, 200], '1'],
    ['not of this status', { attempts: 2, on_status_codes: [418] }, [503], '0'],
    ['none left', 1, [503, 503], '-1'],
    ['more than five count as five', 50, [503, 503, 503, 503, 503, 503], '-1'],
  ])('is asked again: %s', async (_, retry, statuses, count) => {
    const left = [...statuses]
    at.scene.providers.answer = (arrived) => {
      const status = left.shift() ?? 200
      return status === 200 ? usualAnswer(arrived) : Response.json({ error: { message: 'no' } }, { status })
    }
    const reply = await at.chat(single({ retry }))
    expect([reply.status, reply.headers.get('x-portkey-retry-attempt-count')]).toEqual([statuses.at(-1) ?? 0, count])
    expect(at.asked()).toHaveLength(statuses.length)
  })

  test('has the retries and the cache of the whole config, unless it has its own', async () => {
    at.failing({ openai: 503, groq: 503 })
    const config = {
      mode: 'fallback',
      retry: 1,
      options: [{ virtual_key: 'prod' }, { provider: 'groq', api_key: 'k-1', retry: 0 }],
    }
    expect((await at.chat(config)).status).toBe(503)
    expect(at.asked()).toEqual(['openai', 'openai', 'groq'])
  })

  test.each([
    ['cache', { cache: 'simple' }],
    ['an object', { cache: { mode: 'simple', max_age: 90 } }],
    ['the switch before', { cache: true }],
    ['the switch of the client', { cache: true, cache_status: 'simple', cache_age: 'max-age=90' }],
    ['only the status', { cacheStatus: 'simple' }],
  ])('is answered from the cache: %s', async (name, option) => {
    const params = { ...CHAT, messages: [{ role: 'user', content: `cached by ${name}` }] }
    const status = async (more: object = {}): Promise<string | null> =>
      (await at.chat(single({ ...option, ...more }), params)).headers.get('x-portkey-cache-status')
    expect([await status(), await status()]).toEqual(['MISS', 'HIT'])
    expect(await status({ cache_force_refresh: true })).toBe('REFRESH')
    expect(at.asked()).toHaveLength(2)
  })

  test.each([{ cache: false }, { cache: null, cache_status: '' }, { cache_age: 90 }])(
    'has no cache: %o',
    async (option) => {
      for (const expected of [['openai'], ['openai', 'openai']]) {
        const reply = await at.chat(single(option))
        expect([reply.headers.get('x-portkey-cache-status'), at.asked()]).toEqual(['DISABLED', expected])
      }
    },
  )

  test('names the trace and the labels of its call, which the headers say better', async () => {
    const option = { trace_id: 'trace-of-option', metadata: { _user: 'u-1', team: 'a' } }
    const reply = await at.chat(single(option))
    expect(reply.headers.get('x-portkey-trace-id')).toBe('trace-of-option')
    const own = await at.scene.gateway.record(({ trace_id }) => trace_id === 'trace-of-option')
    expect(own.metadata).toEqual({ _user: 'u-1', team: 'a' })
    await at.chat(single(option), CHAT, {
      headers: { 'x-portkey-trace-id': 'trace-of-header', 'x-portkey-metadata': '{"team":"b"}' },
    })
    const said = await at.scene.gateway.record(({ trace_id }) => trace_id === 'trace-of-header')
    expect(said.metadata).toEqual({ _user: 'u-1', team: 'b' })
  })
})

describe('a fallback', () => {
  const options = [
    { virtual_key: 'prod' },
    { provider: 'groq', api_key: 'k-1' },
    { provider: 'deepseek', api_key: 'k-2' },
  ]

  test('goes on to the next option, and says which one it was by its number', async () => {
    at.failing({ openai: 500, groq: 404 })
    const reply = await at.chat({ mode: 'fallback', options })
    expect([reply.status, at.asked()]).toEqual([200, ['openai', 'groq', 'deepseek']])
    expect(reply.headers.get('x-portkey-last-used-option-index')).toBe('2')
    expect(keyOf(at.scene.last())).toBe('Bearer k-2')
  })

  test('ends with the status and the words of the last one', async () => {
    at.failing({ openai: 500, groq: 502, deepseek: 418 })
    const reply = await at.chat({ mode: 'fallback', options })
    expect([reply.status, reply.headers.get('x-portkey-last-used-option-index')]).toEqual([418, '2'])
    expect(reply.body).toMatchObject({
      error: { message: expect.stringContaining('deepseek says no') },
      provider: 'deepseek',
    })
  })

  test('of a load balance there is none', async () => {
    at.failing({ openai: 500 })
    const reply = await at.chat({
      mode: 'loadbalance',
      options: [{ virtual_key: 'prod' }, { provider: 'groq', weight: 0 }],
    })
    expect([reply.status, reply.headers.get('x-portkey-last-used-option-index'), at.asked()]).toEqual([
      500,
      '0',
      ['openai'],
    ])
  })
})
