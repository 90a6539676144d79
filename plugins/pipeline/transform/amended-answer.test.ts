import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

let gateway: TestGateway
let upstream: ReturnType<typeof Bun.serve>
/** What the host answers next, byte by byte. */
let said = ''

beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(said, { headers: { 'content-type': 'application/json' } }),
  })
  const settings = { baseURL: `http://127.0.0.1:${upstream.port}/v1`, apiKey: 'key-of-the-operator' }
  gateway = await startTestGateway({ config: { plugins: ['defaults', { groq: settings }, 'openai'] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const ask = async (answer: string, headers: Record<string, string> = { 'x-gateway-provider': 'groq' }) => {
  said = answer
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  return { status: response.status, text: await response.text() }
}

const answered = (message: string, finish = 'stop'): string =>
  `{ "id":"1", "choices": [{"index":0,"message":{"role":"assistant","content":"Hi",${message}"x":1.0},"finish_reason":"${finish}"}] }`

test('an answer that needs no change keeps its bytes', async () => {
  expect((await ask(answered(''))).text).toBe(answered(''))
})

test('reasoning comes as reasoning_content', async () => {
  const { text } = await ask(answered('"reasoning":"Greet.",'))
  expect(JSON.parse(text).choices[0].message).toEqual({
    role: 'assistant',
    content: 'Hi',
    x: 1,
    reasoning_content: 'Greet.',
  })
})

test('without strictness the field of the host stays beside', async () => {
  const lenient = { 'x-gateway-provider': 'groq', 'x-gateway-strict-open-ai-compliance': 'false' }
  const { message } = JSON.parse((await ask(answered('"reasoning":"Greet.",'), lenient)).text).choices[0]
  expect(message).toMatchObject({ reasoning: 'Greet.', reasoning_content: 'Greet.' })
})

test.each([
  [{}, 'stop'],
  [{ 'x-gateway-finish-reason': 'provider' }, 'tired'],
])('a finish reason of the host is in words of OpenAI unless asked otherwise: %j', async (headers, word) => {
  const { text } = await ask(answered('', 'tired'), { 'x-gateway-provider': 'groq', ...headers })
  expect(JSON.parse(text).choices[0].finish_reason).toBe(word)
})

test('any server of OpenAI format that a call names may think', async () => {
  const { text } = await ask(answered('"reasoning":"Greet.",'), {
    'x-gateway-provider': 'openai',
    'x-gateway-custom-host': `http://127.0.0.1:${upstream.port}/v1`,
    authorization: 'Bearer key-of-the-caller',
  })
  expect(JSON.parse(text).choices[0].message.reasoning_content).toBe('Greet.')
})
