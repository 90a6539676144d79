import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'

let gateway: TestGateway
let upstream: MockServer

beforeAll(async () => {
  upstream = await startMockServer()
  gateway = await startTestGateway({ config: { plugins: ['defaults', 'openai'] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

test('a server of OpenAI format that the call names gets the fields that OpenAI itself does not have', async () => {
  const request = {
    model: 'mock',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!', reasoning_content: 'Greet.' },
      { role: 'user', content: 'Again.' },
    ],
    top_k: 5,
    chat_template_kwargs: { enable_thinking: false },
  }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-provider': 'openai',
      'x-gateway-custom-host': `${upstream.url}/v1`,
      authorization: 'Bearer key-of-the-caller',
    },
    body: JSON.stringify(request),
  })
  expect(await response.json()).toMatchObject({ object: 'chat.completion' })
  expect(response.headers.get('x-gateway-dropped-params')).toBeNull()
  expect(new TextDecoder().decode(upstream.requests.at(-1)?.body)).toBe(JSON.stringify(request))
})
