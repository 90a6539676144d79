import { describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient } from './support/openai-client.ts'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const TOOLS: ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string', enum: ['Rome'] } }, required: ['city'] },
    },
  },
  {
    type: 'function',
    function: {
      name: 'get_time',
      parameters: { type: 'object', properties: { zone: { type: 'string', enum: ['CET'] } }, required: ['zone'] },
    },
  },
]

const question: ChatCompletionMessageParam = { role: 'user', content: 'Weather and time?' }

/** What users of the official client do all day, against the built-in provider. */
export const openaiSuite = (door: () => Door): void => {
  describe('the openai client', () => {
    test('chats', async () => {
      const reply = await mockClient(door()).chat.completions.create({
        model: 'mock',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Grüße, 漢字 🙂' },
        ],
      })
      expect(reply.object).toBe('chat.completion')
      expect(reply.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Mock answer to: Grüße, 漢字 🙂' })
      expect(reply.choices[0]?.finish_reason).toBe('stop')
      expect(reply.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 })
    })

    test('gets as many choices as it asks for, and as many tokens', async () => {
      const reply = await mockClient(door()).chat.completions.create({
        model: 'mock',
        messages: [{ role: 'user', content: 'one two three' }],
        n: 3,
        max_completion_tokens: 4,
      })
      expect(reply.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
        Array.from({ length: 3 }, () => ['Mock answer to: one ', 'length']),
      )
    })

    test('streams, in pieces, and is told the usage when it asks', async () => {
      const client = mockClient(door())
      const request = {
        model: 'mock',
        messages: [{ role: 'user' as const, content: 'Grüße 漢字' }],
        stream: true as const,
      }
      const chunks = await all(await client.chat.completions.create(request))
      const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '')
      expect(text.join('')).toBe('Mock answer to: Grüße 漢字')
      expect(text.filter((piece) => piece !== '').length).toBeGreaterThan(3)
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
      expect(chunks.filter((chunk) => chunk.usage != null)).toEqual([])

      const counted = await all(
        await client.chat.completions.create({ ...request, stream_options: { include_usage: true } }),
      )
      expect(counted.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 5 } })
    })

    test('calls tools in parallel and answers with their results', async () => {
      const client = mockClient(door())
      const first = await client.chat.completions.create({ model: 'mock-tools', messages: [question], tools: TOOLS })
      const message = first.choices[0]?.message
      const calls = message?.tool_calls?.flatMap((call) => (call.type === 'function' ? [call.function] : []))
      expect(calls).toEqual([
        { name: 'get_weather', arguments: '{"city":"Rome"}' },
        { name: 'get_time', arguments: '{"zone":"CET"}' },
      ])
      expect(first.choices[0]?.finish_reason).toBe('tool_calls')

      const second = await client.chat.completions.create({
        model: 'mock-tools',
        tools: TOOLS,
        messages: [
          question,
          ...(message === undefined ? [] : [message]),
          ...(message?.tool_calls ?? []).map(({ id }, index) => ({
            role: 'tool' as const,
            tool_call_id: id,
            content: `result ${index}`,
          })),
        ],
      })
      expect(second.choices[0]?.message.content).toBe('Mock answer from 2 tool results: result 0, result 1')
    })

    test('runs streamed tool calls by itself', async () => {
      const ran: string[] = []
      const tool = (name: string, argument: string) => ({
        type: 'function' as const,
        function: {
          name,
          description: name,
          parameters: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
          parse: JSON.parse,
          function: (given: unknown) => {
            ran.push(`${name} ${JSON.stringify(given)}`)
            return `${name} ran`
          },
        },
      })
      const runner = mockClient(door()).chat.completions.runTools({
        model: 'mock-tools',
        stream: true,
        messages: [question],
        tools: [tool('get_weather', 'city'), tool('get_time', 'zone')],
      })
      expect(await runner.finalContent()).toBe('Mock answer from 2 tool results: get_weather ran, get_time ran')
      expect(ran).toEqual(['get_weather {"city":"mock"}', 'get_time {"zone":"mock"}'])
    })

    test('honours a named tool choice', async () => {
      const reply = await mockClient(door()).chat.completions.create({
        model: 'mock-tools',
        messages: [question],
        tools: TOOLS,
        tool_choice: { type: 'function', function: { name: 'get_time' } },
      })
      const calls = reply.choices[0]?.message.tool_calls ?? []
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({ function: { name: 'get_time' } })
    })

    test('sends images', async () => {
      const reply = await mockClient(door()).chat.completions.create({
        model: 'mock-vision',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: PIXEL } },
              { type: 'image_url', image_url: { url: 'https://example.com/cat.jpg', detail: 'low' } },
            ],
          },
        ],
      })
      expect(reply.choices[0]?.message.content).toStartWith('Mock saw 2 images: ')
      expect(reply.choices[0]?.message.content).toContain('image/png')
    })

    test('gets structured output that fits the schema', async () => {
      const schema = {
        type: 'object',
        properties: { name: { type: 'string' }, count: { type: 'integer', minimum: 3 } },
        required: ['name', 'count'],
        additionalProperties: false,
      }
      const reply = await mockClient(door()).chat.completions.parse({
        model: 'mock-json',
        messages: [question],
        response_format: { type: 'json_schema', json_schema: { name: 'thing', strict: true, schema } },
      })
      expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toEqual({ name: 'mock', count: 3 })
    })

    test('gets the reasoning that a model shows', async () => {
      const client = mockClient(door())
      const request = { model: 'mock-reasoning', messages: [question] }
      const reply = await client.chat.completions.create(request)
      expect(reply.choices[0]?.message).toMatchObject({ reasoning_content: 'Mock reasoning about: Weather and time?' })
      const chunks = await all(await client.chat.completions.create({ ...request, stream: true }))
      const shown = chunks.map((chunk) => Object(chunk.choices[0]?.delta).reasoning_content ?? '').join('')
      expect(shown).toBe('Mock reasoning about: Weather and time?')
    })

    test('embeds, as numbers and in base64', async () => {
      const client = mockClient(door())
      const request = { model: 'mock-embedding', input: ['one', 'two'] }
      const numbers = await client.embeddings.create({ ...request, encoding_format: 'float' })
      // Without a wish the client asks for base64 and decodes it.
      const decoded = await client.embeddings.create(request)
      expect(numbers.data).toHaveLength(2)
      expect(numbers.data[0]?.embedding).not.toEqual(numbers.data[1]?.embedding)
      expect([...(decoded.data[1]?.embedding ?? [])].map(Math.fround)).toEqual(
        (numbers.data[1]?.embedding ?? []).map(Math.fround),
      )
      expect(numbers.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
    })

    test('lists models', async () => {
      const models = await all(await mockClient(door()).models.list())
      expect(models.map(({ id }) => id)).toContain('mock-vision')
    })

    test('reads compressed answers, and is not told that they were', async () => {
      const { data, response } = await mockClient(door())
        .chat.completions.create({ model: 'mock:fault=gzip', messages: [question] })
        .withResponse()
      expect(data.choices[0]?.message.content).toBe('Mock answer to: Weather and time?')
      expect(response.headers.get('content-encoding')).toBeNull()
    })

    test('retries by itself after the time that the provider asked for', async () => {
      const key = crypto.randomUUID()
      const startedMs = performance.now()
      const reply = await mockClient(door(), { maxRetries: 2 }).chat.completions.create({
        model: `mock:fault=retry-after-ms,times=1,key=${key}`,
        messages: [question],
      })
      expect(reply.choices[0]?.message.content).toBe('Mock answer to: Weather and time?')
      expect(performance.now() - startedMs).toBeGreaterThan(240)
    })

    test('can stop waiting', async () => {
      const client = mockClient(door())
      const late = { model: 'mock:latency=20000', messages: [question] }
      const timedOut = await failureOf(client.chat.completions.create(late, { timeout: 200 }))
      expect(timedOut).toBeInstanceOf(OpenAI.APIConnectionTimeoutError)
      const abort = new AbortController()
      const call = client.chat.completions.create(late, { signal: abort.signal })
      abort.abort()
      expect(await failureOf(call)).toBeInstanceOf(OpenAI.APIUserAbortError)
    })
  })
}
