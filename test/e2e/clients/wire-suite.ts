import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { jsonPlan, ssePlan } from '../../../plugins/providers/mock/plan.ts'
import { startMockServer } from '../../../plugins/providers/mock/server.ts'
import type { Door } from './support/door.ts'
import { all, failureOf, PROVIDER_KEY, providerClient } from './support/openai-client.ts'
import { startWireUpstream, type WireProvider, type WireUpstream } from './support/wire-upstream.ts'

const messages = [{ role: 'user' as const, content: 'Weather in Paris and the time?' }]

const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } })

/** A stranger's openai client, through providers that speak another wire format. */
export const wireSuite = (door: () => Door): void => {
  let upstream: WireUpstream
  beforeAll(async () => {
    upstream = await startWireUpstream()
  })
  afterAll(() => upstream.close())

  const client = (provider: WireProvider, fixture: string, gateway: Record<string, string> = {}): OpenAI =>
    providerClient(door(), provider, upstream.baseURL(provider, fixture), { gateway })

  describe('through another wire format', () => {
    test.each([
      ['anthropic', 'claude-opus-5-5', '/messages', 'x-api-key', PROVIDER_KEY],
      ['google', 'gemini-2.5-flash', '/models/gemini-2.5-flash:generateContent', 'x-goog-api-key', PROVIDER_KEY],
      ['azure-openai', 'gpt-5.2', '/openai/v1/chat/completions', 'api-key', PROVIDER_KEY],
      ['groq', 'openai/gpt-oss-120b', '/chat/completions', 'authorization', `Bearer ${PROVIDER_KEY}`],
      ['openai', 'gpt-5.2', '/chat/completions', 'authorization', `Bearer ${PROVIDER_KEY}`],
    ] as const)('%s gets its own path and its own kind of key, and nothing of ours', async (...row) => {
      const [provider, model, path, keyHeader, key] = row
      const reply = await client(provider, 'plain-text', {
        'trace-id': 'trace-of-the-caller',
        metadata: '{"_user":"anna"}',
      }).chat.completions.create({ model, messages })
      expect(reply.choices[0]?.message.content?.length).toBeGreaterThan(0)

      const arrived = upstream.last()
      expect([arrived.method, arrived.path]).toEqual(['POST', path])
      expect(arrived.headers.get(keyHeader)).toBe(key)
      for (const name of ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']) {
        if (name !== keyHeader) expect(arrived.headers.has(name)).toBe(false)
      }
      const names = [...arrived.headers.keys()]
      expect(names.filter((name) => name.startsWith('x-gateway-') || name.startsWith('x-stainless-'))).toEqual([])
      const everything = `${arrived.path}${[...arrived.headers.values()].join()}${arrived.text}`
      expect(everything).not.toContain(door().apiKey)
      expect(everything).not.toContain('trace-of-the-caller')
    })

    test('anthropic streams two calls at once', async () => {
      const stream = client('anthropic', 'stream-tool-calls').chat.completions.stream({
        model: 'claude-opus-5-5',
        messages,
        tools: [tool('get_weather'), tool('get_time')],
      })
      const { choices } = await stream.finalChatCompletion()
      expect(choices[0]?.finish_reason).toBe('tool_calls')
      expect(choices[0]?.message.content).toBe('Let me look.')
      expect(choices[0]?.message.tool_calls).toMatchObject([
        { id: 'toolu_01A', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        { id: 'toolu_01B', function: { name: 'get_time', arguments: '{}' } },
      ])
      expect(upstream.last().headers.get('anthropic-version')).toBe('2023-06-01')
    })

    test('google streams two calls at once', async () => {
      const { choices } = await client('google', 'stream-tools')
        .chat.completions.stream({ model: 'gemini-3.8-flash', messages, tools: [tool('get_weather')] })
        .finalChatCompletion()
      expect(choices[0]?.finish_reason).toBe('tool_calls')
      expect(choices[0]?.message.tool_calls).toMatchObject([
        { id: 'fc-1', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
        { id: 'fc-2', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
      ])
      expect(upstream.last().path).toBe('/models/gemini-3.8-flash:streamGenerateContent?alt=sse')
    })

    test.each([
      ['anthropic', 'tool-calls', 'stream-tool-calls', 'claude-sonnet-4-5', '"name":"get_weather","input":{'],
      ['google', 'tools-signature', 'stream-tools', 'gemini-3.8-flash', '"functionCall":{"id":"call_1"'],
    ] as const)('%s is asked with functions, and calls them in that form', async (...row) => {
      const [provider, plain, streamed, model, sentBack] = row
      const request = { model, messages, functions: [{ name: 'get_weather', parameters: { type: 'object' } }] }
      const { choices } = await client(provider, plain).chat.completions.create({ ...request, function_call: 'auto' })
      const [first] = choices
      expect(first?.finish_reason).toBe('function_call')
      expect(first?.message.tool_calls).toBeUndefined()
      expect(first?.message.function_call?.name).toBe('get_weather')
      expect(upstream.last().text).toContain('"get_weather"')

      const chunks = await all(await client(provider, streamed).chat.completions.create({ ...request, stream: true }))
      const deltas = chunks.flatMap((chunk) => chunk.choices.map(({ delta }) => delta))
      expect(deltas.some((delta) => 'tool_calls' in delta)).toBe(false)
      const text = deltas.map((delta) => delta.function_call?.arguments ?? '').join('')
      expect(JSON.parse(text)).toHaveProperty('city')
      expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toContain('function_call')

      const message = first?.message
      if (message === undefined) throw new Error('the answer has no message')
      const next = [...messages, message, { role: 'function' as const, name: 'get_weather', content: 'Rain' }]
      await client(provider, 'plain-text').chat.completions.create({ ...request, messages: next })
      expect(upstream.last().text).toContain(sentBack)
    })

    test.each([
      ['anthropic', 'claude-sonnet-4-5', 'auto', { tool_choice: { type: 'auto' } }],
      ['anthropic', 'claude-sonnet-4-5', 'required', { tool_choice: { type: 'any' } }],
      ['google', 'gemini-2.5-flash', 'auto', { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }],
      ['google', 'gemini-2.5-flash', 'required', { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
    ] as const)('%s %s only sees the tools that are allowed: %s', async (provider, model, mode, choice) => {
      await client(provider, 'plain-text').chat.completions.create({
        model,
        messages,
        tools: [tool('get_weather'), tool('get_time')],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: [tool('get_time')] } },
      })
      const { text, body } = upstream.last()
      expect(text).not.toContain('get_weather')
      expect(text).toContain('get_time')
      expect(body).toMatchObject(choice)
    })

    test.each([
      ['anthropic', 'stream-text', 'claude-opus-5-5', 'Hello! How can I help?'],
      ['google', 'stream-text', 'gemini-2.5-flash', 'Hello there!'],
    ] as const)('%s streams text, and its usage only to those who ask', async (provider, fixture, model, text) => {
      const request = { model, messages, stream: true as const }
      const { completions } = client(provider, fixture).chat
      const chunks = await all(await completions.create(request))
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(text)
      expect(chunks.filter((chunk) => chunk.usage != null)).toEqual([])
      const counted = await all(await completions.create({ ...request, stream_options: { include_usage: true } }))
      expect(counted.at(-1)?.usage?.total_tokens).toBeGreaterThan(10)
    })

    test.each([
      ['anthropic', 'reasoning-blocks', 'claude-sonnet-4-5'],
      ['google', 'reasoning-blocks', 'gemini-3.8-flash'],
    ] as const)(
      '%s shows its reasoning, and its blocks when strict compliance is off',
      async (provider, fixture, model) => {
        const request = { model, messages, reasoning_effort: 'medium' as const }
        const loose = client(provider, fixture, { 'strict-open-ai-compliance': 'false' })
        const shown = Object((await loose.chat.completions.create(request)).choices[0]?.message)
        expect(shown.content_blocks[0]).toMatchObject({ type: 'thinking', thinking: expect.any(String) })
        const strict = Object((await client(provider, fixture).chat.completions.create(request)).choices[0]?.message)
        expect(strict.content_blocks).toBeUndefined()
        expect(strict.content).toBe(shown.content)
        expect(strict.reasoning_content).toBe(shown.reasoning_content)
        expect(strict.reasoning_content.length).toBeGreaterThan(0)
      },
    )

    test.each([
      ['anthropic', 'error-401', OpenAI.AuthenticationError, 401],
      ['anthropic', 'error-400', OpenAI.BadRequestError, 400],
      ['anthropic', 'error-429', OpenAI.RateLimitError, 429],
      ['anthropic', 'error-529', OpenAI.InternalServerError, 529],
      ['anthropic', 'error-500', OpenAI.InternalServerError, 500],
      ['google', 'error-401', OpenAI.AuthenticationError, 401],
      ['google', 'error-429', OpenAI.RateLimitError, 429],
      ['google', 'error-500', OpenAI.InternalServerError, 500],
      ['azure-openai', 'error-401', OpenAI.AuthenticationError, 401],
      ['azure-openai', 'error-404', OpenAI.NotFoundError, 404],
      ['groq', 'error-404', OpenAI.NotFoundError, 404],
      ['groq', 'error-429', OpenAI.RateLimitError, 429],
    ] as const)('%s %s is the right error of the client, streamed or not', async (provider, name, kind, status) => {
      for (const stream of [false, true]) {
        const { completions } = client(provider, name).chat
        const error = await failureOf(completions.create({ model: 'gemini-2.5-flash', messages, stream }))
        expect(error).toBeInstanceOf(kind)
        expect(error).toMatchObject({ status, message: expect.stringContaining(`${provider}: `) })
      }
    })

    test.each([
      ['anthropic', '/models?limit=1000', 'claude'],
      ['google', '/models?pageSize=1000', 'gemini'],
    ] as const)('%s lists its models', async (provider, path, prefix) => {
      const models = await all(await client(provider, 'models').models.list())
      expect(models.length).toBeGreaterThan(0)
      expect(models.every(({ id, object }) => id.startsWith(prefix) && object === 'model')).toBe(true)
      expect([upstream.last().method, upstream.last().path]).toEqual(['GET', path])
    })

    test('the answer names the parameters that the provider does not take', async () => {
      const { response } = await client('groq', 'plain-text')
        .chat.completions.create({ model: 'm', messages, logit_bias: { '1': 1 }, logprobs: true, seed: 7 })
        .withResponse()
      expect(response.headers.get('x-gateway-dropped-params')).toBe('logit_bias, logprobs')
      expect(upstream.last().body).toEqual({ model: 'm', messages, seed: 7 })
    })

    test.each([
      ['with a status', { stream: false, status: 401 }],
      ['inside a success', { stream: false, status: 200 }],
      ['as the first event', { stream: true, status: 200 }],
    ])('a key that the provider repeats in its error (%s) is cut out of it', async (_, { stream, status }) => {
      const body = { type: 'error', error: { type: 'authentication_error', message: `bad key ${PROVIDER_KEY}` } }
      const server = await startMockServer({
        answer: () => (stream ? ssePlan([`event: error\ndata: ${JSON.stringify(body)}\n\n`]) : jsonPlan(status, body)),
      })
      const { completions } = providerClient(door(), 'anthropic', server.url).chat
      const error = await failureOf(completions.create({ model: 'claude-opus-5-5', messages, stream }))
      await server.close()
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ message: '401 anthropic: bad key [redacted]' })
    })

    test('azure-openai takes resource, deployment and version from headers or a config', async () => {
      const wanted = '/openai/deployments/mine/chat/completions?api-version=2024-10-21'
      const named = client('azure-openai', 'plain-text', {
        'azure-deployment-id': 'mine',
        'azure-api-version': '2024-10-21',
      })
      await named.chat.completions.create({ model: 'gpt-5.2', messages })
      expect(upstream.last().path).toBe(wanted)
      const config = { deployment_id: 'mine', apiVersion: '2024-10-21' }
      await client('azure-openai', 'plain-text', { config: JSON.stringify(config) }).chat.completions.create({
        model: 'gpt-5.2',
        messages,
      })
      expect(upstream.last().path).toBe(wanted)
    })

    test('a config holds the provider, its key, its place, and changes to the parameters', async () => {
      const config = {
        strategy: { mode: 'single' },
        defaultParams: { temperature: 0.5, top_p: 0.9 },
        targets: [
          {
            provider: 'anthropic',
            api_key: 'key-of-the-config',
            custom_host: upstream.baseURL('anthropic', 'plain-text'),
            override_params: { model: 'claude-sonnet-4-6', max_tokens: 7 },
            drop_params: ['top_p'],
          },
        ],
      }
      const gateway = { config: JSON.stringify(config), provider: 'openai' }
      const { response } = await providerClient(door(), 'openai', 'http://192.0.2.1/never', { gateway })
        .chat.completions.create({ model: 'gpt-5.2', messages, temperature: 0.25 })
        .withResponse()
      const { headers, body } = upstream.last()
      expect(headers.get('x-api-key')).toBe('key-of-the-config')
      expect(body).toMatchObject({ model: 'claude-sonnet-4-6', max_tokens: 7, temperature: 0.25 })
      expect(body).not.toHaveProperty('top_p')
      expect(response.headers.get('x-gateway-provider')).toBe('anthropic')
      expect(response.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[0]')
    })
  })
}
