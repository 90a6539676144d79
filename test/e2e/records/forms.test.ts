import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chat, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const MOCK = { 'x-gateway-provider': 'mock' }

/** What a test knows of a record, by the name of its call. */
type Case = readonly [
  name: string,
  path: string,
  body: unknown,
  expected: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
]

const form = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

const MESSAGE = { model: 'mock', max_tokens: 50, messages: [{ role: 'user', content: 'Hello.' }] }
const TURNS = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] }

const CASES: readonly Case[] = [
  [
    'a text completion',
    '/v1/completions',
    { model: 'mock', prompt: 'Once' },
    { endpoint: 'completions', requestType: 'complete' },
  ],
  [
    'embeddings',
    '/v1/embeddings',
    { model: 'mock-embedding', input: 'a text' },
    { endpoint: 'embeddings', requestType: 'embed', outputTokens: 0, model: 'mock-embedding' },
  ],
  ['messages', '/v1/messages', MESSAGE, { endpoint: 'messages', requestType: 'messages', stream: false }],
  [
    'messages as a stream',
    '/v1/messages',
    { ...MESSAGE, stream: true },
    { requestType: 'stream-messages', stream: true },
  ],
  ['a response', '/v1/responses', { model: 'mock', input: 'Hello.' }, { endpoint: 'responses', stream: false }],
  ['a response as a stream', '/v1/responses', { model: 'mock', input: 'Hello.', stream: true }, { stream: true }],
  [
    'a call in the form of Gemini',
    '/v1beta/models/mock:generateContent',
    TURNS,
    { path: '/v1beta/models/mock:generateContent', modelAsked: 'mock', stream: false },
  ],
  [
    'a stream in the form of Gemini',
    '/v1beta/models/mock:streamGenerateContent?alt=sse',
    TURNS,
    { path: '/v1beta/models/mock:streamGenerateContent', stream: true },
  ],
  [
    'images',
    '/v1/images/generations',
    { model: 'mock-image', prompt: 'a boat', n: 2, quality: 'high', size: '1024x1024' },
    { endpoint: 'images', requestType: 'imageGenerate', units: { image: 2 } },
  ],
  [
    'speech',
    '/v1/audio/speech',
    { model: 'mock-speech', input: 'Grüße 🙂', voice: 'alloy' },
    { endpoint: 'speech', requestType: 'createSpeech', units: { character: 7 } },
  ],
  [
    'a transcript',
    '/v1/audio/transcriptions',
    form({
      model: 'mock-transcribe',
      response_format: 'verbose_json',
      file: new Blob([new Uint8Array(64)], { type: 'audio/wav' }),
    }),
    { endpoint: 'transcriptions', requestType: 'createTranscription' },
  ],
  [
    'a reranking',
    '/v1/rerank',
    { model: 'mock-rerank', query: 'sea', documents: ['a boat', 'a tree'] },
    { endpoint: 'rerank', units: { query: 1 } },
  ],
  [
    'pages that are read',
    '/v1/ocr',
    { model: 'mock-ocr', document: { type: 'document_url', document_url: 'https://a.example/b.pdf' } },
    { endpoint: 'ocr', units: { page: 1 } },
  ],
  ['a moderation', '/v1/moderations', { model: 'mock-moderation', input: 'a text' }, { endpoint: 'moderations' }],
]

describe('each kind of call has a record with what it bought', () => {
  test.each(CASES)('%s', async (_, path, body, expected, headers = {}) => {
    const { record, attempts, response, text } = await world.ask(path, body, { ...MOCK, ...headers })
    expect(response.status, text).toBe(200)
    expect(record).toMatchObject({
      kind: 'call',
      provider: 'mock',
      status: 200,
      outcome: 'completed',
      success: true,
      attempts: 1,
      ...expected,
    })
    expect(attempts).toEqual([])
    expect(record.unpriced).toBeUndefined()
    const { cost, inputTokens = 0, outputTokens = 0, units } = record
    const bought = 1_000 * Object.values(units ?? {}).reduce((sum, count) => sum + count, 0)
    expect(cost?.total).toBe(2 * inputTokens + 3 * outputTokens + bought)
    expect(cost?.total).toBeGreaterThan(0)
  })

  test('of images the price hears what kind they are', async () => {
    world.bought.length = 0
    await world.ask(
      '/v1/images/generations',
      { model: 'mock-image', prompt: 'a boat', quality: 'high', size: '1024x1024' },
      MOCK,
    )
    expect(world.bought[0]?.usage).toMatchObject({
      units: { image: 1 },
      // In the words of the answer.
      picture: { quality: 'low', size: '8x8' },
    })
  })
})

describe('what passes through', () => {
  test('is recorded with the usage that its answer has', async () => {
    const { record } = await world.ask('/v1/proxy/chat/completions', chat())
    expect(record).toMatchObject({ isPassThrough: true, provider: 'openai', status: 200, success: true, attempts: 1 })
    expect(record.cost?.total).toBe(2 * (record.inputTokens ?? 0) + 3 * (record.outputTokens ?? 0))
    expect(record.inputTokens).toBeGreaterThan(0)
  })

  test('and asks no model costs nothing', async () => {
    const { record } = await world.ask('/v1/files', undefined)
    expect(record).toMatchObject({ method: 'GET', attempts: 1 })
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })
})

test('a call of an old route', async () => {
  const { record } = await world.ask('/v1/chatComplete', {
    config: { mode: 'single', options: [{ provider: 'mock' }] },
    params: { model: 'mock', messages: [{ role: 'user', content: 'Hello.' }] },
  })
  expect(record).toMatchObject({
    path: '/v1/chatComplete',
    endpoint: 'chat',
    provider: 'mock',
    status: 200,
    success: true,
  })
  expect(record.cost?.total).toBeGreaterThan(0)
})

test('a token count is no purchase', async () => {
  const { record } = await world.ask('/v1/messages/count_tokens', { model: 'mock', messages: MESSAGE.messages }, MOCK)
  expect(record).toMatchObject({ status: 200, attempts: 0 })
  expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
})
