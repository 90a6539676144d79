import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import { GatewayError, type Provider, type SseEvent } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { conform, fakeHost } from '#kit/testing'
import google from './index.ts'

conform(google, new URL('./fixtures/', import.meta.url))

const { providers } = await google.setup({ baseURL: 'https://gemini.example/v1beta' }, fakeHost())
const provider = providers?.[0] as Provider
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const contextOf = (overrides: Partial<AdapterContext> = {}): AdapterContext => ({
  model: 'gemini-3.8-flash',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1_700_000_000,
  settings: {},
  ...overrides,
})

const adapt = (fields: Record<string, unknown>, overrides: Partial<AdapterContext> = {}) => {
  const context = contextOf(overrides)
  const request = { model: context.model, messages: [{ role: 'user' as const, content: 'Hi' }], ...fields }
  return adaptRequest(chat, request, context)
}

const thrownBy = (run: () => unknown): GatewayError => {
  try {
    run()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const answer = (candidate: Record<string, unknown>) => ({ candidates: [{ index: 0, ...candidate }] })
const said = (text: string) => ({ content: { role: 'model', parts: [{ text }] } })
const reply = (body: unknown, overrides: Partial<AdapterContext> = {}) =>
  chat.reply?.(body, contextOf(overrides), { model: 'm', messages: [] }).reply
const event = (body: unknown): SseEvent => ({ event: 'message', data: JSON.stringify(body) })
const machineOf = (overrides: Partial<AdapterContext> = {}) => {
  const machine = chat.stream?.(contextOf({ stream: true, ...overrides }))
  if (machine === undefined) throw new Error('chat does not stream')
  return machine
}

describe('path', () => {
  test.each([
    ['gemini-3.8-flash', false, '/models/gemini-3.8-flash:generateContent'],
    ['models/gemini-3.8-flash', true, '/models/gemini-3.8-flash:streamGenerateContent?alt=sse'],
    ['../../v1/x?key=1#', false, '/models/..%2F..%2Fv1%2Fx%3Fkey%3D1%23:generateContent'],
  ])('%s', (model, stream, path) => {
    expect(adapt({}, { model, stream }).path).toBe(path)
  })

  test.each(['', 'models/', '\ud800'])('refuses the model %p', (model) => {
    expect(thrownBy(() => adapt({}, { model })).options.param).toBe('model')
  })
})

describe('a request that Gemini cannot be told names the field', () => {
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const image = (url: unknown) => user([{ type: 'image_url', image_url: { url } }])
  const assistant = (fields: Record<string, unknown>) => ({ messages: [{ role: 'assistant', ...fields }] })
  const call = (fields: Record<string, unknown>) =>
    assistant({ tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...fields }] })

  const refused: [string, Record<string, unknown>][] = [
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages[0].content', user(null)],
    ['messages[0].content', user([])],
    ['messages[0].content[0]', user(['x'])],
    ['messages[0].content[0].type', user([{ type: 'video' }])],
    ['messages[0].content[0].text', user([{ type: 'text', text: 1 }])],
    ['messages[0].content[0].image_url', image(1)],
    ['messages[0].content[0].image_url', image('http://example.com/a.png')],
    ['messages[0].content[0].image_url', image('file:///etc/passwd')],
    ['messages[0].content[0].image_url', image('https://')],
    ['messages[0].content[0].image_url', image('data:image/png,abc')],
    ['messages[0].content[0].image_url', image('data:image/png;base64,')],
    ['messages[0].content[0].image_url', image('data:;base64,aGk=')],
    ['messages[0].content[0].input_audio', user([{ type: 'input_audio', input_audio: {} }])],
    ['messages[0].content[0].file', user([{ type: 'file', file: { file_id: 'file-1' } }])],
    ['messages[0].content[0].type', { messages: [{ role: 'system', content: [{ type: 'image_url' }] }] }],
    ['messages', assistant({ content: null })],
    ['messages[0].tool_calls', assistant({ tool_calls: 'x' })],
    ['messages[0].tool_calls[0]', assistant({ tool_calls: [null] })],
    ['messages[0].tool_calls[0].id', call({ id: 1 })],
    ['messages[0].tool_calls[0].function.name', call({ function: null })],
    ['messages[0].tool_calls[0].function.arguments', call({ function: { name: 'f', arguments: 1 } })],
    ['messages[0].content_blocks', assistant({ content_blocks: 'x' })],
    ['messages[0].content_blocks[0].text', assistant({ content_blocks: [{ type: 'text', text: 1 }] })],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', tool_call_id: 'unknown', content: 'x' }] }],
    ['tools', { tools: {} }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function' }] }],
    ['tools[0].function.parameters', { tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] }],
    ['tool_choice', { tool_choice: 'constructor' }],
    ['tool_choice', { tool_choice: { type: 'function' } }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    ['response_format.json_schema.schema', { response_format: { type: 'json_schema', json_schema: { schema: 'x' } } }],
    ['temperature', { temperature: '1' }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['seed', { seed: 'x' }],
    ['n', { n: true }],
    ['stop', { stop: [1] }],
    ['logprobs', { logprobs: 1 }],
    ['safety_settings', { safety_settings: {} }],
    ['reasoning_effort', { reasoning_effort: 'constructor' }],
    ['thinking', { thinking: 'yes' }],
    ['thinking.type', { thinking: {} }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: '1' } }],
  ]
  test.each(refused)('%s', (param, fields) => {
    const error = thrownBy(() => adapt(fields))
    expect(error.code).toBe('invalid_request')
    expect(error.options.param).toBe(param)
  })
})

describe('thinking', () => {
  const config = (model: string, fields: Record<string, unknown>) => {
    const { body, dropped } = adapt(fields, { model })
    return { config: (body?.generationConfig as Record<string, unknown> | undefined)?.thinkingConfig, dropped }
  }
  const none: string[] = []

  test.each([
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'minimal', { thinkingBudget: 1024 }],
    ['gemini-2.5-flash', 'low', { thinkingBudget: 1024 }],
    ['gemini-2.5-flash', 'medium', { thinkingBudget: 8192 }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-3.8-flash', 'none', { thinkingLevel: 'minimal' }],
    ['gemini-3.8-flash', 'medium', { thinkingLevel: 'medium' }],
    ['gemini-3.8-flash', 'xhigh', { thinkingLevel: 'high' }],
    ['models/gemini-3.1-pro-preview', 'minimal', { thinkingLevel: 'low' }],
    ['gemini-flash-latest', 'low', { thinkingLevel: 'low' }],
  ])('%s with effort %s', (model, reasoning_effort, expected) => {
    const shown = reasoning_effort === 'none' ? {} : { includeThoughts: true }
    expect(config(model, { reasoning_effort })).toEqual({ config: { ...expected, ...shown }, dropped: none })
  })

  test.each([
    ['gemini-2.5-flash', { type: 'adaptive' }, { thinkingBudget: -1, includeThoughts: true }],
    ['gemini-2.5-flash', { type: 'disabled' }, { thinkingBudget: 0 }],
    ['gemini-3.8-flash', { type: 'enabled' }, { includeThoughts: true }],
    ['gemini-3.8-flash', { type: 'enabled', budget_tokens: 99 }, { thinkingBudget: 99, includeThoughts: true }],
    ['gemini-3.8-flash', { type: 'disabled' }, { thinkingLevel: 'minimal' }],
  ])('%s with thinking %j', (model, thinking, expected) => {
    expect(config(model, { thinking })).toEqual({ config: expected, dropped: none })
  })

  test('an effort fills in for an adaptive budget', () => {
    const fields = { thinking: { type: 'adaptive' }, reasoning_effort: 'low' }
    const expected = { thinkingBudget: 1024, includeThoughts: true }
    expect(config('gemini-2.5-flash', fields)).toEqual({ config: expected, dropped: none })
  })

  test('a model that cannot think drops both', () => {
    const fields = { thinking: { type: 'enabled' }, reasoning_effort: 'low' }
    expect(config('gemini-2.0-flash', fields)).toEqual({ config: undefined, dropped: ['thinking', 'reasoning_effort'] })
  })
})

test('a tool result nested too deep goes as text', () => {
  const text = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
  const toolCalls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
  const { body } = adapt({
    messages: [
      { role: 'assistant', tool_calls: toolCalls },
      { role: 'tool', tool_call_id: 'a', content: text },
    ],
  })
  expect(body).toHaveProperty('contents.2.parts.0.functionResponse.response', { result: text })
})

describe('finish reasons', () => {
  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['LANGUAGE', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
  ])('%s is %s, without strictness too, and itself for those who ask', (word, expected) => {
    const body = answer({ ...said('Hi'), finishReason: word })
    expect(reply(body)?.choices[0]?.finish_reason).toBe(expected)
    expect(reply(body, { strict: false })?.choices[0]?.finish_reason).toBe(expected)
    expect(reply(body, { ownFinishReason: true })?.choices[0]?.finish_reason).toBe(word)
  })

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER', 'NEW_WORD'])(
    '%s is an error, with the word as its code',
    (word) => {
      const error = thrownBy(() => reply(answer({ ...said('Hi'), finishReason: word }), { strict: false }))
      expect([error.code, error.status, error.options.wireCode]).toEqual(['upstream_error', 502, word])
      const silent = answer({ finishReason: word })
      expect(thrownBy(() => reply(silent, { ownFinishReason: true })).options.wireCode).toBe(word)
      const lax = reply(answer({ ...said('Hi'), finishReason: word }), { ownFinishReason: true })
      expect(lax?.choices[0]?.finish_reason).toBe(word)
    },
  )

  test('a candidate without one is no answer', () => {
    expect(thrownBy(() => reply(answer(said('Hi')))).code).toBe('upstream_invalid')
  })

  test('no candidates and no reason is no answer', () => {
    expect(thrownBy(() => reply({ candidates: [] })).code).toBe('upstream_invalid')
  })

  test('an empty answer that stopped is empty', () => {
    expect(reply(answer({ content: { role: 'model' }, finishReason: 'STOP' }))?.choices[0]?.message.content).toBe('')
  })
})

describe('an answer of images alone', () => {
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'aGk=' }, thoughtSignature: 'c2ln' }]
  const body = answer({ content: { parts }, finishReason: 'STOP' })
  const block = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
    extra_content: { google: { thought_signature: 'c2ln' } },
  }

  test('is no empty stop with strict compliance', () => {
    expect(thrownBy(() => reply(body)).code).toBe('upstream_invalid')
  })

  test('comes as content blocks without, and goes back as it came', () => {
    expect(reply(body, { strict: false })?.choices[0]?.message.content_blocks).toEqual([block])
    const { body: request } = adapt({ messages: [{ role: 'assistant', content_blocks: [block] }] })
    expect(request).toHaveProperty('contents.0.parts', parts)
  })
})

test('an answer of code alone is no empty stop', () => {
  const parts = [{ executableCode: { language: 'PYTHON', code: 'x' }, thoughtSignature: 'c2ln' }]
  const body = answer({ content: { parts }, finishReason: 'STOP' })
  expect(thrownBy(() => reply(body)).code).toBe('upstream_invalid')
  expect(thrownBy(() => reply(body, { strict: false })).code).toBe('upstream_invalid')
})

test('a signature alone in its part is kept', () => {
  const body = answer({ content: { parts: [{ thoughtSignature: 'c2ln' }] }, finishReason: 'STOP' })
  const message = reply(body, { strict: false })?.choices[0]?.message
  expect(message?.content_blocks).toEqual([
    { type: 'text', text: '', extra_content: { google: { thought_signature: 'c2ln' } } },
  ])
})

describe('errors in a 200', () => {
  test('keep status, type, code, field and delay', () => {
    const body = [
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'Slow down.',
          details: [{ reason: 'RATE_LIMIT_EXCEEDED' }, { fieldViolations: [{ field: 'n' }] }, { retryDelay: '0.5s' }],
        },
      },
    ]
    const error = thrownBy(() => reply(body))
    expect([error.code, error.status, error.message]).toEqual(['upstream_error', 429, 'Slow down.'])
    expect(error.options).toMatchObject({
      provider: 'google',
      type: 'RESOURCE_EXHAUSTED',
      wireCode: 'RATE_LIMIT_EXCEEDED',
      param: 'n',
      retryAfterMs: 500,
    })
  })

  test('a status that is none counts as the catalogue says', () => {
    expect(thrownBy(() => reply({ error: { code: 200, message: 'x' } })).status).toBe(502)
  })
})

describe('stream', () => {
  test('a cut stream is an error', () => {
    expect(thrownBy(() => machineOf().end()).code).toBe('stream_truncated')
    const machine = machineOf()
    machine.push(event(answer(said('Hi'))))
    expect(machine.complete()).toBe(false)
    expect(thrownBy(() => machine.end()).code).toBe('stream_truncated')
  })

  test('waits for each candidate that it saw', () => {
    const machine = machineOf()
    machine.push(
      event({
        candidates: [
          { index: 0, ...said('a') },
          { index: 1, ...said('b') },
        ],
      }),
    )
    machine.push(event(answer({ finishReason: 'STOP' })))
    expect(machine.complete()).toBe(false)
    expect(thrownBy(() => machine.end()).code).toBe('stream_truncated')
  })

  test('a finish reason in each event is told once, at the end', () => {
    const machine = machineOf()
    const chunks = ['Hel', 'lo'].flatMap((text) => machine.push(event(answer({ ...said(text), finishReason: 'STOP' }))))
    expect([...chunks, ...machine.end()].map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, 'stop'])
  })

  test.each(['{"candidates":', 'null', '[]', '"text"', '[DONE]'])('%s is no event', (data) => {
    expect(thrownBy(() => machineOf().push({ event: 'message', data })).code).toBe('upstream_invalid')
  })

  test('an event without data says nothing', () => {
    expect(machineOf().push({ event: 'message', data: ' ' })).toEqual([])
  })

  test('ids of calls without one do not depend on how the answer was cut', () => {
    const call = { functionCall: { name: 'f', args: {} } }
    const machine = machineOf()
    const chunks = [1, 2].flatMap(() => machine.push(event(answer({ content: { parts: [call] } }))))
    const streamed = chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.id)
    const whole = reply(answer({ content: { parts: [call, call] }, finishReason: 'STOP' }))
    expect(whole?.choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(['call_call-1_0_0', 'call_call-1_0_1'])
    expect(streamed).toEqual(['call_call-1_0_0', 'call_call-1_0_1'])
  })

  test('arguments of 10 MB go through in one piece', () => {
    const args = { text: 'x'.repeat(10_000_000) }
    const parts = [{ functionCall: { name: 'f', args } }]
    const [chunk] = machineOf().push(event(answer({ content: { parts } })))
    expect(chunk?.choices[0]?.delta.tool_calls?.[0]?.function?.arguments === JSON.stringify(args)).toBe(true)
  })

  test('arguments nested too deep are an error of the catalogue', () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const data = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${deep}}}]}}]}`
    expect(thrownBy(() => machineOf().push({ event: 'message', data })).code).toBe('upstream_invalid')
  })

  test('counts that a later event leaves out stay', () => {
    const machine = machineOf()
    const counts = { promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 10 }
    machine.push(event({ ...answer(said('a')), usageMetadata: counts }))
    machine.push(event({ ...answer(said('b')), usageMetadata: { candidatesTokenCount: 2, totalTokenCount: 11 } }))
    expect(machine.usage()).toEqual({ inputTokens: 9, outputTokens: 2, totalTokens: 11, cachedInputTokens: 4 })
  })
})

test.each([
  ['/models/gemini-3.8-flash:generateContent', 'gemini-3.8-flash'],
  ['/v1beta/models/gemini-3.8-flash:streamGenerateContent', 'gemini-3.8-flash'],
  ['/models/gemini-3.8-flash', 'gemini-3.8-flash'],
  ['/tunedModels/mine:generateContent', 'tunedModels/mine'],
  ['/models', undefined],
  ['/models/', undefined],
  ['/files/models/x', undefined],
  ['/openai/chat/completions', undefined],
])('a call that passes through names its model in the path: %s', (path, model) => {
  expect(provider.modelInPath?.(path)).toBe(model)
})

describe('a history', () => {
  const contents = (...messages: readonly object[]) => adapt({ messages }).body?.contents

  test("of another provider's blocks keeps their text, and no signature", () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'text', text: 'Found.', signature: 'EqQB' },
    ]
    const user = { role: 'user', content: 'Hi' }
    expect(contents({ role: 'assistant', content: 'Found.', content_blocks: blocks }, user)).toEqual([
      { role: 'model', parts: [{ text: 'Found.' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ])
    expect(contents({ role: 'assistant', refusal: 'No.', content_blocks: blocks.slice(0, 3) }, user)).toEqual([
      { role: 'model', parts: [{ text: 'No.' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ])
  })

  test.each(['[]', '{"a"', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`])(
    'keeps arguments that are no object: %.9s',
    (text) => {
      const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }]
      expect(adapt({ messages: [{ role: 'assistant', tool_calls: calls }] }).body).toHaveProperty(
        'contents.1.parts.0.functionCall.args',
        { arguments: text },
      )
    },
  )

  test('begins with a user before a call, and ends with one behind an answer', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const result = { role: 'tool', tool_call_id: 'a', content: '1' }
    const roles = (list: unknown) => (list as readonly { role: string }[]).map(({ role }) => role)
    expect(roles(contents({ role: 'assistant', tool_calls: calls }, result))).toEqual(['user', 'model', 'user'])
    expect(roles(contents({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }))).toEqual([
      'user',
      'model',
      'user',
    ])
  })
})
