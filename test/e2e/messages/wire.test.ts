import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import type { WireProvider } from '../clients/support/wire-upstream.ts'
import { failureOf, startWireUpstream, WEATHER, type WireUpstream, wireMessages } from './support/messages-client.ts'

let gateway: TestGateway
let upstream: WireUpstream
beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startWireUpstream()
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const client = (provider: WireProvider, fixture: string): Anthropic =>
  wireMessages(gateway, upstream, provider, fixture)

const question: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather in Rome and Oslo?' }]
const asked = { max_tokens: 2000, messages: question }

const bodyOf = (): Record<string, unknown> => upstream.last().body as Record<string, unknown>

describe('native', () => {
  test.each([false, true])('the answer is the very one of the provider (streamed: %p)', async (streamed) => {
    const messages = client('anthropic', streamed ? 'stream-text' : 'plain-text').messages
    const request = { ...asked, model: 'claude-opus-5-5', cache_control: { type: 'ephemeral' as const } }
    const message = streamed ? await messages.stream(request).finalMessage() : await messages.create(request)
    expect(message.stop_reason).toBe('end_turn')
    expect(upstream.last().path).toBe('/messages')
    expect(bodyOf()).toEqual({ ...request, ...(streamed ? { stream: true } : {}) })
  })

  test('the beta, its query and its header pass', async () => {
    const { beta } = client('anthropic', 'plain-text')
    const request = { ...asked, model: 'claude-opus-5-5', betas: ['context-1m-2025-08-07'], mcp_servers: [] }
    // As Claude Code, and SDKs before this one, ask for a beta.
    await beta.messages.create(request, { query: { beta: 'true' } })
    const { path, headers } = upstream.last()
    expect(path).toBe('/messages?beta=true')
    expect(headers.get('anthropic-beta')).toBe('context-1m-2025-08-07')
    expect(headers.get('anthropic-version')).toBe('2026-10-21')
    expect(bodyOf()).toMatchObject({ mcp_servers: [] })
  })

  test('thinking and a tool call come as they are, streamed', async () => {
    const { messages } = client('anthropic', 'stream-thinking-tool-call')
    const message = await messages.stream({ ...asked, model: 'claude-opus-4-8', tools: [WEATHER] }).finalMessage()
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(message.content[0]).toMatchObject({ signature: expect.stringMatching(/^BDaL4VrbR2Oj0hO4/) })
    expect(message.stop_reason).toBe('tool_use')
  })

  test('thinking of other makers stays here, and is named', async () => {
    const google = client('google', 'reasoning-blocks')
    const { content } = await google.messages.create({
      ...asked,
      model: 'gemini-3.8-flash',
      thinking: { type: 'adaptive' },
    })
    const messages = [...question, { role: 'assistant' as const, content }, ...question]
    const { response } = await client('anthropic', 'plain-text')
      .messages.create({ model: 'claude-opus-5-5', max_tokens: 100, messages })
      .withResponse()
    expect(bodyOf()).toMatchObject({
      messages: [question[0], { role: 'assistant', content: [{ type: 'text', text: 'It is 4.' }] }, question[0]],
    })
    expect(response.headers.get('x-gateway-dropped-params')).toBe('messages[].content[].thinking')
  })

  test('an error before the first word has its own status, one behind it is an event', async () => {
    const early = client('anthropic', 'stream-error-first').messages.create({
      ...asked,
      model: 'claude-opus-5-5',
      stream: true,
    })
    expect(await failureOf(early)).toMatchObject({ status: 529, type: 'overloaded_error' })
    const late = client('anthropic', 'stream-error-later').messages.stream({ ...asked, model: 'claude-opus-5-5' })
    expect((await failureOf(late.finalMessage())).error).toMatchObject({
      type: 'error',
      error: { type: 'api_error', message: 'anthropic: Internal server error' },
    })
  })

  test.each([
    ['error-400', 400, 'invalid_request_error'],
    ['error-401', 401, 'authentication_error'],
    ['error-429', 429, 'rate_limit_error'],
    ['error-500', 500, 'api_error'],
    ['error-529', 529, 'overloaded_error'],
  ])('%s keeps its status and its type', async (fixture, status, type) => {
    const failure = await failureOf(
      client('anthropic', fixture).messages.create({ ...asked, model: 'claude-opus-5-5' }),
    )
    expect([failure.status, failure.type]).toEqual([status, type as never])
  })

  test('usage is that of the provider', async () => {
    const { response } = await client('anthropic', 'plain-text')
      .messages.create({ ...asked, model: 'claude-opus-5-5' })
      .withResponse()
    const id = response.headers.get('x-gateway-request-id')
    const record = await gateway.record((each) => each.id === id)
    expect(record).toMatchObject({ endpoint: 'messages', provider: 'anthropic', usage: { output_tokens: 15 } })
    expect(record.via).toBeUndefined()
  })
})

describe('over google', () => {
  const model = 'gemini-3.8-flash'

  test.each([
    ['stream-tools', true],
    ['tools-signature', false],
  ])('what a tool call needs back goes through the client: %s', async (fixture, streamed) => {
    const { messages } = client('google', fixture)
    const request = { ...asked, model, tools: [WEATHER] }
    const message = streamed ? await messages.stream(request).finalMessage() : await messages.create(request)
    expect(message.content.map(({ type }) => type)).toEqual(['redacted_thinking', 'tool_use', 'tool_use'])
    expect(message.stop_reason).toBe('tool_use')
    const results = message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Sun' }] : [],
    )
    await client('google', 'plain-text').messages.create({
      ...request,
      messages: [...question, { role: 'assistant', content: message.content }, { role: 'user', content: results }],
    })
    expect(bodyOf()).toMatchObject({
      contents: [
        {},
        {
          role: 'model',
          parts: [{ functionCall: { name: 'get_weather' }, thoughtSignature: 'c2ln' }, { functionCall: {} }],
        },
        { parts: [{ functionResponse: { name: 'get_weather' } }, { functionResponse: {} }] },
      ],
    })
  })

  test.each([false, true])('thoughts are shown, and go back (streamed: %p)', async (streamed) => {
    const { messages } = client('google', streamed ? 'stream-reasoning' : 'reasoning-blocks')
    const request = { ...asked, model, thinking: { type: 'adaptive' as const } }
    const message = streamed ? await messages.stream(request).finalMessage() : await messages.create(request)
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(bodyOf()).toMatchObject({ generationConfig: { thinkingConfig: { includeThoughts: true } } })
    expect(message.usage.output_tokens).toBe(streamed ? 25 : 5)
  })

  test('a document, an image in a result and a system prompt arrive', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'aGVsbG8=' },
    }
    await client('google', 'plain-text').messages.create({
      model,
      max_tokens: 10,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [WEATHER],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'aGVsbG8=' },
            },
            { type: 'text', text: 'What is it?' },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }] },
      ],
    })
    const sent = JSON.stringify(bodyOf())
    expect(bodyOf()).toMatchObject({ systemInstruction: { parts: [{ text: 'Be brief.' }] } })
    expect(sent).toContain('application/pdf')
    expect(sent).toContain('image/png')
  })

  test('tokens are counted by its counter', async () => {
    const { data, response } = await client('google', 'count-tokens')
      .messages.countTokens({ model, system: 'Be brief.', messages: question, tools: [WEATHER] })
      .withResponse()
    expect(data.input_tokens).toBe(31)
    expect(upstream.last().path).toBe(`/models/${model}:countTokens`)
    expect(bodyOf()).toMatchObject({ generateContentRequest: { systemInstruction: {}, contents: [{}], tools: [{}] } })
    expect(response.headers.get('x-gateway-messages-count-tokens-via')).toBe('chat-count-tokens')
    expect(response.headers.has('x-gateway-estimated')).toBe(false)
  })

  test('a blocked prompt is a refusal', async () => {
    const message = await client('google', 'prompt-blocked').messages.create({ ...asked, model })
    expect(message).toMatchObject({ stop_reason: 'refusal', stop_details: { type: 'refusal' } })
  })
})

describe('over OpenAI', () => {
  test('a request of Claude Code arrives as one of OpenAI', async () => {
    const cached = { cache_control: { type: 'ephemeral' as const } }
    const { data, response } = await client('openai', 'plain-text')
      .beta.messages.create(
        {
          model: 'gpt-5.2',
          max_tokens: 32_000,
          betas: ['claude-code-20250219', 'interleaved-thinking-2025-05-14'],
          system: [{ type: 'text', text: 'You are Claude Code.', ...cached }],
          thinking: { type: 'enabled', budget_tokens: 10_000 },
          metadata: { user_id: `user_${'0'.repeat(64)}_account__session_6f1c1f6e-8b0c-4e53-9f0e-1d5a1c3f7a55` },
          context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
          tools: [
            { ...WEATHER, ...cached },
            { type: 'web_search_20250305', name: 'web_search' },
          ],
          tool_choice: { type: 'auto', disable_parallel_tool_use: true },
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...cached }] }],
        },
        { timeout: 60_000 },
      )
      .withResponse()
    expect(data.content[0]).toMatchObject({ type: 'text' })
    expect(bodyOf()).toMatchObject({
      model: 'gpt-5.2',
      max_completion_tokens: 32_000,
      reasoning_effort: 'high',
      parallel_tool_calls: false,
      tool_choice: 'auto',
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: WEATHER.input_schema } }],
      messages: [{ role: 'system' }, { role: 'user' }],
      user: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(bodyOf()).not.toHaveProperty('context_management')
    const dropped = response.headers.get('x-gateway-dropped-params')
    expect(dropped).toContain('context_management')
    expect(dropped).toContain('tools[].web_search_20250305')
  })

  test('tools are called, streamed', async () => {
    const message = await client('openai', 'tools-stream')
      .messages.stream({ ...asked, model: 'gpt-5.2', tools: [WEATHER] })
      .finalMessage()
    expect(message.stop_reason).toBe('tool_use')
    for (const block of message.content) if (block.type === 'tool_use') expect(block.input).toBeObject()
    expect(bodyOf()).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  test.each([
    ['error-400', 400, 'invalid_request_error'],
    ['error-401', 401, 'authentication_error'],
    ['error-429', 429, 'rate_limit_error'],
  ])('%s comes in words of Anthropic', async (fixture, status, type) => {
    const failure = await failureOf(client('openai', fixture).messages.create({ ...asked, model: 'gpt-5.2' }))
    expect([failure.status, failure.type]).toEqual([status, type as never])
    expect(failure.error).toMatchObject({ type: 'error', error: { message: expect.stringMatching(/^openai: /) } })
  })
})
