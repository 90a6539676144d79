import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { isRecord } from '#kit'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { type RecordedUpstream, startRecordedUpstream } from './support/recorded-upstream.ts'

const PROVIDERS = ['cohere', 'voyage', 'jina', 'pinecone', 'mistral-ai', 'together-ai'] as const
type ProviderName = (typeof PROVIDERS)[number]

const upstreams = new Map<ProviderName, RecordedUpstream>()
let gateway: TestGateway
beforeAll(async () => {
  for (const name of PROVIDERS) upstreams.set(name, await startRecordedUpstream(name))
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        ...PROVIDERS.map((name) => ({ [name]: { baseURL: upstreamOf(name).server.url, apiKey: 'provider-key-1' } })),
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  for (const { server } of upstreams.values()) await server.close()
})

const upstreamOf = (name: ProviderName): RecordedUpstream => {
  const upstream = upstreams.get(name)
  if (upstream === undefined) throw new Error(`${name} does not run`)
  return upstream
}

const client = (provider: string): OpenAI =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': provider },
  })

const post = async (path: string, provider: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': provider, ...headers },
    body: JSON.stringify(body),
  })
  const json: unknown = await response.json()
  if (!isRecord(json)) throw new Error('the answer is no object')
  return { status: response.status, headers: response.headers, json }
}

describe('the client of OpenAI', () => {
  test('has texts judged by the mock, with a model and without', async () => {
    const { moderations } = client('mock')
    const one = await moderations.create({ input: 'All is well.' })
    expect([one.model, one.results[0]?.flagged]).toEqual(['mock-moderation', false])
    const two = await moderations.create({ model: 'mock-moderation', input: ['All is well.', 'I want violence.'] })
    expect(two.results.map(({ flagged, categories }) => [flagged, categories.violence])).toEqual([
      [false, false],
      [true, true],
    ])
    const record = await gateway.record(({ endpoint }) => endpoint === 'moderations')
    expect(record).toMatchObject({ endpoint: 'moderations', status: 200 })
  })

  test('has texts judged by Mistral, in the categories of OpenAI', async () => {
    const upstream = upstreamOf('mistral-ai')
    upstream.play('moderations-parts')
    const { results } = await client('mistral-ai').moderations.create({
      input: [{ type: 'text', text: 'I will kill them' }],
    })
    expect(results[0]).toMatchObject({ flagged: true, categories: { violence: true, hate: false } })
    expect(upstream.last()).toMatchObject({ path: '/moderations', body: { model: 'mistral-moderation-latest' } })
    expect(upstream.last().headers.get('authorization')).toBe('Bearer provider-key-1')
  })

  // It asks for base64 unless it is told otherwise, and decodes what comes.
  test.each(['cohere', 'voyage', 'jina', 'pinecone'] as const)('gets vectors of %s', async (name) => {
    const upstream = upstreamOf(name)
    const { request, answer } = upstream.play('embeddings')
    const asked = { model: String(request.model), input: request.input as string | string[] }
    const numbers = await client(name).embeddings.create({ ...asked, encoding_format: 'float' })
    const decoded = await client(name).embeddings.create(asked)
    const given = numbers.data.map(({ embedding }) => embedding)
    expect(given.length).toBeGreaterThan(0)
    expect(JSON.stringify(answer)).toContain(JSON.stringify(given[0]))
    expect(decoded.data.map(({ embedding }) => [...embedding])).toEqual(
      given.map((vector) => [...Float32Array.from(vector)]),
    )
    expect(numbers.usage.total_tokens).toBeGreaterThan(0)
  })

  test('chats with Cohere, plain and as a stream', async () => {
    const upstream = upstreamOf('cohere')
    upstream.play('plain-text')
    const messages = [{ role: 'user' as const, content: 'Tell me about LLMs' }]
    const model = 'command-a-plus-05-2026'
    const plain = await client('cohere').chat.completions.create({ model, messages })
    expect(plain.choices[0]?.message.content).toStartWith('LLMs stand for Large Language Models')
    expect(plain.usage?.total_tokens).toBe(423)
    upstream.play('stream-tools')
    const stream = client('cohere').chat.completions.stream({ model, messages })
    const final = await stream.finalChatCompletion()
    const [choice] = final.choices
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.tool_calls?.map((call) => call.type === 'function' && call.function.name)).toEqual([
      'query_daily_sales_report',
      'query_product_catalog',
    ])
  })

  test('hears what a provider has against its call', async () => {
    upstreamOf('cohere').play('error-401')
    const { completions } = client('cohere').chat
    const ask = async () => await completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] })
    await expect(ask()).rejects.toThrow('invalid api token')
  })
})

describe('a rerank', () => {
  const documents = ['Rome is old.', { text: 'Paris is the capital of France.', page: 7 }, 'France is large.']

  test('comes best first, with the documents where they are asked for', async () => {
    const { status, json } = await post('/v1/rerank', 'mock', {
      model: 'mock-rerank',
      query: 'capital of France',
      documents,
      top_n: 2,
      return_documents: true,
    })
    expect([status, json.object, json.provider, json.usage]).toEqual([200, 'list', 'mock', { search_units: 1 }])
    expect(json.results).toEqual([
      { index: 1, relevance_score: 1, document: { text: 'Paris is the capital of France.', page: 7 } },
      { index: 2, relevance_score: 1 / 3, document: { text: 'France is large.' } },
    ])
  })

  test.each(['cohere', 'voyage', 'jina', 'pinecone', 'together-ai'] as const)(
    'of %s has the one form',
    async (name) => {
      const upstream = upstreamOf(name)
      const { request, reply, upstream: sent } = upstream.play('rerank')
      const { status, headers, json } = await post('/v1/rerank', name, request)
      expect(status).toBe(200)
      const { id, ...rest } = json
      expect(typeof id).toBe('string')
      if (!isRecord(reply)) throw new Error('the recording has no reply')
      const { id: _, ...wanted } = reply
      expect(rest).toEqual(wanted)
      expect(upstream.last().body).toEqual(sent?.body)
      expect(headers.get('x-gateway-dropped-params')).toBe(sent?.dropped?.join(', ') ?? null)
    },
  )

  test('is kept, and given again to who asks for the same', async () => {
    const upstream = upstreamOf('jina')
    const { request } = upstream.play('rerank')
    const config = JSON.stringify({ provider: 'jina', cache: { mode: 'simple' } })
    const ask = () => post('/v1/rerank', 'jina', { ...request, query: 'for the cache' }, { 'x-gateway-config': config })
    const first = await ask()
    const before = upstream.server.counters.received
    const second = await ask()
    expect([first.headers.get('x-gateway-cache-status'), second.headers.get('x-gateway-cache-status')]).toEqual([
      'MISS',
      'HIT',
    ])
    expect(second.json).toEqual(first.json)
    expect(upstream.server.counters.received).toBe(before)
  })

  test('goes to the next target when a provider fails', async () => {
    upstreamOf('jina').play('error-422')
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'jina' }, { provider: 'mock', override_params: { model: 'mock-rerank' } }],
    })
    const { status, headers, json } = await post(
      '/v1/rerank',
      'mock',
      { model: 'jina-reranker-m0', query: 'old', documents },
      { 'x-gateway-config': config },
    )
    expect([status, json.provider, headers.get('x-gateway-last-used-option-index')]).toEqual([
      200,
      'mock',
      'config.targets[1]',
    ])
  })

  test.each([
    [{ model: 'mock-rerank', query: 'q', documents: [] }, 'documents'],
    [{ model: 'mock-rerank', query: 'q', documents: ['a'], top_n: 0 }, 'top_n'],
    [{ model: 'mock-rerank', documents: ['a'] }, 'query'],
  ])('that is wrong is refused by name: %p', async (body, param) => {
    const { status, json } = await post('/v1/rerank', 'mock', body)
    expect([status, isRecord(json.error) && json.error.param]).toEqual([400, param])
  })

  test('of a provider that has none is refused', async () => {
    const { status, json } = await post('/v1/rerank', 'mistral-ai', { model: 'm', query: 'q', documents: ['a'] })
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain("does not offer 'rerank' calls")
  })
})

describe('OCR', () => {
  test('reads a document of the mock, page by page', async () => {
    const document = { type: 'document_url', document_url: 'data:text/plain,one%0Ctwo' }
    const { json } = await post('/v1/ocr', 'mock', { model: 'mock-ocr', document, pages: [1] })
    expect(json).toMatchObject({
      pages: [{ index: 1, markdown: 'two', images: [] }],
      usage_info: { pages_processed: 1 },
    })
  })

  test('of Mistral passes as it came', async () => {
    const upstream = upstreamOf('mistral-ai')
    const { request, answer, upstream: sent } = upstream.play('ocr')
    const { json, headers } = await post('/v1/ocr', 'mistral-ai', request)
    expect(json).toEqual(answer as Record<string, unknown>)
    expect(upstream.last()).toMatchObject({ path: '/ocr', body: sent?.body })
    expect(headers.get('x-gateway-dropped-params')).toBe('user')
  })
})
