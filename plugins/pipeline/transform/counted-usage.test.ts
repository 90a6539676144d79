import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CallAccount, RateLimits, Spent } from '#core/limits'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

type Events = readonly unknown[]

/** What the provider streams, and whether it then breaks off or says nothing more. */
let events: Events = []
let breaks = false
/** What it answers at once, instead. */
let reply: unknown
/** Says nothing at all, and that it was asked. */
let hang: (() => void) | undefined

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch() {
    if (hang !== undefined) {
      hang()
      return new Promise<Response>(() => undefined)
    }
    if (reply !== undefined) return Response.json(reply)
    const written = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(written))
        if (breaks) controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})

let gateway: TestGateway
beforeAll(async () => {
  const baseURL = `${server.url.origin}/v1`
  const providers = ['openai', 'anthropic', 'google'].map((id) => ({ [id]: { baseURL } }))
  gateway = await startTestGateway({ config: { plugins: ['defaults', 'mock', ...providers] } })
})
afterAll(async () => {
  await gateway.close()
  await server.stop(true)
})

interface Asked {
  readonly path?: string
  readonly provider?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const send = ({ path = '/v1/chat/completions', provider = 'openai', headers, body }: Asked): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': provider, authorization: 'Bearer k', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })

const usageOf = async ({ headers }: Response): Promise<Record<string, unknown>> => {
  const id = headers.get('x-gateway-request-id')
  return (await gateway.record((record) => record.id === id)).usage as Record<string, unknown>
}

/** The usage of a stream whose client leaves once it has read all there is, or that breaks off there. */
const usageOfStream = async (asked: Asked): Promise<Record<string, unknown>> => {
  const response = await send({ ...asked, body: { stream: true, ...asked.body } })
  const reader = response.body?.getReader()
  if (breaks)
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read().catch(() => undefined));
  else {
    await reader?.read()
    await reader?.cancel()
  }
  return usageOf(response)
}

const LONG = 'a'.repeat(3_000)
const answer = (usage: unknown) => ({
  choices: [{ index: 0, message: { content: 'abc' }, finish_reason: 'stop' }],
  usage,
})
const delta = (fields: unknown, index = 0) => ({ choices: [{ index, delta: fields, finish_reason: null }] })
const message = (usage: unknown) => ({ type: 'message_start', message: { id: 'm', model: 'm', usage } })
const block = (type: string) => ({
  type: 'content_block_start',
  index: 0,
  content_block: { type, text: '', thinking: '' },
})
const piece = (fields: unknown) => ({ type: 'content_block_delta', index: 0, delta: fields })
const part = (fields: unknown, usageMetadata?: unknown) => ({
  candidates: [{ content: { parts: [fields] } }],
  usageMetadata,
})
const toolCall = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: LONG } }] }

/** Streams of 1,000 tokens by their text, in one event or two. */
const STREAMS: readonly (readonly [name: string, asked: Asked, events: Events])[] = [
  ['chat: content', {}, [delta({ content: LONG })]],
  ['chat: reasoning', {}, [delta({ reasoning_content: LONG })]],
  ['chat: a refusal', {}, [delta({ refusal: LONG })]],
  ['chat: arguments of a tool', {}, [delta(toolCall)]],
  [
    'chat: several choices',
    { body: { n: 2 } },
    [delta({ content: LONG.slice(1_500) }), delta({ content: LONG.slice(1_500) }, 1)],
  ],
  ['text', { path: '/v1/completions', body: { prompt: 'Hello' } }, [{ choices: [{ text: LONG, index: 0 }] }]],
  ['old chat', { path: '/v1/chatComplete' }, [delta({ content: LONG })]],
  [
    'anthropic: text',
    { provider: 'anthropic' },
    [message({ input_tokens: 5, output_tokens: 1 }), block('text'), piece({ type: 'text_delta', text: LONG })],
  ],
  [
    'anthropic: thinking',
    { provider: 'anthropic' },
    [message({ input_tokens: 5 }), block('thinking'), piece({ type: 'thinking_delta', thinking: LONG })],
  ],
  [
    'anthropic: as a text',
    { provider: 'anthropic', path: '/v1/completions', body: { prompt: 'Hello' } },
    [message({ input_tokens: 5 }), block('text'), piece({ type: 'text_delta', text: LONG })],
  ],
  ['google: text', { provider: 'google' }, [part({ text: LONG })]],
  ['google: thoughts', { provider: 'google' }, [part({ text: LONG, thought: true })]],
  ['as it came: chat', { path: '/v1/gateway/chat/completions' }, [delta({ content: LONG })]],
  [
    'messages, natively',
    { path: '/v1/messages', provider: 'anthropic', body: { max_tokens: 4_000 } },
    [message({ input_tokens: 5, output_tokens: 1 }), piece({ type: 'text_delta', text: LONG })],
  ],
  ['messages over a chat', { path: '/v1/messages', body: { max_tokens: 4_000 } }, [delta({ content: LONG })]],
  [
    'as it came: Messages',
    { path: '/v1/gateway/messages', provider: 'anthropic' },
    [message({ input_tokens: 5, output_tokens: 1 }), piece({ type: 'text_delta', text: LONG })],
  ],
  [
    'as it came: arguments',
    { path: '/v1/gateway/messages', provider: 'anthropic' },
    [message({ input_tokens: 5 }), piece({ type: 'input_json_delta', partial_json: LONG })],
  ],
  [
    'as it came: Responses',
    { path: '/v1/responses', body: { input: 'Hello' } },
    [{ type: 'response.output_text.delta', delta: LONG }],
  ],
  [
    'as it came: Gemini',
    {
      path: '/v1/models/m:streamGenerateContent',
      provider: 'google',
      body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    },
    [part({ text: LONG })],
  ],
]

describe.each([
  ['is left', false],
  ['breaks off', true],
])('the output of a stream that %s before it reports its usage', (_name, cut) => {
  test.each(STREAMS)('%s', async (_case, asked, said) => {
    breaks = cut
    events = said
    reply = undefined
    const usage = await usageOfStream(asked)
    expect(Number(usage.output_tokens)).toBeWithin(1_000, 1_003)
    expect(usage).toMatchObject({
      estimated: true,
      total_tokens: Number(usage.input_tokens) + Number(usage.output_tokens),
    })
    expect(Number(usage.input_tokens)).toBeGreaterThan(0)
  })
})

test.each([
  ['chat', '/v1/chat/completions', true],
  ['chat in one piece', '/v1/chat/completions', false],
  ['as it came', '/v1/gateway/messages', true],
])('a call that is left before its answer has cost its input: %s', async (_name, path, stream) => {
  const asked = Promise.withResolvers<void>()
  hang = asked.resolve
  const abort = new AbortController()
  const id = crypto.randomUUID()
  const sent = fetch(`${gateway.url}${path}`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-provider': 'openai',
      authorization: 'Bearer k',
      'x-gateway-trace-id': id,
    },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: LONG }] }),
  })
  sent.catch(() => undefined)
  await asked.promise
  hang = undefined
  abort.abort()
  const { outcome, usage } = await gateway.record((record) => record.trace_id === id)
  expect([outcome, usage]).toMatchObject(['client_closed', { output_tokens: 0, estimated: true }])
  expect(Number(Object(usage).input_tokens)).toBeWithin(1_000, 1_030)
})

describe('a report that came before the cut', () => {
  const USAGE = { prompt_tokens: 9, completion_tokens: 700, total_tokens: 709 }
  const METADATA = { promptTokenCount: 9, candidatesTokenCount: 700, totalTokenCount: 709 }

  test.each<readonly [string, Asked, Events, Events]>([
    ['chat', {}, [{ ...delta({ content: LONG }), usage: USAGE }], [delta({ content: LONG })]],
    ['google', { provider: 'google' }, [part({ text: LONG }, METADATA)], [part({ text: LONG })]],
    [
      'as it came',
      { path: '/v1/gateway/chat/completions' },
      [{ ...delta({ content: LONG }), usage: USAGE }],
      [delta({ content: LONG })],
    ],
  ])('%s: counts for what it covers, and what came after it is counted', async (_name, asked, covered, more) => {
    breaks = false
    reply = undefined
    events = covered
    expect(await usageOfStream(asked)).toMatchObject({ input_tokens: 9, output_tokens: 700, total_tokens: 709 })
    events = [...covered, ...more]
    expect(await usageOfStream(asked)).toMatchObject({
      input_tokens: 9,
      output_tokens: 1_700,
      total_tokens: 1_709,
      estimated: true,
    })
  })
})

describe('a host that the caller named', () => {
  /** What limits settle by. */
  let settled: Spent[] = []
  const account: CallAccount = {
    admit: () => undefined,
    attemptEnded: () => undefined,
    charge: () => [],
    held: () => [],
    settle: (spent) => settled.push(spent),
    headers: () => new Map(),
    shadowRefusals: [],
  }
  const limits: RateLimits = {
    open: () => account,
    dryRun: async () => ({ allowed: true, status: 200, targets: [] }),
  }
  const host = `${server.url.origin}/v1`
  const USAGE = { prompt_tokens: 200_000, completion_tokens: 60_000, total_tokens: 260_000 }

  let limited: TestGateway
  beforeAll(async () => {
    limited = await startTestGateway({
      config: { plugins: ['defaults', { openai: { baseURL: host } }] },
      deps: { limits },
    })
  })
  afterAll(() => limited.close())

  const ask = async (headers: Readonly<Record<string, string>>, path = '/v1/chat/completions') => {
    settled = []
    const response = await fetch(`${limited.url}${path}`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, authorization: 'Bearer k', ...headers },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.text()
    const id = response.headers.get('x-gateway-request-id')
    const { usage } = await limited.record((record) => record.id === id)
    return { usage, spent: settled.at(-1) }
  }

  test.each([
    ['in a header', { 'x-gateway-provider': 'openai', 'x-gateway-custom-host': host }],
    ['in the config of the call', { 'x-gateway-config': JSON.stringify({ provider: 'openai', custom_host: host }) }],
  ])('%s: limits go by what Weir counts, and the log has what the host says', async (_name, headers) => {
    reply = answer(USAGE)
    for (const path of ['/v1/chat/completions', '/v1/gateway/chat/completions']) {
      const { usage, spent } = await ask(headers, path)
      expect(usage).toMatchObject({ input_tokens: 200_000, output_tokens: 60_000, total_tokens: 260_000 })
      expect(spent).toMatchObject({ reachedProvider: true, outputTokens: 1 })
      expect(spent?.totalTokens).toBeWithin(2, 40)
    }
  })

  test('at a host of the operator they go by its report', async () => {
    reply = answer(USAGE)
    const { spent } = await ask({ 'x-gateway-provider': 'openai' })
    expect(spent).toEqual({ reachedProvider: true, totalTokens: 260_000, outputTokens: 60_000 })
  })
})

describe('a report that the call cannot bear', () => {
  test.each([
    [1e308, 1e308],
    [5, 1e15],
    [-5, 7],
  ])('%p in, %p out: is none, and Weir counts', async (input, output) => {
    reply = answer({ prompt_tokens: input, completion_tokens: output, total_tokens: input + output })
    for (const path of ['/v1/chat/completions', '/v1/gateway/chat/completions']) {
      const usage = await usageOf(await send({ path }))
      expect(usage).toMatchObject({ output_tokens: 1, estimated: true })
      expect(Number(usage.total_tokens)).toBeLessThan(40)
    }
  })

  test('is cut to what it can: its bytes, and what a provider may add unseen', async () => {
    reply = answer({ prompt_tokens: 9_000_000, completion_tokens: 9_000_000, total_tokens: 18_000_000 })
    const usage = await usageOf(await send({ body: { max_tokens: 1_000 } }))
    expect(usage.estimated).toBe(true)
    expect(Number(usage.input_tokens)).toBeWithin(262_144, 262_144 + 200)
    expect(Number(usage.output_tokens)).toBe(262_144 + 1_000)
    expect(usage.total_tokens).toBe(Number(usage.input_tokens) + Number(usage.output_tokens))
  })

  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['a file', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] }],
    ['a search', { web_search_options: {} }],
  ])('input beyond the bytes is believed where the request names %s', async (_name, body) => {
    reply = answer({ prompt_tokens: 900_000, completion_tokens: 7, total_tokens: 900_007 })
    const usage = await usageOf(await send({ body }))
    expect(usage).toMatchObject({ input_tokens: 900_000, output_tokens: 7, total_tokens: 900_007 })
    expect(usage.estimated).toBeUndefined()
  })
})
