import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { conform, fakeHost, setUp } from '#kit/testing'
import { MOCK_MODELS } from './answer.ts'
import mock from './index.ts'
import { type MockServer, startMockServer } from './server.ts'
import { rawCall } from './test-support/raw-client.ts'
import { askRecorded, type RecordedCase } from './test-support/recorded-case.ts'
import { chunks, content, dataOf, text, toolDeltas, usages } from './test-support/stream.ts'

const FIXTURES = new URL('./fixtures/', import.meta.url)

conform(mock, FIXTURES)

let server: MockServer
beforeAll(async () => {
  server = await startMockServer()
})
afterAll(() => server.close())

const user = (words: unknown) => [{ role: 'user', content: words }]
const ask = (body: unknown, path?: string) =>
  rawCall({ port: server.port, body, ...(path === undefined ? {} : { path }) })
const json = async (body: unknown, path?: string) => JSON.parse(text(await ask(body, path)))
const messageOf = async (body: unknown) => (await json(body)).choices[0].message

describe('the recorded cases are what the mock answers', () => {
  for (const file of readdirSync(FIXTURES)) {
    test(file, async () => {
      const recorded: RecordedCase = JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'))
      const real = await askRecorded(server.url, recorded)
      expect(real.status).toBe(recorded.status ?? 200)
      const answered = await real.text()
      if (recorded.stream !== undefined) expect(answered).toBe(recorded.stream)
      else if (recorded.answer !== undefined) expect(JSON.parse(answered)).toEqual(recorded.answer)
      else expect(answered).not.toBe('')
    })
  }
})

describe('the end of a conversation that is a prefix', () => {
  const said = (content: string, more = {}) => [...user('Hello'), { role: 'assistant', content, ...more }]

  test('is gone on from', async () => {
    const messages = said('Mock answer', { prefix: true })
    expect((await messageOf({ model: 'mock', messages })).content).toBe(' to: Hello')
  })

  test('is not when it says something else, or is none', async () => {
    for (const messages of [said('Something else', { prefix: true }), said('Mock answer')]) {
      expect((await messageOf({ model: 'mock', messages })).content).toBe('Mock answer to: Hello')
    }
  })
})

describe('the plugin', () => {
  test('serves its provider over a socket that the host trusts, until it is closed', async () => {
    const host = fakeHost()
    const { parts, providers } = await setUp(mock, {}, host)
    const [provider] = providers
    expect(host.trusted).toEqual([new URL(String(provider?.baseURL)).host])
    expect(provider?.models).toEqual(Object.keys(MOCK_MODELS))
    const models = await (await fetch(`${provider?.baseURL}/models`)).json()
    expect(models).toMatchObject({
      object: 'list',
      data: Object.keys(MOCK_MODELS).map((id) => ({ id, object: 'model' })),
    })
    await parts.close?.()
    await expect(fetch(`${provider?.baseURL}/models`)).rejects.toThrow()
  })
})

describe('answers', () => {
  test('are the same for the same request, and tell requests apart', async () => {
    const body = { model: 'mock', messages: user('hello') }
    expect(text(await ask(body))).toBe(text(await ask(body)))
    expect((await json(body)).id).not.toBe((await json({ ...body, seed: 2 })).id)
  })

  test('a stream adds up to the reply', async () => {
    for (const model of ['mock', 'mock-json', 'mock-reasoning', 'mock-vision']) {
      const body = { model, messages: user(' hello  there\nyou ') }
      const stream = { ...body, stream: true, stream_options: { include_usage: true } }
      const data = dataOf(await ask(stream))
      const reply = await json(body)
      expect(content(data)).toBe(reply.choices[0].message.content)
      expect(usages(data)).toEqual([reply.usage])
    }
  })

  test('only report usage in a stream when asked', async () => {
    const data = dataOf(await ask({ model: 'mock', messages: user('hello'), stream: true }))
    expect(chunks(data).every((chunk) => !('usage' in chunk))).toBe(true)
  })

  test('honour the limits on tokens and the number of choices', async () => {
    const body = { model: 'mock', messages: user('a b c'), max_tokens: 9, max_completion_tokens: 2, n: 2 }
    const reply = await json(body)
    expect(reply.choices.map((choice: { index: number }) => choice.index)).toEqual([0, 1])
    expect(reply.choices[1]).toMatchObject({ message: { content: 'Mock answer ' }, finish_reason: 'length' })
    expect(reply.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 })
    const stream = chunks(dataOf(await ask({ ...body, stream: true })))
    expect(stream.filter((chunk) => chunk.choices[0]?.finish_reason === 'length')).toHaveLength(2)
  })

  test('have the length that is asked for', async () => {
    for (const tokens of [0, 1, 3, 1000]) {
      const reply = await json({ model: `mock:tokens=${tokens}`, messages: user('hello') })
      expect(reply.usage.completion_tokens).toBe(tokens)
      expect(reply.choices[0].message.content.split(' ').filter(Boolean)).toHaveLength(tokens)
    }
  })

  test('report cached tokens when told to', async () => {
    const { usage } = await json({ model: 'mock:cached=2', messages: user('a b c') })
    expect(usage.prompt_tokens_details.cached_tokens).toBe(2)
  })
})

describe('text completions', () => {
  const complete = (body: object) => json({ model: 'mock', ...body }, '/v1/completions')

  test('say what the chat would, for each prompt and choice', async () => {
    const chat = await json({ model: 'mock', messages: user('one two') })
    const { choices, usage, id, object } = await complete({ prompt: ['one two', [7, 8]], n: 2, max_tokens: 4 })
    expect([object, id]).toEqual(['text_completion', expect.stringMatching(/^cmpl-mock-/)] as never)
    expect(chat.choices[0].message.content).toBe('Mock answer to: one two')
    expect(choices.map((choice: { text: string; index: number }) => [choice.index, choice.text])).toEqual([
      [0, 'Mock answer to: one '],
      [1, 'Mock answer to: one '],
      [2, 'Mock answer to: 7 '],
      [3, 'Mock answer to: 7 '],
    ])
    expect(usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 16, total_tokens: 20 })
  })

  test('a stream adds up to the reply', async () => {
    for (const model of ['mock', 'mock-reasoning', 'mock-tools', 'mock-json']) {
      const body = { model, prompt: [' hello  there\n', 'you'], echo: true, tools: [clock] }
      const reply = await complete(body)
      const stream = await ask({ ...body, stream: true, stream_options: { include_usage: true } }, '/v1/completions')
      const pieces = dataOf(stream).flatMap((item) => (item === '[DONE]' ? [] : [JSON.parse(item)]))
      for (const { text: whole, index, finish_reason: reason } of reply.choices) {
        const own = pieces.flatMap((piece) => piece.choices).filter((choice) => choice.index === index)
        expect(own.map((choice) => choice.text).join('')).toBe(whole)
        expect(own.at(-1).finish_reason).toBe(reason)
        expect(reason).toBe('stop')
      }
      expect(usages(dataOf(stream))).toEqual([reply.usage])
    }
  })

  test('obey the switches', async () => {
    expect((await complete({ prompt: 'x', mock: { tokens: 3 } })).usage.completion_tokens).toBe(3)
    expect(await complete({ prompt: 'x', mock: { fault: 'usage-missing' } })).not.toHaveProperty('usage')
    const { choices } = await complete({ model: 'mock-echo', prompt: 'x' })
    expect(JSON.parse(choices[0].text).body).toEqual({ model: 'mock-echo', prompt: 'x' })
  })
})

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius'] } },
      required: ['city', 'unit'],
    },
  },
}
const clock = { type: 'function', function: { name: 'clock' } }

describe('mock-tools', () => {
  const body = { model: 'mock-tools', messages: user('Rain?'), tools: [weather, clock] }

  test('calls each tool with arguments that fit, plain and streamed', async () => {
    const { content: words, tool_calls: calls } = await messageOf(body)
    expect(words).toBeNull()
    expect(calls.map((call: { function: { name: string } }) => call.function.name)).toEqual(['weather', 'clock'])
    expect(JSON.parse(calls[0].function.arguments)).toEqual({ city: 'mock', unit: 'celsius' })
    const deltas = toolDeltas(dataOf(await ask({ ...body, stream: true })))
    for (const [index, call] of calls.entries()) {
      const own = deltas.filter((delta) => delta.index === index)
      expect(own[0]).toMatchObject({ id: call.id, type: 'function', function: { name: call.function.name } } as never)
      expect(own.map((delta) => delta.function.arguments).join('')).toBe(call.function.arguments)
    }
  })

  test('honours tool_choice and parallel_tool_calls', async () => {
    const names = async (extra: object) =>
      (await messageOf({ ...body, ...extra })).tool_calls?.map(
        (call: { function: { name: string } }) => call.function.name,
      )
    expect(await names({ parallel_tool_calls: false })).toEqual(['weather'])
    expect(await names({ tool_choice: { type: 'function', function: { name: 'clock' } } })).toEqual(['clock'])
    expect(await names({ tool_choice: 'none' })).toBeUndefined()
    expect(await names({ tools: null })).toBeUndefined()
  })

  test('answers with text after the results', async () => {
    const results = ['a', 'b'].map((id) => ({
      role: 'tool',
      tool_call_id: id,
      content: [{ type: 'text', text: `R${id}` }],
    }))
    const turn = [...body.messages, { role: 'assistant', content: null, tool_calls: [] }, ...results]
    const message = await messageOf({ ...body, messages: turn })
    expect(message.content).toBe('Mock answer from 2 tool results: Ra, Rb')
    expect((await messageOf({ ...body, messages: [...turn, ...user('again')] })).tool_calls).toHaveLength(2)
  })
})

describe('the other models', () => {
  test('mock-json fits the schema', async () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
    const body = { model: 'mock-json', messages: user('hello') }
    expect(JSON.parse((await messageOf({ ...body, response_format: format })).content)).toEqual({ ok: true })
    expect(JSON.parse((await messageOf({ ...body, response_format: { type: 'json_object' } })).content)).toEqual({
      answer: 'hello',
    })
  })

  test('mock-vision counts images', async () => {
    const parts = [
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
    ]
    const reply = await json({ model: 'mock-vision', messages: user(parts) })
    expect(reply.choices[0].message.content).toBe('Mock saw 2 images: https, image/png as base64.')
    expect(reply.usage.prompt_tokens).toBe(3)
    expect((await messageOf({ model: 'mock-vision', messages: user('no') })).content).toBe('Mock saw 0 images.')
  })

  test('mock-reasoning thinks first', async () => {
    const reply = await json({ model: 'mock-reasoning', messages: user('why') })
    expect(reply.choices[0].message.reasoning_content).toBe('Mock reasoning about: why')
    expect(reply.usage.completion_tokens_details.reasoning_tokens).toBe(4)
    expect(reply.usage.completion_tokens).toBe(8)
  })

  test('mock-echo shows the request, and no header values', async () => {
    const body = { model: 'mock-echo', messages: user('x'), anything: { deep: [1] } }
    const answer = await rawCall({ port: server.port, body, headers: { 'X-Secret': 'hidden-value' } })
    const echo = JSON.parse(JSON.parse(text(answer)).choices[0].message.content)
    expect(echo.body).toEqual(body)
    expect(echo.headers).toContain('x-secret')
    expect(text(answer)).not.toContain('hidden-value')
  })

  test('mock-embedding makes unit vectors', async () => {
    const embed = (extra: object) => json({ model: 'mock-embedding', ...extra }, '/v1/embeddings')
    const { data, usage } = await embed({ input: ['one two', 'three', 'one two'], dimensions: 12 })
    expect(data.map((item: { index: number }) => item.index)).toEqual([0, 1, 2])
    expect(data[0].embedding).toEqual(data[2].embedding)
    expect(data[0].embedding).not.toEqual(data[1].embedding)
    for (const { embedding } of data)
      expect([embedding.length, Math.hypot(...embedding)]).toEqual([12, expect.closeTo(1)])
    expect(usage).toEqual({ prompt_tokens: 5, total_tokens: 5 })
    const coded = await embed({ input: 'one two', dimensions: 12, encoding_format: 'base64' })
    const bytes = Uint8Array.fromBase64(coded.data[0].embedding)
    expect([...new Float32Array(bytes.buffer)]).toEqual(data[0].embedding)
    expect((await embed({ input: [[1, 2], [3]] })).usage.prompt_tokens).toBe(3)
    expect((await embed({ input: 'x' })).data[0].embedding).toHaveLength(256)
  })
})

describe('what the mock refuses', () => {
  test.each([
    ['/v1/nothing', {}, 404, null],
    ['/v1/chat/completions?x=1', {}, 404, null],
    ['/v1/models', {}, 405, null],
    ['/v1/chat/completions', 'no json', 400, null],
    ['/v1/chat/completions', [], 400, null],
    ['/v1/chat/completions', {}, 400, 'model'],
    ['/v1/chat/completions', { model: 'gpt', messages: user('x') }, 404, 'model'],
    ['/v1/chat/completions', { model: 'toString', messages: user('x') }, 404, 'model'],
    ['/v1/chat/completions', { model: 'mock' }, 400, 'messages'],
    ['/v1/chat/completions', { model: 'mock', messages: [{}, 7] }, 400, 'messages[1]'],
    ['/v1/chat/completions', { model: 'mock', messages: user('x'), n: 0 }, 400, 'n'],
    ['/v1/chat/completions', { model: 'mock', messages: user('x'), mock: { x: 1 } }, 400, 'mock.x'],
    ['/v1/chat/completions', { model: 'mock-embedding', messages: user('x') }, 400, 'model'],
    ['/v1/completions', { model: 'mock' }, 400, 'prompt'],
    ['/v1/completions', { model: 'mock', prompt: [] }, 400, 'prompt'],
    ['/v1/completions', { model: 'mock', prompt: ['x', {}] }, 400, 'prompt[1]'],
    ['/v1/completions', { model: 'mock', prompt: 'x', n: 0 }, 400, 'n'],
    ['/v1/completions', { model: 'mock-embedding', prompt: 'x' }, 400, 'model'],
    ['/v1/completions', { model: 'mock', prompt: 'x', mock: { fault: 'tool-bad-arguments' } }, 400, 'mock.fault'],
    ['/v1/embeddings', { model: 'mock', input: 'x' }, 400, 'model'],
    ['/v1/embeddings', { model: 'mock-embedding' }, 400, 'input'],
    ['/v1/embeddings', { model: 'mock-embedding', input: ['x', ''] }, 400, 'input[1]'],
    ['/v1/embeddings', { model: 'mock-embedding', input: 'x', dimensions: 0 }, 400, 'dimensions'],
    ['/v1/embeddings', { model: 'mock-embedding', input: 'x', encoding_format: 'hex' }, 400, 'encoding_format'],
    ['/v1/embeddings', { model: 'mock-embedding:fault=tool-duplicate-ids', input: 'x' }, 400, 'mock.fault'],
  ])('%s with %j', async (path, body, status, param) => {
    const answer = await ask(body, path)
    expect(answer.status).toBe(status)
    expect(JSON.parse(text(answer)).error).toMatchObject({ type: 'invalid_request_error', param })
  })
})
