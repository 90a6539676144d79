import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { AzureOpenAI } from 'openai'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const HEADERS = { 'x-gateway-provider': 'mock', 'x-gateway-api-key': API_KEY }

let gateway: TestGateway
let prefixed: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  prefixed = await startTestGateway({ config: { server: { basePath: '/llm' } } })
})
afterAll(async () => {
  await gateway.close()
  await prefixed.close()
})

test.each(['', '/', '/v1', '/v1/', '/v2', '/openai/v1'])('a base address that ends with "%s" works', async (end) => {
  for (const url of [gateway.url, `${prefixed.url}/llm`]) {
    const client = new OpenAI({ apiKey: 'unused', baseURL: `${url}${end}`, maxRetries: 0, defaultHeaders: HEADERS })
    const { choices } = await client.chat.completions.create({ model: 'mock', messages })
    expect(choices[0]?.message.content).toBe('Mock answer to: Hello')
    expect((await client.completions.create({ model: 'mock', prompt: 'Hello' })).object).toBe('text_completion')
    expect((await client.embeddings.create({ model: 'mock-embedding', input: 'Hello' })).data).toHaveLength(1)
    expect((await client.models.list()).data.map(({ id }) => id)).toContain('mock')
  }
})

describe('the client for Azure', () => {
  const azure = (url: string, more: Readonly<Record<string, string>> = {}) =>
    new AzureOpenAI({
      endpoint: url,
      apiKey: 'unused',
      apiVersion: '2024-10-21',
      maxRetries: 0,
      defaultHeaders: HEADERS,
      ...more,
    })

  test('reaches a provider by its deployment, plain and as a stream', async () => {
    for (const url of [gateway.url, `${prefixed.url}/llm`]) {
      const { choices } = await azure(url).chat.completions.create({ model: 'mock', messages })
      expect(choices[0]?.message.content).toBe('Mock answer to: Hello')
      const stream = await azure(url).chat.completions.create({ model: 'mock', messages, stream: true })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      expect(text).toBe('Mock answer to: Hello')
      expect((await azure(url).embeddings.create({ model: 'mock-embedding', input: 'a' })).data).toHaveLength(1)
      expect((await azure(url).completions.create({ model: 'mock', prompt: 'a' })).object).toBe('text_completion')
      expect((await azure(url).models.list()).data.map(({ id }) => id)).toContain('mock')
    }
  })

  test('has the deployment for the model, which may name the provider', async () => {
    const unnamed = { defaultHeaders: { 'x-gateway-api-key': API_KEY } }
    const client = new AzureOpenAI({
      endpoint: gateway.url,
      apiKey: 'unused',
      apiVersion: '1',
      maxRetries: 0,
      ...unnamed,
    })
    expect((await client.chat.completions.create({ model: '@mock/mock', messages })).model).toBe('mock')
    const fixed = azure(gateway.url, { deployment: 'mock' })
    expect((await fixed.chat.completions.create({ model: 'gpt-of-nobody', messages })).model).toBe('mock')
    // As clients send it that do not encode the name.
    const raw = await fetch(`${gateway.url}/openai/deployments/@mock/mock/chat/completions?api-version=1`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY },
      body: JSON.stringify({ messages }),
    })
    expect(raw.status).toBe(200)
  })

  test('hears where else an operation is', async () => {
    const failure = await azure(gateway.url)
      .images.generate({ model: 'mock', prompt: 'A cat' })
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({
      status: 404,
      code: 'not_found',
      message: expect.stringContaining('`/v1/images/generations`'),
    })
  })
})

test.each([
  ['/llm', '/v1/chat/completions', 'use `/llm/v1/chat/completions`'],
  ['/llm', '/llm/api/v1/chat/completions', 'use `/llm/v1/chat/completions`'],
  ['/llm', '/chat/completions', 'use `/llm/v1/chat/completions`'],
  ['/llm', '/llm/things', 'calls to models are served below `/llm/v1`'],
  ['', '/api/v1/models', 'use `/v1/models`'],
  ['', '/openai/responses', 'use `/v1/responses`'],
  ['', '/', 'calls to models are served below `/v1`'],
])('with the prefix "%s", %s is a 404 that says where to go', async (prefix, path, hint) => {
  const { url } = prefix === '' ? gateway : prefixed
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: HEADERS })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    ok: false,
    message: 'Not Found',
    error: { message: `Not Found: ${hint}.` },
  })
})
