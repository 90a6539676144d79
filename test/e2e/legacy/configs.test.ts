import { describe, expect, test } from 'bun:test'
import { CHAT, keyOf, startChatting } from './support/chatting.ts'
import { FIXED_KEY, PROVIDER_KEY, STORED_KEY } from './support/scene.ts'

const at = startChatting()

describe('the config of an old body', () => {
  const key = { provider: 'openai', api_key: PROVIDER_KEY }
  const forms: readonly (readonly [string, unknown, string, string])[] = [
    ['1.0, one option', { mode: 'single', options: [key] }, 'openai', PROVIDER_KEY],
    ['1.0, no mode', { options: [key] }, 'openai', PROVIDER_KEY],
    ['1.0, mode null', { mode: null, options: [key] }, 'openai', PROVIDER_KEY],
    [
      '1.0, fields that are null',
      { mode: 'single', options: [{ ...key, retry: null, weight: null, cache: null }] },
      'openai',
      PROVIDER_KEY,
    ],
    [
      '1.0, camelCase',
      { mode: 'single', options: [{ provider: 'openai', apiKey: PROVIDER_KEY, overrideParams: { n: 1 } }] },
      'openai',
      PROVIDER_KEY,
    ],
    ['1.0, a virtual key', { mode: 'single', options: [{ virtual_key: 'prod' }] }, 'openai', STORED_KEY],
    [
      '1.0, a virtual key and its provider',
      { mode: 'single', options: [{ provider: 'groq', virtual_key: 'prod' }] },
      'openai',
      STORED_KEY,
    ],
    ['short form', key, 'openai', PROVIDER_KEY],
    ['short form with its mode', { mode: 'single', ...key }, 'openai', PROVIDER_KEY],
    ['short form with a virtual key', { virtual_key: 'prod', retry: 2, cache: 'simple' }, 'openai', STORED_KEY],
    ['2.0, one target', { strategy: { mode: 'single' }, targets: [key] }, 'openai', PROVIDER_KEY],
    ['2.0, flat', { ...key, retry: { attempts: 1 }, cache: { mode: 'simple', max_age: 60 } }, 'openai', PROVIDER_KEY],
    [
      'an A/B test',
      {
        mode: 'ab_test',
        options: [
          { ...key, weight: 1 },
          { provider: 'groq', weight: 0 },
        ],
      },
      'openai',
      PROVIDER_KEY,
    ],
    [
      'a load balance',
      {
        mode: 'loadbalance',
        options: [
          { provider: 'groq', weight: 0 },
          { ...key, weight: 0.5 },
        ],
      },
      'openai',
      PROVIDER_KEY,
    ],
  ]
  test.each(forms)('%s', async (_, config, provider, sent) => {
    const reply = await at.chat(config)
    expect([reply.status, at.asked()]).toEqual([200, [provider]])
    expect(keyOf(at.scene.last())).toBe(`Bearer ${sent}`)
    expect(reply.body).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'Hello from openai' } }],
    })
    expect(at.scene.last().body).toEqual({ ...CHAT, ...(JSON.stringify(config).includes('"n":1') ? { n: 1 } : {}) })
  })

  test.each([
    ['pc-single-1', ['groq'], '0'],
    ['pc-nested-2', ['groq', 'deepseek'], '1'],
  ])('the slug of a saved one: %s', async (slug, providers, index) => {
    if (providers.length > 1) at.failing({ groq: 500 })
    const reply = await at.chat(slug, CHAT, { headers: { authorization: `Bearer ${PROVIDER_KEY}` } })
    expect([reply.status, at.asked()]).toEqual([200, providers])
    expect(reply.headers.get('x-gateway-last-used-option-index')).toBe(index)
    expect(reply.headers.get('x-portkey-last-used-option-index')).toBe(index)
  })

  test.each([
    ['null', null],
    ['both null', { mode: null, options: null }],
    ['absent', undefined],
  ])('%s leaves it to the headers', async (_, config) => {
    const reply = await at.chat(config, CHAT, {
      headers: { 'x-portkey-config': '{"mode":"single","options":[{"virtual_key":"prod"}]}' },
    })
    expect([reply.status, at.asked()]).toEqual([200, ['openai']])
    const none = await at.chat(config)
    expect([none.status, none.body.status]).toEqual([400, 'failure'])
  })

  test('wins over the one in the headers', async () => {
    await at.chat({ virtual_key: 'prod' }, CHAT, { headers: { 'x-portkey-config': 'pc-single-1' } })
    expect(at.asked()).toEqual(['openai'])
  })
})

describe('what cannot be used is refused', () => {
  const SECRET = 'sk-secret-in-a-config'
  const bad: readonly (readonly [string, unknown, string])[] = [
    ['a mode of its own', { mode: 'proxy', options: [{ provider: 'openai', api_key: SECRET }] }, 'mode'],
    ['an experiment', { mode: 'scientist', options: [{ provider: 'openai', api_key: SECRET }] }, 'mode'],
    ['no options', { mode: 'fallback', options: [] }, 'targets'],
    ['options that are null', { mode: 'single', options: null }, 'config'],
    ['an option that is none', { mode: 'single', options: ['openai'] }, 'targets[0]'],
    ['a provider nobody has', { provider: 'nobody', api_key: SECRET }, 'nobody'],
    ['an unknown key', { provider: 'openai', api_key: SECRET, fancy: 1 }, 'fancy'],
    ['nothing', {}, 'config'],
    ['an unknown slug', 'pc-unknown', 'pc-unknown'],
    ['a text', 'some text', 'JSON'],
    ['a number', 5, 'object'],
    ['a list', [{ provider: 'openai' }], 'object'],
    [
      'targets in targets',
      { strategy: { mode: 'fallback' }, targets: [{ targets: [{ provider: 'openai', api_key: SECRET }] }] },
      '/v1/chat/completions',
    ],
  ]
  test.each(bad)('%s', async (_, config, word) => {
    const reply = await at.chat(config)
    expect([reply.status, reply.body.status, at.asked()]).toEqual([400, 'failure', []])
    expect(reply.text).toContain(word)
    expect(reply.text).not.toContain(SECRET)
  })

  test.each([{ params: null }, { params: 'text' }, { params: 5 }, { params: [CHAT] }])('%o', async ({ params }) => {
    const reply = await at.chat({ virtual_key: 'prod' }, params)
    expect([reply.status, reply.body]).toMatchObject([400, { error: { param: 'params' } }])
  })

  test('params that are missing', async () => {
    const reply = await at.scene.send('/v1/chatComplete', { body: { config: { virtual_key: 'prod' } } })
    expect([reply.status, reply.body]).toMatchObject([400, { error: { param: 'params' } }])
  })

  test('a body that is no JSON', async () => {
    const reply = await at.scene.send('/v1/chatComplete', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([reply.status, at.asked()]).toEqual([400, []])
  })

  test('any config, with a key that has one of its own', async () => {
    for (const config of [
      { virtual_key: 'prod' },
      'pc-nested-2',
      { mode: 'single', options: [{ virtual_key: 'prod' }] },
    ]) {
      const reply = await at.chat(config, CHAT, { key: FIXED_KEY })
      expect([reply.status, reply.body]).toMatchObject([400, { error: { code: 'invalid_config' } }])
    }
    expect(at.asked()).toEqual([])
    const own = await at.chat({ mode: null, options: null }, CHAT, {
      key: FIXED_KEY,
      headers: { authorization: `Bearer ${PROVIDER_KEY}` },
    })
    expect([own.status, at.asked()]).toEqual([200, ['groq']])
  })
})
