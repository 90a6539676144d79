import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jsonPlan, ssePlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { ask, COMPLETION, type LoginGateway, startLoginGateway, storedAs } from './support.ts'

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
}
const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const MESSAGE_EVENTS = [
  event({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
  event({ type: 'content_block_stop', index: 0 }),
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 1 },
  }),
  event({ type: 'message_stop' }),
]
const GEMINI = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
}
const RERANK = { id: 'r', results: [{ index: 1, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } }
const OCR = { pages: [{ index: 0, markdown: '# A', images: [] }], model: 'm', usage_info: { pages_processed: 1 } }

/** A cloud that answers in the form of the path. */
const answerOf = (path: string) => {
  if (path.includes('streamRawPredict')) return ssePlan(MESSAGE_EVENTS)
  if (path.includes('count-tokens') || path.includes('count_tokens')) return jsonPlan(200, { input_tokens: 3 })
  if (path.includes('rawPredict') || path.includes('/anthropic/v1/messages')) return jsonPlan(200, MESSAGE)
  if (path.includes('streamGenerateContent')) return ssePlan([`data: ${JSON.stringify(GEMINI)}\n\n`])
  if (path.includes('generateContent')) return jsonPlan(200, GEMINI)
  if (path.endsWith('/rerank')) return jsonPlan(200, RERANK)
  if (path.endsWith('/ocr')) return jsonPlan(200, OCR)
  return jsonPlan(200, COMPLETION)
}

let cloud: MockServer
let gateway: LoginGateway
beforeAll(async () => {
  cloud = await startMockServer({ answer: ({ path }) => answerOf(path) })
  gateway = await startLoginGateway(
    {
      plugins: ['defaults', { 'vertex-ai': { baseURL: cloud.url, apiKey: 'token', projectId: 'p', region: 'global' } }],
    },
    {},
    [
      storedAs('foundry', 'azure-ai', { azure_foundry_url: `${cloud.url}/models`, azure_ad_token: 'ad' }),
      storedAs('unplaced', 'vertex-ai', {}),
    ],
  )
})
afterAll(async () => {
  await gateway.close()
  await cloud.close()
})

/** What arrived of a call, and what came back. */
const send = async (
  provider: string,
  path: string,
  body: Record<string, unknown>,
  more: Record<string, string> = {},
) => {
  const before = cloud.requests.length
  const { status, text, error } = await ask(gateway, { 'x-gateway-provider': provider, ...more }, { path, ...body })
  const arrived = cloud.requests.length === before ? undefined : cloud.requests.at(-1)
  const sent: unknown = arrived === undefined ? undefined : JSON.parse(new TextDecoder().decode(arrived.body))
  return { status, text, error, path: arrived?.path, headers: arrived?.headers, sent }
}

const MESSAGES = [{ role: 'user', content: 'Hello' }]
const CLAUDE = '/v1/projects/p/locations/global/publishers/anthropic/models'

describe('vertex-ai', () => {
  test('gets Messages without their model, and passes the answer as it came', async () => {
    const { status, text, path, sent, headers } = await send(
      'vertex-ai',
      '/v1/messages',
      { model: 'claude-sonnet-4-5', max_tokens: 9, messages: MESSAGES },
      { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
    )
    expect([status, JSON.parse(text)]).toEqual([200, MESSAGE])
    expect(path).toBe(`${CLAUDE}/claude-sonnet-4-5:rawPredict`)
    expect(sent).toEqual({ max_tokens: 9, messages: MESSAGES, anthropic_version: 'vertex-2023-10-16' })
    expect([headers?.get('anthropic-version'), headers?.get('anthropic-beta'), headers?.get('authorization')]).toEqual([
      undefined,
      'context-1m-2025-08-07',
      'Bearer token',
    ])
  })

  test('streams Messages, and counts their tokens', async () => {
    const streamed = await send('vertex-ai', '/v1/messages', {
      model: 'anthropic/claude-sonnet-4-5',
      max_tokens: 9,
      messages: MESSAGES,
      stream: true,
    })
    expect([streamed.path, streamed.text]).toEqual([
      `${CLAUDE}/claude-sonnet-4-5:streamRawPredict`,
      MESSAGE_EVENTS.join(''),
    ])
    const counted = await send('vertex-ai', '/v1/messages/count_tokens', {
      model: 'claude-sonnet-4-5',
      messages: MESSAGES,
    })
    expect([counted.path, JSON.parse(counted.text)]).toEqual([`${CLAUDE}/count-tokens:rawPredict`, { input_tokens: 3 }])
  })

  test('makes chats of Claude and of Gemini', async () => {
    for (const [model, path] of [
      ['claude-sonnet-4-5', `${CLAUDE}/claude-sonnet-4-5:rawPredict`],
      [
        'google/gemini-2.5-flash',
        '/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent',
      ],
      ['meta/llama-3.3-70b-instruct-maas', '/v1/projects/p/locations/global/endpoints/openapi/chat/completions'],
    ] as const) {
      const answer = await send('vertex-ai', '/v1/chat/completions', { model })
      expect([answer.status, answer.path]).toEqual([200, path])
      expect(JSON.parse(answer.text)).toMatchObject({
        choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
      })
    }
  })

  test('takes Gemini’s own form, and Messages for Gemini over a chat', async () => {
    const { status, text, sent, path } = await send('vertex-ai', '/v1beta/models/gemini-2.5-flash:generateContent', {
      model: undefined,
      messages: undefined,
      contents: [{ parts: [{ text: 'Hello' }] }],
    })
    expect([status, JSON.parse(text)]).toEqual([200, GEMINI])
    expect(path).toEndWith('/publishers/google/models/gemini-2.5-flash:generateContent')
    expect(sent).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] })
    const over = await send('vertex-ai', '/v1/messages', {
      model: 'gemini-2.5-flash',
      max_tokens: 9,
      messages: MESSAGES,
    })
    expect(JSON.parse(over.text)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'Hi' }] })
  })

  test('that nobody placed says what is missing', async () => {
    const { status, error } = await send('@unplaced', '/v1/chat/completions', { model: 'gemini-2.5-flash' })
    expect([status, error.param]).toEqual([400, 'vertex_project_id'])
  })
})

describe('azure-ai', () => {
  test('is asked below its address for chats, and at its host for what others made', async () => {
    const document = { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0=' }
    const asked = [
      await send('@foundry', '/v1/chat/completions', { model: 'Phi-4' }),
      await send('@foundry', '/v1/chat/completions', { model: 'claude-sonnet-4-5' }),
      await send('@foundry', '/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages: MESSAGES }),
      await send('@foundry', '/v1/rerank', { model: 'rerank-v4', query: 'q', documents: ['a', 'b'] }),
      await send('@foundry', '/v1/ocr', { model: 'mistral-document-ai', document }),
    ]
    expect(asked.map(({ status, path }) => [status, path])).toEqual([
      [200, '/models/chat/completions?api-version=2024-05-01-preview'],
      [200, '/anthropic/v1/messages'],
      [200, '/anthropic/v1/messages'],
      [200, '/providers/cohere/v2/rerank'],
      [200, '/providers/mistral/azure/ocr'],
    ])
    expect(asked.map(({ headers }) => headers?.get('authorization'))).toEqual(
      Array.from({ length: 5 }, () => 'Bearer ad'),
    )
    const versions = asked.map(({ headers }) => [headers?.get('anthropic-version'), headers?.get('extra-parameters')])
    expect(versions.slice(0, 2)).toEqual([
      [undefined, 'pass-through'],
      ['2023-06-01', undefined],
    ])
    expect(JSON.parse(asked[3]?.text ?? '')).toMatchObject({ results: [{ index: 1, relevance_score: 0.9 }] })
  })
})
