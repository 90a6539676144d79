import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'

let gateway: TestGateway
/** Stands for a provider that has text completions (OpenAI), and for one that only has chat and ignores what it does not know (DeepSeek). */
let upstream: MockServer

beforeAll(async () => {
  upstream = await startMockServer()
  const settings = { baseURL: `${upstream.url}/v1`, apiKey: 'key-of-the-operator' }
  gateway = await startTestGateway({ config: { plugins: ['defaults', { openai: settings }, { deepseek: settings }] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const complete = async (provider: string, body: Record<string, unknown> = {}) => {
  const response = await fetch(`${gateway.url}/v2/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': provider },
    body: JSON.stringify({ model: 'mock', prompt: 'Once upon a time', ...body }),
  })
  const text = await response.text()
  const id = response.headers.get('x-gateway-request-id')
  const record = await gateway.record((each) => each.id === id)
  return { response, text, record, sent: upstream.requests.at(-1) }
}

const COUNTED = { input_tokens: 4, output_tokens: 7, total_tokens: 11 }

describe('the log of a text completion', () => {
  test('names the endpoint, and has no word of chat where there was none', async () => {
    const { record, sent } = await complete('openai')
    expect(sent?.path).toBe('/v1/completions')
    expect(record).toMatchObject({ route: '/v2/completions', endpoint: 'completions', stream: false, usage: COUNTED })
    expect(record.via).toBeUndefined()
  })

  test('says that it went by way of chat, and what was lost', async () => {
    const { record, sent } = await complete('deepseek', { echo: true, logit_bias: { 1: 2 } })
    expect(sent?.path).toBe('/v1/chat/completions')
    expect(record).toMatchObject({
      endpoint: 'completions',
      via: 'chat',
      dropped_params: ['echo', 'logit_bias'],
      usage: COUNTED,
    })
  })

  test.each(['openai', 'deepseek'])(
    'has the usage of a stream that the client did not ask for: %s',
    async (provider) => {
      const { record, text } = await complete(provider, { stream: true })
      expect(text).toEndWith('data: [DONE]\n\n')
      expect(text).not.toContain('prompt_tokens')
      expect(record).toMatchObject({ outcome: 'completed', stream: true, usage: COUNTED })
      expect(Object(record.usage).estimated).toBeUndefined()
    },
  )

  test.each(['openai', 'deepseek'])('counts the text of a stream that reports nothing: %s', async (provider) => {
    const { record, text } = await complete(provider, { stream: true, mock: { fault: 'usage-missing', tokens: 50 } })
    const said = [...text.matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece).join('')
    expect(said.length).toBeGreaterThan(150)
    expect(record).toMatchObject({ usage: { output_tokens: Math.ceil(said.length / 3), estimated: true } })
  })

  test.each(['openai', 'deepseek'])(
    'estimates a whole answer that reports nothing by its text: %s',
    async (provider) => {
      const { record, text } = await complete(provider, { mock: { fault: 'usage-missing', tokens: 300 } })
      const [{ text: said }] = JSON.parse(text).choices
      const { output_tokens: output, estimated } = record.usage as { output_tokens: number; estimated: boolean }
      expect(estimated).toBe(true)
      expect(output).toBe(Math.ceil(said.length / 3))
    },
  )

  test.each([
    ['openai', 'overloaded', false, 529],
    ['deepseek', 'overloaded', false, 529],
    ['openai', 'first-event-error', true, 502],
    ['deepseek', 'first-event-error', true, 502],
    ['openai', 'empty-body', false, 502],
    ['deepseek', 'empty-body', false, 502],
  ])('of %s under the fault %s (stream: %p) has the status %p', async (provider, fault, stream, status) => {
    const { response, record } = await complete(provider, { stream, mock: { fault } })
    expect([response.status, record.status]).toEqual([status, status])
  })

  test.each([
    ['openai', 'error-event'],
    ['deepseek', 'error-event'],
    ['openai', 'cut-mid-stream'],
    ['deepseek', 'cut-mid-stream'],
    ['openai', 'reset-mid-body'],
    ['deepseek', 'reset-mid-body'],
    ['deepseek', 'json-split'],
  ])('of %s whose stream breaks by %s says so', async (provider, fault) => {
    const { text, record } = await complete(provider, { stream: true, mock: { fault, at: 3 } })
    expect(record).toMatchObject({ status: 200, outcome: 'truncated' })
    expect(text).toContain('Mock ')
    expect(text).toContain('"error"')
    expect(text).not.toContain('[DONE]')
  })

  test.each([
    'newline-cr',
    'newline-crlf',
    'newline-mixed',
    'no-final-blank-line',
    'byte-order-mark',
    'comments',
    'empty-data',
    'multi-line-data',
    'unknown-fields',
    'cut-before-done',
    'usage-cumulative',
    'usage-double',
    'split-utf8',
    'gzip',
  ])('a stream by way of chat is whole under the fault %s', async (fault) => {
    const { text, record } = await complete('deepseek', { stream: true, mock: { fault } })
    const data = text
      .split('\n\n')
      .flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []))
    const said = data.flatMap(({ choices }) => choices).map((choice) => choice.text)
    const whole =
      fault === 'split-utf8' ? 'Grüße, 漢字 🙂 and e\u0301 in one answer.' : 'Mock answer to: Once upon a time'
    expect(said.join('')).toBe(whole)
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(record.outcome).toBe('completed')
  })
})
