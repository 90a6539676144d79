import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type {
  ResponseFunctionToolCall,
  ResponseInput,
  ResponseOutputItem,
  ResponseStreamEvent,
  Tool,
} from 'openai/resources/responses/responses'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient, providerClient } from './support/openai-client.ts'
import { startWireUpstream, type WireProvider, type WireUpstream } from './support/wire-upstream.ts'

const functionTool = (name: string, field: string, value: string): Tool => ({
  type: 'function',
  name,
  strict: false,
  parameters: { type: 'object', properties: { [field]: { type: 'string', enum: [value] } }, required: [field] },
})

const TOOLS = [functionTool('get_weather', 'city', 'Rome'), functionTool('get_time', 'zone', 'CET')]

/** `client.responses` of the official client, over providers that have no responses themselves. */
export const responsesSuite = (door: () => Door): void => {
  let upstream: WireUpstream
  beforeAll(async () => {
    upstream = await startWireUpstream()
  })
  afterAll(() => upstream.close())

  const client = (provider: WireProvider, fixture: string): OpenAI =>
    providerClient(door(), provider, upstream.baseURL(provider, fixture))

  describe('responses of the openai client', () => {
    test('answer a text, with all that their types promise', async () => {
      const response = await mockClient(door()).responses.create({
        model: 'mock',
        instructions: 'Be brief.',
        input: 'Grüße, 漢字 🙂',
        metadata: { topic: 'greeting' },
        temperature: 0.5,
      })
      expect(response.output_text).toBe('Mock answer to: Grüße, 漢字 🙂')
      expect(response).toMatchObject({
        object: 'response',
        status: 'completed',
        error: null,
        incomplete_details: null,
        instructions: 'Be brief.',
        metadata: { topic: 'greeting' },
        temperature: 0.5,
        tool_choice: 'auto',
        tools: [],
        parallel_tool_calls: true,
        text: { format: { type: 'text' } },
        usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11, input_tokens_details: { cached_tokens: 0 } },
      })
      expect(response.output).toMatchObject([{ type: 'message', role: 'assistant', status: 'completed' }])
    })

    test('stream their whole sequence of events, numbered, with ids that stay', async () => {
      const stream = await mockClient(door()).responses.create({ model: 'mock', input: 'one two', stream: true })
      const events = await all(stream)
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
      expect(withoutRepeats(events.map(({ type }) => type))).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ])
      const last = events.at(-1)
      if (last?.type !== 'response.completed') throw new Error('the last event is another')
      const [item] = last.response.output
      expect(itemIds(events)).toEqual(new Set([item?.id]))
      expect(responseIds(events)).toEqual(new Set([last.response.id]))
    })

    test.each([false, true])('go on after tools were called, streamed %p', async (streamed) => {
      const { responses } = mockClient(door())
      const input: ResponseInput = [{ role: 'user', content: 'Weather and time?' }]
      const ask = () => {
        const request = { model: 'mock-tools', input, tools: TOOLS }
        return streamed ? responses.stream(request).finalResponse() : responses.create(request)
      }
      const first = await ask()
      const calls = functionCalls(first.output)
      expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
        ['get_weather', { city: 'Rome' }],
        ['get_time', { zone: 'CET' }],
      ])
      input.push(...sentBack(first.output))
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: 'fine' })
      const second = await ask()
      expect(second.output_text).toContain('fine')
      expect(second.status).toBe('completed')
    })

    test('are parsed where they follow a schema', async () => {
      const { output_parsed: parsed } = await mockClient(door()).responses.parse({
        model: 'mock-json',
        input: 'A city?',
        text: {
          format: {
            type: 'json_schema',
            name: 'city',
            strict: true,
            schema: {
              type: 'object',
              properties: { city: { type: 'string', enum: ['Rome'] } },
              required: ['city'],
              additionalProperties: false,
            },
          },
        },
      })
      expect(parsed as unknown).toEqual({ city: 'Rome' })
    })

    test('end early where the model may say no more', async () => {
      const { responses } = mockClient(door())
      const request = { model: 'mock', input: 'one two three', max_output_tokens: 4 }
      const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      expect(await responses.create(request)).toMatchObject(cut)
      expect(await responses.stream(request).finalResponse()).toMatchObject(cut)
    })

    test('show what the model thought, plain and in a stream', async () => {
      const { responses } = mockClient(door())
      for (const response of [
        await responses.create({ model: 'mock-reasoning', input: 'Hello' }),
        await responses.stream({ model: 'mock-reasoning', input: 'Hello' }).finalResponse(),
      ]) {
        expect(response.output).toMatchObject([
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Mock reasoning about: Hello' }] },
          { type: 'message' },
        ])
        expect(response.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0)
      }
    })

    test.each([
      ['anthropic', 'claude-opus-5-5', 'stream-tool-calls', 'tool-results', '"tool_result"'],
      ['google', 'gemini-3.8-flash', 'stream-tools', 'plain-text', '"functionResponse"'],
    ] as const)('%s streams calls at once, and gets their results', async (provider, model, calls, text, results) => {
      const input: ResponseInput = [{ role: 'user', content: 'Weather?' }]
      const first = await client(provider, calls).responses.stream({ model, input, tools: TOOLS }).finalResponse()
      const called = functionCalls(first.output)
      expect(called.length).toBe(2)
      input.push(...sentBack(first.output))
      for (const { call_id } of called) input.push({ type: 'function_call_output', call_id, output: 'Rain' })
      await client(provider, text).responses.create({ model, input, tools: TOOLS })
      for (const { call_id } of called) expect(upstream.last().text).toContain(call_id)
      expect(upstream.last().text).toContain(results)
    })

    test.each([
      ['anthropic', 'claude-sonnet-4-5', 'thinking-tool-call', '"signature":'],
      ['anthropic', 'claude-sonnet-4-5', 'stream-thinking-tool-call', '"signature":'],
      ['google', 'gemini-3.8-flash', 'tools-signature', '"thoughtSignature":'],
      ['google', 'gemini-3.8-flash', 'stream-tools', '"thoughtSignature":'],
    ] as const)('%s gets its reasoning back: %s %s', async (provider, model, fixture, signature) => {
      const input: ResponseInput = [{ role: 'user', content: 'Weather?' }]
      const request = { model, tools: TOOLS, reasoning: { effort: 'medium' as const }, max_output_tokens: 20_000 }
      const { responses } = client(provider, fixture)
      const first = fixture.startsWith('stream-')
        ? await responses.stream({ ...request, input }).finalResponse()
        : await responses.create({ ...request, input })
      expect(first.output).toContainEqual(
        expect.objectContaining({ type: 'reasoning', encrypted_content: expect.stringMatching(/^weir\./) }),
      )
      input.push(...sentBack(first.output))
      for (const { call_id } of functionCalls(first.output)) {
        input.push({ type: 'function_call_output', call_id, output: 'Rain' })
      }
      await client(provider, 'plain-text').responses.create({ ...request, input })
      expect(upstream.last().text).toContain(signature)

      // Another provider gets the conversation, but nothing that only this one understands.
      const other = provider === 'google' ? 'anthropic' : 'google'
      const otherModel = provider === 'google' ? 'claude-sonnet-4-5' : 'gemini-2.5-flash'
      await client(other, 'plain-text').responses.create({ ...request, model: otherModel, input })
      expect(upstream.last().text).not.toContain('weir.1.')
    })

    test.each([
      ['anthropic', 'error-401', OpenAI.AuthenticationError],
      ['anthropic', 'error-429', OpenAI.RateLimitError],
      ['google', 'error-500', OpenAI.InternalServerError],
    ] as const)('%s %s is the right error, streamed or not', async (provider, name, kind) => {
      for (const stream of [false, true]) {
        const { responses } = client(provider, name)
        const error = await failureOf(responses.create({ model: 'gemini-2.5-flash', input: 'Hello', stream }))
        expect(error).toBeInstanceOf(kind)
      }
    })

    test('a stream that breaks is an error of the client', async () => {
      const { responses } = client('anthropic', 'stream-error-later')
      const error = await failureOf(responses.stream({ model: 'claude-sonnet-4-5', input: 'Hello' }).finalResponse())
      expect(error).toBeInstanceOf(OpenAI.APIError)
      expect(String(error)).toContain('anthropic: ')
    })

    test.each([
      [{ background: true }, 'background'],
      [{ conversation: 'conv_1' }, 'conversation'],
      [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
      [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
      [{ input: [{ type: 'item_reference' as const, id: 'msg_1' }] }, 'input[0]'],
      [{ input: [{ type: 'message', role: 'user', content: [{ type: 'input_video' }] }] }, 'input[0].content[0].type'],
    ])('refuse what only a provider of their own could do: %j', async (fields, param) => {
      const request = { model: 'mock', input: 'Hello', ...fields } as OpenAI.Responses.ResponseCreateParamsNonStreaming
      const error = await failureOf(mockClient(door()).responses.create(request))
      expect(error).toMatchObject({ status: 400, param })
    })

    test('name what was lost', async () => {
      const { response } = await mockClient(door())
        .responses.create({
          model: 'mock',
          input: 'Hello',
          tools: [{ type: 'web_search' }, ...TOOLS],
          truncation: 'auto',
          max_tool_calls: 3,
        })
        .withResponse()
      expect(response.headers.get('x-gateway-dropped-params')).toBe('tools[].web_search, max_tool_calls, truncation')
      expect(response.headers.get('x-gateway-responses-via')).toBe('chat')
    })
  })
}

const withoutRepeats = (names: readonly string[]): string[] => names.filter((name, index) => name !== names[index - 1])

const functionCalls = (output: readonly ResponseOutputItem[]): ResponseFunctionToolCall[] =>
  output.filter((item): item is ResponseFunctionToolCall => item.type === 'function_call')

/** As clients do it that keep the conversation themselves. */
const sentBack = (output: readonly ResponseOutputItem[]): ResponseInput => output as ResponseInput

const itemIds = (events: readonly ResponseStreamEvent[]): Set<unknown> =>
  new Set(events.flatMap((event) => ('item' in event ? event.item.id : 'item_id' in event ? event.item_id : [])))

const responseIds = (events: readonly ResponseStreamEvent[]): Set<unknown> =>
  new Set(events.flatMap((event) => ('response' in event ? event.response.id : [])))
