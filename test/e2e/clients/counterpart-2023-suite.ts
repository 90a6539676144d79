import { describe, expect, test } from 'bun:test'
import {
  type CounterpartScene,
  clientOf2023,
  clientOfToday,
  recordsOf,
  STORED_KEY,
  soon,
} from './support/counterpart.ts'
import { all, failureOf } from './support/openai-client.ts'

const MESSAGES = [{ role: 'user', content: 'Hello' }]
const SAID = 'Mock answer to: Hello'

/** A language model that answers, and one that never does. */
const GOOD = () => ({ virtual_key: 'prod', model: 'mock' })
const BUSY = () => ({ virtual_key: 'prod', model: 'mock', override_params: { mock: { fault: 'overloaded' } } })

/** What an application of 2023 did with the first client of the counterpart, which knows the old routes only. */
export const counterpart2023Suite = (open: () => CounterpartScene): void => {
  const client = (options: Parameters<typeof clientOf2023>[1]) => clientOf2023(open().gateway, options)
  const received = () => open().scene.upstream.counters.received
  const lastRequest = () => {
    const { body, headers } = open().scene.upstream.requests.at(-1) ?? {}
    return { body: JSON.parse(new TextDecoder().decode(body)), key: headers?.get('authorization') }
  }

  describe('the client of 2023', () => {
    test('asks one model, by chat and by text', async () => {
      const single = client({
        mode: 'single',
        llms: [
          {
            ...GOOD(),
            temperature: 0.5,
            stop_sequences: ['END'],
            timeout: 30,
            retry: { attempts: 2, on_status_codes: [500] },
          },
        ],
      })
      const chat = await single.chatCompletions.create({ messages: MESSAGES })
      expect(chat).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: SAID } }] })
      expect(lastRequest()).toEqual({
        body: { model: 'mock', messages: MESSAGES, temperature: 0.5, stop: ['END'] },
        key: `Bearer ${STORED_KEY}`,
      })
      const text = await single.completions.create({ prompt: 'Hello', max_tokens: 100 })
      expect(text).toMatchObject({ object: 'text_completion', choices: [{ text: SAID }] })
      expect(lastRequest().body).toEqual({
        model: 'mock',
        prompt: 'Hello',
        max_tokens: 100,
        temperature: 0.5,
        stop: ['END'],
      })
    })

    test('brings its own key, and the question with the model', async () => {
      const own = client({
        mode: 'single',
        llms: [{ provider: 'openai', api_key: 'sk-of-the-caller', model: 'mock', messages: MESSAGES }],
      })
      expect(await own.chatCompletions.create({})).toMatchObject({ choices: [{ message: { content: SAID } }] })
      const { headers } = open().scene.ownUpstream.requests.at(-1) ?? {}
      expect(headers?.get('authorization')).toBe('Bearer sk-of-the-caller')
    })

    test('falls back to the next model', async () => {
      const before = received()
      const fallback = client({ mode: 'fallback', llms: [BUSY(), GOOD()] })
      const answer = await fallback.chatCompletions.create({ messages: MESSAGES })
      expect(answer).toMatchObject({ choices: [{ message: { content: SAID } }] })
      expect(received()).toBe(before + 2)
    })

    test('balances among models', async () => {
      const balance = client({
        mode: 'loadbalance',
        llms: [
          { ...BUSY(), weight: 0 },
          { ...GOOD(), weight: 1 },
        ],
      })
      for (let count = 0; count < 5; count++) {
        expect(await balance.completions.create({ prompt: 'Hello' })).toMatchObject({ choices: [{ text: SAID }] })
      }
    })

    test('tests one model against another', async () => {
      const test2023 = client({
        mode: 'ab_test',
        llms: [
          { ...GOOD(), weight: 0.5 },
          { provider: 'mock', model: 'mock', weight: 0.5 },
        ],
      })
      expect(await test2023.completions.create({ prompt: 'Hello' })).toMatchObject({ choices: [{ text: SAID }] })
    })

    test('streams, and gives an object for the end', async () => {
      const single = client({ mode: 'single', llms: [GOOD()] })
      const chat = await all(await single.chatCompletions.create({ messages: MESSAGES, stream: true }))
      expect(chat.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(SAID)
      const text = await all(await single.completions.create({ prompt: 'Hello', stream: true }))
      expect(text.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(SAID)
      for (const chunks of [chat, text]) expect(JSON.stringify(chunks.at(-1))).toBe('{"model":"","choices":[{}]}')
    })

    test('streams from the model that it falls back to', async () => {
      const fallback = client({ mode: 'fallback', llms: [BUSY(), GOOD()] })
      const chunks = await all(await fallback.chatCompletions.create({ messages: MESSAGES, stream: true }))
      expect(chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(SAID)
    })

    test.each([
      ['of version 2.0', { virtual_key: 'prod', override_params: { model: 'mock' } }],
      [
        'of version 1.0',
        { mode: 'single', options: [{ provider: 'openai', virtual_key: 'prod', override_params: { model: 'mock' } }] },
      ],
    ])('names a saved config %s', async (_, config) => {
      const { slug = '' } = await clientOfToday(open().gateway).configs.create({ name: 'of 2023', config })
      const saved = client({ config: slug })
      expect(await soon(() => saved.completions.create({ prompt: 'Hello' }))).toMatchObject({
        choices: [{ text: SAID }],
      })
      expect(lastRequest()).toEqual({ body: { model: 'mock', prompt: 'Hello' }, key: `Bearer ${STORED_KEY}` })
      const chat = await all(await saved.chatCompletions.create({ messages: MESSAGES, stream: true }))
      expect(chat.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(SAID)
    })

    test('labels its calls', async () => {
      const labelled = client({
        mode: 'single',
        llms: [{ ...GOOD(), trace_id: 'trace-2023', metadata: { _user: 'u-23' } }],
      })
      await labelled.completions.create({ prompt: 'Hello' })
      const [record] = await recordsOf(open().gateway, 1, ({ trace_id }) => trace_id === 'trace-2023')
      expect(record).toMatchObject({
        route: '/v1/complete',
        metadata: { _user: 'u-23' },
        legacy_calls: expect.any(Number),
      })
    })

    test('keeps answers in the cache', async () => {
      const cached = () => client({ mode: 'single', llms: [{ ...GOOD(), cache_status: 'simple', cache_age: 600 }] })
      const before = received()
      const question = { prompt: 'What is kept?' }
      const first = await cached().completions.create(question)
      expect([await cached().completions.create(question), received()]).toEqual([first, before + 1])
    })

    test('gets errors with their status and their words', async () => {
      const refused = async (options: Parameters<typeof clientOf2023>[1]): Promise<unknown> =>
        failureOf(client(options).chatCompletions.create({ messages: MESSAGES }))
      const busy = await refused({ mode: 'fallback', llms: [BUSY(), BUSY()] })
      expect(busy).toMatchObject({ status: 529, message: expect.stringContaining('openai') })
      expect(await refused({ apiKey: 'no-such-key', mode: 'single', llms: [GOOD()] })).toMatchObject({
        status: 401,
        message: 'The gateway key is not known here.',
      })
      expect(await refused({ config: 'pc-nobody-1' })).toMatchObject({
        status: 400,
        message: expect.stringContaining('pc-nobody-1'),
      })
      expect(await refused({})).toMatchObject({ status: 400 })
      expect(await refused({ mode: 'proxy', llms: [GOOD()] })).toMatchObject({
        status: 400,
        message: expect.stringContaining('mode'),
      })
    })
  })
}
