import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'
import { lostParams } from './lost-params.ts'
import { checkToolArguments } from './tool-arguments.ts'

let gateway: TestGateway
/** Stands for a provider that refuses what it does not know (Mistral), and for one of another format that is never reached. */
let upstream: MockServer

beforeAll(async () => {
  upstream = await startMockServer()
  const settings = { baseURL: `${upstream.url}/v1`, apiKey: 'key-of-the-operator' }
  gateway = await startTestGateway({
    config: { plugins: ['defaults', { 'mistral-ai': settings }, { anthropic: settings }] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const ask = async (provider: string, body: Readonly<Record<string, unknown>>, path = '/v1/chat/completions') => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': provider },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })
  const text = await response.text()
  const id = response.headers.get('x-gateway-request-id')
  const record = await gateway.record((each) => each.id === id)
  return { response, text, record }
}

describe('names of parameters that the caller made up', () => {
  test('are told in characters that a header may hold', async () => {
    const { response, record } = await ask('mistral-ai', { 'a\r\nset-cookie: b=c': 1, 'é😀': 2, 'x, y': 3 })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-gateway-dropped-params')).toBe('a??set-cookie: b=c, ???, x? y')
    expect(record.dropped_params).toEqual(['a??set-cookie: b=c', '???', 'x? y'])
  })

  test('are told up to a number and a length', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name-${index}`.padEnd(200, 'x'), 1]))
    const { response } = await ask('mistral-ai', many)
    expect(response.status).toBe(200)
    const told = (response.headers.get('x-gateway-dropped-params') ?? '').split(', ')
    expect([told.length, told.at(-1)]).toEqual([51, 'and 19950 more'])
    expect(told[0]).toBe(`${'name-0'.padEnd(100, 'x')}...`)
  })

  test('few of them are told as they are', () => {
    const names = ['echo', 'messages[].name', 'tools[].function.strict']
    expect(lostParams(names)).toEqual(names)
  })
})

describe('a model with a name of megabytes', () => {
  test.each(['/v1/chat/completions', '/v1/embeddings', '/v1/completions', '/v1/responses'])(
    'is refused by %s, and not written into the log',
    async (path) => {
      const model = 'm'.repeat(1_000_000)
      const { response, text, record } = await ask('mistral-ai', { model, input: 'a', prompt: 'a' }, path)
      expect(response.status).toBe(400)
      expect(JSON.parse(text)).toMatchObject({ error: { param: 'model' } })
      expect(text).toContain('must have at most 1024 characters')
      expect(JSON.stringify(record).length).toBeLessThan(2_000)
    },
  )
})

describe('arguments of tool calls, before they are parsed', () => {
  const called = (text: string) => ({ id: 'call_1', type: 'function', function: { name: 'f', arguments: text } })
  const spoken = (...texts: readonly string[]) => [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: null, tool_calls: texts.map(called) },
  ]

  test.each([
    ['nested deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['nested deep, and no JSON', '['.repeat(100_000)],
  ])('%s: refused, not a fault of ours', async (_how, text) => {
    const { response, text: answer } = await ask('anthropic', { messages: spoken(text) })
    expect(response.status).toBe(400)
    expect(answer).toContain('`messages[1].tool_calls[0].function.arguments` is nested deeper than 128 levels')
  })

  test('have as many keys together as a body may have', () => {
    const keys = (from: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${from + index}`, 1])))
    expect(() => checkToolArguments({ messages: spoken(keys(0), keys(40_000)) })).not.toThrow()
    expect(() => checkToolArguments({ messages: spoken(keys(0), keys(40_000), keys(80_000)) })).toThrow(
      '`messages[1].tool_calls[2].function.arguments` has more than 100000 keys',
    )
    const older = { role: 'assistant', function_call: { name: 'f', arguments: '['.repeat(200) } }
    expect(() => checkToolArguments({ messages: [older] })).toThrow('`messages[0].function_call.arguments` is nested')
  })
})
