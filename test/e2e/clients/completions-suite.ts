import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { CompletionCreateParamsStreaming } from 'openai/resources/completions'
import { jsonPlan, ssePlan } from '../../../plugins/providers/mock/plan.ts'
import { startMockServer } from '../../../plugins/providers/mock/server.ts'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient, openaiClient, providerClient } from './support/openai-client.ts'
import { startWireUpstream, type WireProvider, type WireUpstream } from './support/wire-upstream.ts'

const VIA = 'x-gateway-completions-via'
const DROPPED = 'x-gateway-dropped-params'

/** What a stream of texts says of one choice, and why it ended. */
const saidBy = (chunks: readonly OpenAI.Completion[], index = 0) => {
  const own = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
  return { text: own.map(({ text }) => text).join(''), finish: own.at(-1)?.finish_reason }
}

/** Text completions through the official client, of providers that have them and of providers that only have chat. */
export const completionsSuite = (door: () => Door): void => {
  describe('text completions of a provider that has them', () => {
    const mock = (): OpenAI => mockClient(door())

    test('come whole, with usage and no mark', async () => {
      const { data, response } = await mock()
        .completions.create({ model: 'mock', prompt: 'Once upon', max_tokens: 3 })
        .withResponse()
      expect(data).toMatchObject({
        object: 'text_completion',
        model: 'mock',
        choices: [{ text: 'Mock answer to: ', index: 0, logprobs: null, finish_reason: 'length' }],
        usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      })
      expect([response.headers.get(VIA), response.headers.get(DROPPED)]).toEqual([null, null])
    })

    test('may name their provider in the model, under either root', async () => {
      for (const path of ['/v1', '/v2']) {
        const client = openaiClient(door(), { path })
        const { choices } = await client.completions.create({ model: '@mock/mock', prompt: 'Once upon' })
        expect(choices[0]?.text).toBe('Mock answer to: Once upon')
      }
    })

    test('come for each of several prompts, in text and in tokens', async () => {
      const { choices } = await mock().completions.create({ model: 'mock', prompt: ['one', 'two'], n: 2, echo: true })
      expect(choices.map(({ text, index }) => [index, text])).toEqual([
        [0, 'oneMock answer to: one'],
        [1, 'oneMock answer to: one'],
        [2, 'twoMock answer to: two'],
        [3, 'twoMock answer to: two'],
      ])
      const tokens = await mock().completions.create({ model: 'mock', prompt: [[1, 2], [3]] })
      expect(tokens.choices.map(({ text }) => text)).toEqual(['Mock answer to: 1 2', 'Mock answer to: 3'])
    })

    test('stream, and are told the usage when they ask', async () => {
      const request: CompletionCreateParamsStreaming = { model: 'mock', prompt: ['Grüße', '漢字 🙂'], stream: true }
      const chunks = await all(await mock().completions.create(request))
      expect(saidBy(chunks, 0)).toEqual({ text: 'Mock answer to: Grüße', finish: 'stop' })
      expect(saidBy(chunks, 1)).toEqual({ text: 'Mock answer to: 漢字 🙂', finish: 'stop' })
      expect(chunks.filter(({ usage }) => usage != null)).toEqual([])
      const counted = await all(
        await mock().completions.create({ ...request, stream_options: { include_usage: true } }),
      )
      expect(counted.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } })
    })

    test('whose stream is cut while a choice is open are an error', async () => {
      // The first of two choices has ended by then.
      const stream = await mock().completions.create({
        model: 'mock:fault=cut-mid-stream,at=8',
        prompt: ['one', 'two'],
        stream: true,
      })
      expect(await failureOf(all(stream))).toMatchObject({ error: { code: 'stream_truncated' } })
    })

    test('refuse what is no prompt, by name', async () => {
      const wrong = { model: 'mock', prompt: { text: 'a' } } as unknown as OpenAI.CompletionCreateParamsNonStreaming
      expect(await failureOf(mock().completions.create(wrong))).toMatchObject({ status: 400, param: 'prompt' })
    })

    test('are given again from the cache, plain and as a stream', async () => {
      const client = mockClient(door(), { gateway: { cache: 'simple' } })
      const request = { model: 'mock', prompt: `Cached ${crypto.randomUUID()}` }
      const first = await client.completions.create(request).withResponse()
      const second = await client.completions.create(request).withResponse()
      expect(first.response.headers.get('x-gateway-cache-status')).toBe('MISS')
      expect(second.response.headers.get('x-gateway-cache-status')).toBe('HIT')
      expect(second.data).toEqual(first.data)
      const streamed = await client.completions.create({ ...request, stream: true }).withResponse()
      expect(streamed.response.headers.get('x-gateway-cache-status')).toBe('HIT')
      expect(saidBy(await all(streamed.data)).text).toBe(first.data.choices[0]?.text ?? '')
    })
  })

  describe('text completions by way of chat', () => {
    let upstream: WireUpstream
    beforeAll(async () => {
      upstream = await startWireUpstream()
    })
    afterAll(() => upstream.close())

    const client = (provider: WireProvider, fixture: string): OpenAI =>
      providerClient(door(), provider, upstream.baseURL(provider, fixture))

    test.each([
      ['anthropic', 'claude-opus-5-5', '/messages'],
      ['google', 'gemini-2.5-flash', '/models/gemini-2.5-flash:generateContent'],
      ['groq', 'openai/gpt-oss-120b', '/chat/completions'],
    ] as const)('come whole from %s, marked as such', async (provider, model, path) => {
      const chat = await client(provider, 'plain-text').chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Once upon' }],
        max_tokens: 9,
      })
      const asChat = upstream.last()
      const { data, response } = await client(provider, 'plain-text')
        .completions.create({ model, prompt: 'Once upon', max_tokens: 9 })
        .withResponse()
      const [choice] = chat.choices
      expect(data).toMatchObject({
        object: 'text_completion',
        model: chat.model,
        choices: [
          { text: choice?.message.content ?? '', index: 0, logprobs: null, finish_reason: choice?.finish_reason ?? '' },
        ],
        usage: { total_tokens: chat.usage?.total_tokens ?? -1 },
      })
      expect(data.choices[0]).not.toHaveProperty('message')
      expect([response.headers.get(VIA), response.headers.get(DROPPED)]).toEqual(['chat', null])
      const arrived = upstream.last()
      expect(arrived.path).toBe(path)
      expect(arrived.body).toEqual(asChat.body)
    })

    test.each([
      ['anthropic', 'stream-text', 'claude-opus-5-5'],
      ['google', 'stream-text', 'gemini-2.5-flash'],
      ['groq', 'stream', 'openai/gpt-oss-120b'],
    ] as const)('stream from %s, with usage for those who ask', async (provider, fixture, model) => {
      const options = { stream: true, stream_options: { include_usage: true } } as const
      const chat = await all(
        await client(provider, fixture).chat.completions.create({
          model,
          messages: [{ role: 'user', content: 'Once upon' }],
          ...options,
        }),
      )
      const { data, response } = await client(provider, fixture)
        .completions.create({ model, prompt: ['Once upon'], ...options })
        .withResponse()
      const chunks = await all(data)
      for (const { object } of chunks) expect(object).toBe('text_completion')
      expect(saidBy(chunks)).toEqual({
        text: chat.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
        finish: 'stop',
      })
      expect(chunks.flatMap(({ usage }) => usage ?? [])).toEqual(chat.flatMap(({ usage }) => usage ?? []) as never)
      expect(response.headers.get(VIA)).toBe('chat')

      const unasked = await all(
        await client(provider, fixture).completions.create({ model, prompt: 'a', stream: true }),
      )
      expect(unasked.some(({ usage }) => usage != null)).toBe(false)
    })

    test('lose what a chat has no place for, and say so', async () => {
      const { response } = await client('anthropic', 'plain-text')
        .completions.create({
          ...{ model: 'claude-opus-5-5', prompt: 'Once upon', echo: true, suffix: '.', best_of: 2, logprobs: 3 },
          ...{ logit_bias: { 1: 2 }, stop: ['x'] },
        })
        .withResponse()
      expect(response.headers.get(DROPPED)).toBe('echo, suffix, best_of, logprobs, logit_bias')
      expect(upstream.last().body).toMatchObject({ stop_sequences: ['x'] })
    })

    test.each([[['one', 'two']], [[1, 2]], [[[1]]]])(
      'are refused for the prompt %j, without a call',
      async (prompt) => {
        const { received } = upstream
        const failure = await failureOf(
          client('anthropic', 'plain-text').completions.create({ model: 'claude-opus-5-5', prompt }),
        )
        expect(failure).toMatchObject({ status: 400, param: 'prompt' })
        expect(upstream.received).toBe(received)
      },
    )

    test.each([
      ['anthropic', 'error-529', 529],
      ['anthropic', 'stream-error-first', 529],
      ['groq', 'error-429', 429],
    ] as const)('fail as the chat of %s does: %s', async (provider, fixture, status) => {
      const request = { model: 'm', stream: fixture.startsWith('stream') }
      const chat = await failureOf(
        client(provider, fixture).chat.completions.create({ ...request, messages: [{ role: 'user', content: 'a' }] }),
      )
      const text = await failureOf(client(provider, fixture).completions.create({ ...request, prompt: 'a' }))
      expect(text).toMatchObject({ status })
      expect(Object(text).error).toEqual(Object(chat).error)
    })

    test('that break in the middle of a stream end in the error, after what was said', async () => {
      const stream = await client('anthropic', 'stream-error-later').completions.create({
        model: 'claude-opus-5-5',
        prompt: 'a',
        stream: true,
      })
      const texts: string[] = []
      const failure = await failureOf(
        (async () => {
          for await (const { choices } of stream) texts.push(choices[0]?.text ?? '')
        })(),
      )
      expect(failure).toBeInstanceOf(OpenAI.APIError)
      expect(texts.join('')).not.toBe('')
    })

    test('of a host of the reference’s format find errors in a 200, and cuts', async () => {
      const answers = {
        '/error/chat/completions': jsonPlan(200, { error: { message: 'Busy.', code: 503 } }),
        '/cut/chat/completions': ssePlan([
          'data: {"id":"c","choices":[{"index":0,"delta":{"content":" a"},"finish_reason":null}]}\n\n',
        ]),
        '/none/chat/completions': jsonPlan(200, { object: 'chat.completion' }),
      }
      const server = await startMockServer({ answer: ({ path }) => answers[path as keyof typeof answers] })
      const groq = (place: string): OpenAI => providerClient(door(), 'groq', `${server.url}/${place}`)
      const request = { model: 'm', prompt: 'a' }
      try {
        expect(await failureOf(groq('error').completions.create(request))).toMatchObject({ status: 503 })
        expect(await failureOf(groq('none').completions.create(request))).toMatchObject({ status: 502 })
        const cut = await groq('cut').completions.create({ ...request, stream: true })
        expect(await failureOf(all(cut))).toMatchObject({ error: { code: 'stream_truncated' } })
      } finally {
        await server.close()
      }
    })

    test('leave no mark on the answer of another target', async () => {
      const config = {
        strategy: { mode: 'fallback' },
        targets: [
          { provider: 'groq', api_key: 'groq-key-0123456789', custom_host: upstream.baseURL('groq', 'error-429') },
          { provider: 'mock' },
        ],
      }
      const { data, response } = await mockClient(door(), { gateway: { config: JSON.stringify(config) } })
        .completions.create({ model: 'mock', prompt: 'Once upon', echo: true, suffix: '.' })
        .withResponse()
      expect(data.choices[0]?.text).toBe('Once uponMock answer to: Once upon')
      expect([response.headers.get(VIA), response.headers.get(DROPPED)]).toEqual([null, null])
    })
  })
}
