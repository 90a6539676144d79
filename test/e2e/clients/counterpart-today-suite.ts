import { describe, expect, test } from 'bun:test'
import { API_KEY } from '../management/support/scene.ts'
import { type CounterpartScene, clientOfToday, headersOf, recordsOf, STORED_KEY, soon } from './support/counterpart.ts'
import { all, failureOf } from './support/openai-client.ts'

const MESSAGES = [{ role: 'user', content: 'Hello' }]
const CHAT = { model: 'mock', messages: MESSAGES }
const SAID = 'Mock answer to: Hello'

/** What users of the counterpart's current client do, with nothing changed but its base URL and its key. */
export const counterpartTodaySuite = (open: () => CounterpartScene): void => {
  const client = (options: Parameters<typeof clientOfToday>[1] = {}) => clientOfToday(open().gateway, options)
  const mock = () => client({ provider: 'mock' })
  const lastKey = () => open().scene.upstream.requests.at(-1)?.headers.get('authorization')

  describe('the current client of the counterpart', () => {
    test('chats, and hears about the answer', async () => {
      const answer = await mock().chat.completions.create(CHAT)
      expect(answer).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: SAID } }] })
      expect(answer.usage?.total_tokens).toBe(5)
      expect(headersOf(answer)).toMatchObject({
        provider: 'mock',
        'cache-status': 'DISABLED',
        'retry-attempt-count': '0',
        'last-used-option-index': 'config',
        'trace-id': expect.stringMatching(/./),
      })
    })

    test('streams a chat', async () => {
      const chunks = await all(await mock().chat.completions.create({ ...CHAT, stream: true }))
      const words = chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '')
      expect([words.join(''), chunks.length > 3]).toEqual([SAID, true])
      expect(chunks.at(-1)?.choices?.[0]?.finish_reason).toBe('stop')
    })

    test('completes a text, in one piece and as a stream', async () => {
      const answer = await mock().completions.create({ model: 'mock', prompt: 'Hello' })
      expect(answer).toMatchObject({ object: 'text_completion', choices: [{ text: SAID, finish_reason: 'stop' }] })
      const chunks = await all(await mock().completions.create({ model: 'mock', prompt: 'Hello', stream: true }))
      expect(chunks.map(({ choices }) => choices?.[0]?.text ?? '').join('')).toBe(SAID)
    })

    test('embeds', async () => {
      const answer = await mock().embeddings.create({ model: 'mock-embedding', input: ['a', 'b'] })
      expect(answer.data?.map(({ index, embedding = [] }) => [index, embedding.length > 8])).toEqual([
        [0, true],
        [1, true],
      ])
    })

    test('lists models', async () => {
      const { data } = await mock().models.list()
      expect(data).toContainEqual(expect.objectContaining({ id: 'mock-embedding', object: 'model' }))
    })

    test.each([
      ['a virtual key', { virtualKey: 'prod' }],
      ['a stored provider', { provider: '@prod' }],
      ['a config', { config: { virtual_key: 'prod' } }],
      ['a config with targets', { config: { strategy: { mode: 'fallback' }, targets: [{ virtual_key: 'prod' }] } }],
    ])('names %s', async (_, options) => {
      const before = open().scene.upstream.counters.received
      expect(await client(options).chat.completions.create(CHAT)).toMatchObject({
        choices: [{ message: { content: SAID } }],
      })
      expect([lastKey(), open().scene.upstream.counters.received]).toEqual([`Bearer ${STORED_KEY}`, before + 1])
    })

    test('brings a key of its own', async () => {
      await client({ provider: 'openai', Authorization: 'Bearer sk-of-the-caller' }).chat.completions.create(CHAT)
      const { headers } = open().scene.ownUpstream.requests.at(-1) ?? {}
      expect(headers?.get('authorization')).toBe('Bearer sk-of-the-caller')
      expect([...(headers?.keys() ?? [])].filter((name) => name.startsWith('x-portkey-'))).toEqual([])
    })

    test('says config, metadata and trace with one call', async () => {
      const config = { virtual_key: 'prod', cache: { mode: 'simple' }, override_params: { max_tokens: 2 } }
      const answer = await mock().chat.completions.create(CHAT, {
        config,
        metadata: { _user: 'u-1', team: 'a' },
        traceID: 'trace-sdk',
      })
      expect(headersOf(answer)).toMatchObject({ 'trace-id': 'trace-sdk', 'cache-status': 'MISS' })
      const [record] = await recordsOf(open().gateway, 1, ({ trace_id }) => trace_id === 'trace-sdk')
      expect(record).toMatchObject({
        virtual_key: 'prod',
        metadata: { _user: 'u-1', team: 'a' },
        usage: { output_tokens: 2 },
      })
      const again = await mock().chat.completions.create(CHAT, { config, metadata: { _user: 'u-1', team: 'a' } })
      expect(headersOf(again)['cache-status']).toBe('HIT')
      const anew = await mock().chat.completions.create(CHAT, {
        config,
        metadata: { _user: 'u-1', team: 'a' },
        cacheForceRefresh: true,
      })
      expect(headersOf(anew)['cache-status']).toBe('REFRESH')
    })

    test('keeps configs: makes, lists, reads, changes and deletes them, and calls with them', async () => {
      const { slug = '' } = await client().configs.create({ name: 'from the client', config: { virtual_key: 'prod' } })
      expect(slug).toStartWith('pc-')
      const listed = await client().configs.list({})
      expect(listed.data?.map((row) => row.slug)).toContain(slug)
      expect(await client().configs.retrieve({ slug })).toMatchObject({
        name: 'from the client',
        slug,
        object: 'config',
      })
      const call = () => client({ config: slug }).chat.completions.create(CHAT)
      expect(await soon(call)).toMatchObject({ object: 'chat.completion' })
      const change = { slug, name: 'changed', config: { virtual_key: 'prod', override_params: { n: 2 } } }
      expect(await client().configs.update(change)).toMatchObject({ data: { version_id: expect.any(String) } })
      await soon(call, ({ choices }) => choices?.length === 2)
      await client().configs.delete({ slug })
      expect(await failureOf(client().configs.retrieve({ slug }))).toMatchObject({ status: 404 })
    })

    test('keeps virtual keys', async () => {
      const made = { name: 'vk', slug: 'vk', provider: 'openai', key: 'sk-virtual-key-0123456789' }
      expect(await client().virtualKeys.create(made)).toMatchObject({ data: { slug: 'vk' } })
      expect(await client().virtualKeys.retrieve({ slug: 'vk' })).toMatchObject({ provider: 'openai', name: 'vk' })
      await client().virtualKeys.update({ slug: 'vk', note: 'changed' })
      const { data } = await client().virtualKeys.list({})
      expect(data?.find(({ slug }) => slug === 'vk')).toMatchObject({ note: 'changed' })
      await soon(() => client({ virtualKey: 'vk' }).chat.completions.create(CHAT))
      expect(open().scene.ownUpstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${made.key}`)
      await client().virtualKeys.delete({ slug: 'vk' })
      expect(await failureOf(client().virtualKeys.retrieve({ slug: 'vk' }))).toMatchObject({ status: 404 })
    })

    test('keeps providers', async () => {
      await client().providers.create({ name: 'second', slug: 'second', integration_id: 'prod-integration' })
      expect(await client().providers.retrieve({ slug: 'second' })).toMatchObject({
        slug: 'second',
        object: 'provider',
      })
      await client().providers.update({ slug: 'second', note: 'changed' })
      const { data } = await client().providers.list({})
      expect(data?.find(({ slug }) => slug === 'second')).toMatchObject({ note: 'changed' })
      await soon(() => client({ provider: '@second' }).chat.completions.create(CHAT))
      expect(lastKey()).toBe(`Bearer ${STORED_KEY}`)
      await client().providers.delete({ slug: 'second' })
      expect(await failureOf(client().providers.retrieve({ slug: 'second' }))).toMatchObject({ status: 404 })
    })

    test('calls any path itself, of ours or of the provider', async () => {
      expect(await mock().post('/chat/completions', CHAT)).toMatchObject({ choices: [{ message: { content: SAID } }] })
      expect(await mock().get('/models')).toMatchObject({ object: 'list' })
      const theirs = () => client({ virtualKey: 'prod' })
      const seen = () => open().scene.upstream.requests.at(-1)
      expect(await failureOf(theirs().post('/things/search', { query: 'a' }))).toMatchObject({ status: 404 })
      expect([seen()?.method, seen()?.path]).toEqual(['POST', '/v1/things/search'])
      expect(JSON.parse(new TextDecoder().decode(seen()?.body))).toEqual({ query: 'a' })
      expect(await failureOf(theirs().put('/things/one', { name: 'b' }))).toMatchObject({ status: 404 })
      expect([seen()?.method, seen()?.path]).toEqual(['PUT', '/v1/things/one'])
      expect(await failureOf(theirs().delete('/files/file-1'))).toMatchObject({ status: 404 })
      expect([seen()?.method, seen()?.path]).toEqual(['DELETE', '/v1/files/file-1'])
      expect(await failureOf(theirs().get('/files/file-1'))).toMatchObject({ status: 404 })
      expect([seen()?.method, lastKey()]).toEqual(['GET', `Bearer ${STORED_KEY}`])
    })

    test.each([
      ['rate-limited', 429],
      ['overloaded', 529],
    ])('gets the error of a provider once: %s', async (fault, status) => {
      const before = open().scene.upstream.counters.received
      const body = { ...CHAT, mock: { fault } }
      const error = await failureOf(client({ virtualKey: 'prod' }).chat.completions.create(body))
      expect(error).toMatchObject({ status, message: expect.stringContaining('openai') })
      expect(await failureOf(client({ virtualKey: 'prod' }).post('/chat/completions', body))).toMatchObject({ status })
      // Its own retry is for answers that no gateway has marked.
      expect(open().scene.upstream.counters.received).toBe(before + 2)
    })

    test('gets our refusals with their words', async () => {
      const refused = failureOf(client({ provider: 'mock', apiKey: 'no-such-key' }).chat.completions.create(CHAT))
      expect(await refused).toMatchObject({
        status: 401,
        message: expect.stringContaining('The gateway key is not known here.'),
      })
      const unnamed = await failureOf(client().post('/chat/completions', CHAT))
      expect(unnamed).toMatchObject({ status: 400, message: expect.stringContaining('x-gateway-provider') })
      const old = { mode: 'single', options: [{ virtual_key: 'prod' }] }
      const version1 = await failureOf(client({ config: old }).chat.completions.create(CHAT))
      expect(version1).toMatchObject({ status: 400, message: expect.stringContaining('Configs 1.0') })
    })

    test('shows no key in what it lists', async () => {
      const listed = JSON.stringify([await client().virtualKeys.list({}), await client().apiKeys.list({})])
      for (const key of [STORED_KEY, API_KEY]) expect(listed).not.toContain(key)
    })
  })
}
