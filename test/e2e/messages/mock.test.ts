import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { failureOf, mockMessages, WEATHER } from './support/messages-client.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const question = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello there, you' }] }

const SAID = 'Mock answer to: Hello there, you'

describe('a message over a chat', () => {
  test('is one that the SDK takes', async () => {
    const message = await mockMessages(gateway).messages.create({ model: 'mock', ...question })
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: SAID }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 6, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    })
    expect(message.id).toStartWith('msg_')
    expect(message._request_id).toBeString()
  })

  test('says that it went over a chat', async () => {
    const { response } = await mockMessages(gateway)
      .messages.create({ model: 'mock', ...question })
      .withResponse()
    expect(response.headers.get('x-gateway-messages-via')).toBe('chat')
    expect(response.headers.get('x-gateway-provider')).toBe('mock')
  })

  test('has the place of the beta too, and base URLs with a version or without', async () => {
    const beta = await mockMessages(gateway).beta.messages.create({
      model: 'mock',
      ...question,
      betas: ['x-2026-01-01'],
    })
    expect(beta.content[0]).toMatchObject({ text: SAID })
    const versioned = mockMessages({ ...gateway, url: `${gateway.url}/v1` })
    expect((await versioned.messages.create({ model: 'mock', ...question })).stop_reason).toBe('end_turn')
  })

  test('streams', async () => {
    const stream = mockMessages(gateway).messages.stream({ model: 'mock', ...question })
    const events: string[] = []
    let text = ''
    stream.on('streamEvent', ({ type }) => events.push(type))
    stream.on('text', (delta) => {
      text += delta
    })
    const message = await stream.finalMessage()
    expect(text).toBe(SAID)
    expect(message).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 3, output_tokens: 6 } })
    expect([events[0], ...events.slice(-3)]).toEqual([
      'message_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test('counts what came from the cache apart from the input', async () => {
    const { usage } = await mockMessages(gateway).messages.create({ model: 'mock:cached=2', ...question })
    expect(usage).toMatchObject({ input_tokens: 1, cache_read_input_tokens: 2 })
  })

  test.each([false, true])('that is cut off ends with max_tokens (streamed: %p)', async (streamed) => {
    const client = mockMessages(gateway).messages
    const asked = { model: 'mock', ...question, max_tokens: 2 }
    const message = streamed ? await client.stream(asked).finalMessage() : await client.create(asked)
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(['max_tokens', 2])
  })

  test.each([false, true])('shows thinking, which comes back to its maker (streamed: %p)', async (streamed) => {
    const client = mockMessages(gateway).messages
    const asked = { ...question, model: 'mock-reasoning', thinking: { type: 'adaptive' as const } }
    const message = streamed ? await client.stream(asked).finalMessage() : await client.create(asked)
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    const [thought] = message.content
    if (thought?.type !== 'thinking') throw new Error('no thought')
    expect(thought.thinking).toBe('Mock reasoning about: Hello there, you')

    const next = await client.create({
      ...question,
      model: 'mock-echo',
      max_tokens: 1000,
      messages: [
        ...question.messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: 'And now?' },
      ],
    })
    const [echo] = next.content
    expect(echo?.type === 'text' && echo.text).toContain('"reasoning_content":"Mock reasoning about: Hello there, you"')
  })

  test('hides thinking that the client turned off', async () => {
    const { content } = await mockMessages(gateway).messages.create({
      ...question,
      model: 'mock-reasoning',
      thinking: { type: 'disabled' },
    })
    expect(content.map(({ type }) => type)).toEqual(['text'])
  })

  test('has images', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'aGVsbG8=' }
    const { content } = await mockMessages(gateway).messages.create({
      model: 'mock-vision',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source },
            { type: 'text', text: 'What is it?' },
          ],
        },
      ],
    })
    expect(JSON.stringify(content)).toContain('png')
  })

  test('has an answer of a schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const { content } = await mockMessages(gateway).messages.create({
      model: 'mock-json',
      ...question,
      output_config: { format: { type: 'json_schema', schema } },
    })
    const [block] = content
    expect(JSON.parse(block?.type === 'text' ? block.text : '')).toEqual({ city: expect.any(String) })
  })
})

describe('tools', () => {
  const asked = {
    model: 'mock-tools',
    max_tokens: 100,
    tools: [WEATHER, { ...WEATHER, name: 'get_time' }],
    messages: [{ role: 'user' as const, content: 'Weather and time?' }],
  }

  test.each([false, true])('are called, several at once, and answered (streamed: %p)', async (streamed) => {
    const client = mockMessages(gateway).messages
    const message = streamed ? await client.stream(asked).finalMessage() : await client.create(asked)
    expect(message.stop_reason).toBe('tool_use')
    const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'get_time'])
    for (const { input } of calls) expect(input).toEqual({ city: expect.any(String) })
    const results = calls.map(({ id, name }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: [{ type: 'text' as const, text: `${name} says sun` }],
    }))
    const next = await client.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: results },
      ],
    })
    expect(next.stop_reason).toBe('end_turn')
    expect(JSON.stringify(next.content)).toContain('get_time says sun')
  })

  test('are called in turns by some providers, and in blocks here', async () => {
    const faults = ['tool-interleaved', 'tool-name-split', 'tool-index-gaps']
    for (const fault of faults) {
      const stream = mockMessages(gateway).messages.stream({ ...asked, model: `mock-tools:fault=${fault}` })
      let open = -1
      stream.on('streamEvent', (event) => {
        if (event.type === 'content_block_start') expect(open).toBe(-1)
        if (event.type === 'content_block_start') open = event.index
        if (event.type === 'content_block_delta') expect(event.index).toBe(open)
        if (event.type === 'content_block_stop') open = -1
      })
      const { content, stop_reason } = await stream.finalMessage()
      expect(stop_reason).toBe('tool_use')
      for (const block of content) {
        expect(block).toMatchObject({ type: 'tool_use', input: { city: expect.any(String) } })
      }
      expect(content.map((block) => block.type === 'tool_use' && block.name)).toEqual(['get_weather', 'get_time'])
    }
  })

  test('run by the loop of the SDK', async () => {
    const asked: string[] = []
    const runner = mockMessages(gateway).beta.messages.toolRunner({
      model: 'mock-tools',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [
        {
          ...WEATHER,
          type: 'custom' as const,
          parse: (input: unknown) => input as { city: string },
          run: ({ city }: { city: string }) => {
            asked.push(city)
            return 'Sun'
          },
        },
      ],
    })
    const message = await runner.runUntilDone()
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(message.content)).toContain('Sun')
  })
})

describe('errors', () => {
  test.each([
    ['mock:fault=rate-limited', Anthropic.RateLimitError, 429, 'rate_limit_error'],
    ['mock:fault=overloaded', Anthropic.InternalServerError, 529, 'overloaded_error'],
    ['mock:status=404', Anthropic.NotFoundError, 404, 'not_found_error'],
    ['mock:status=500', Anthropic.InternalServerError, 500, 'api_error'],
  ])('of a provider come in its envelope: %s', async (model, kind, status, type) => {
    for (const stream of [false, true]) {
      const failure = await failureOf(mockMessages(gateway).messages.create({ model, ...question, stream }))
      expect(failure).toBeInstanceOf(kind)
      expect([failure.status, failure.type]).toEqual([status, type as never])
      expect(failure.error).toMatchObject({ type: 'error', request_id: expect.any(String), provider: 'mock' })
      expect(failure.requestID).toBeString()
    }
  })

  test('of ours too', async () => {
    const unknown = new Anthropic({ baseURL: gateway.url, apiKey: 'no-such-key', maxRetries: 0 })
    const refused = await failureOf(unknown.messages.create({ model: 'mock', ...question }))
    expect(refused).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(refused.type).toBe('authentication_error')
    const wrong = await failureOf(
      mockMessages(gateway).messages.create({ model: 'mock', messages: [] as never, max_tokens: 1 }),
    )
    expect(wrong).toBeInstanceOf(Anthropic.BadRequestError)
    expect(wrong.error).toMatchObject({
      error: { type: 'invalid_request_error', param: 'messages', message: expect.stringContaining('`messages`') },
    })
    const unlimited = await failureOf(
      mockMessages(gateway).messages.create({ model: 'mock', messages: question.messages } as never),
    )
    expect(unlimited.error).toMatchObject({ error: { param: 'max_tokens' } })
  })

  test('inside a stream', async () => {
    const stream = mockMessages(gateway).messages.stream({ model: 'mock:fault=error-event,tokens=20', ...question })
    let text = ''
    stream.on('text', (delta) => {
      text += delta
    })
    const failure = await failureOf(stream.finalMessage())
    expect(text).not.toBe('')
    expect(failure.error).toMatchObject({ type: 'error', error: { message: expect.stringContaining('mock') } })
  })

  test('a stream that is cut off does not look whole', async () => {
    const stream = mockMessages(gateway).messages.stream({ model: 'mock:fault=cut-mid-stream,tokens=20', ...question })
    const failure = await failureOf(stream.finalMessage())
    expect(failure.error).toMatchObject({ error: { type: 'api_error', code: 'stream_truncated' } })
  })
})

describe('tokens', () => {
  test('are estimated where the provider cannot count, and said to be', async () => {
    const { data, response } = await mockMessages(gateway)
      .messages.countTokens({ model: 'mock', system: 'Be brief.', tools: [WEATHER], messages: question.messages })
      .withResponse()
    expect(data.input_tokens).toBeWithin(20, 100)
    expect(response.headers.get('x-gateway-estimated')).toBe('true')
  })

  test('of a wrong request are not', async () => {
    const failure = await failureOf(mockMessages(gateway).messages.countTokens({ model: 'mock' } as never))
    expect(failure.error).toMatchObject({ error: { type: 'invalid_request_error', param: 'messages' } })
  })
})
