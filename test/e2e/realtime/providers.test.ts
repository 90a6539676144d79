import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredProvider } from '../../../src/kit/plugin.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually } from '../faults/support/wire.ts'
import { closeSessions, openSession, type Session } from './support/session.ts'

interface Seen {
  readonly target: string
  readonly headers: Headers
}

const KEY = 'provider-key-0123456789'

let provider: Bun.Server<undefined>
let gateway: TestGateway
const seen: Seen[] = []
const heard: (string | Buffer)[] = []
let answers: readonly (string | Uint8Array)[] = []

const stored = (slug: string, providerId: string): StoredProvider => ({
  slug,
  providerId,
  apiKey: `${KEY}-of-${slug}`,
  isRestricted: true,
  allows: (model) => model === 'good',
  forModel: () => ({
    settings: {},
    headers: {},
    customHost: `http://127.0.0.1:${provider.port}${providerId === 'google' ? '/v1beta' : '/v1'}`,
  }),
})

beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      const { pathname, search } = new URL(request.url)
      seen.push({ target: `${pathname}${search}`, headers: request.headers })
      const isOffered = request.headers.get('sec-websocket-protocol')?.includes('realtime') === true
      return server.upgrade(request, { headers: isOffered ? { 'sec-websocket-protocol': 'realtime' } : {} })
        ? undefined
        : new Response('', { status: 426 })
    },
    websocket: {
      message(socket, message) {
        heard.push(message)
        for (const answer of answers) socket.send(answer)
      },
    },
  })
  const base = `http://127.0.0.1:${provider.port}`
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        { openai: { baseURL: `${base}/v1`, apiKey: KEY } },
        { xai: { baseURL: `${base}/v1`, apiKey: KEY } },
        { 'azure-openai': { baseURL: base, apiKey: KEY } },
        { google: { baseURL: `${base}/v1beta`, apiKey: KEY } },
      ],
    },
    deps: {
      stored: {
        find: (_workspace, slug) =>
          slug === 'team' ? stored('team', 'openai') : slug === 'gem' ? stored('gem', 'google') : undefined,
        models: () => [],
      },
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await provider.stop(true)
})
beforeEach(() => {
  seen.length = 0
  heard.length = 0
  answers = []
})
afterEach(async () => {
  closeSessions()
  await eventually(() => gateway.gateway.calls.running === 0, 'all sessions are over')
  gateway.records.length = 0
})

const open = (on: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Session> =>
  openSession(gateway, { path, headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': on, ...headers } })

/** What the provider heard, once it has heard that many messages. */
const hearing = async (count: number): Promise<readonly string[]> => {
  await eventually(() => heard.length === count, 'the provider hears of it')
  return heard.map(String)
}

describe('where sessions go', () => {
  test.each([
    ['openai', '?model=gpt-realtime&voice=a%20b', {}, '/v1/realtime?model=gpt-realtime&voice=a%20b'],
    ['openai', '?model=@openai/gpt-realtime', {}, '/v1/realtime?model=gpt-realtime'],
    ['openai', '?call_id=rtc_1', {}, '/v1/realtime?call_id=rtc_1'],
    ['xai', '?model=grok-voice-latest', {}, '/v1/realtime?model=grok-voice-latest'],
    ['azure-openai', '?model=my-realtime', {}, '/openai/v1/realtime?model=my-realtime'],
    [
      'azure-openai',
      '?model=gpt-realtime&api-version=2025-04-01-preview',
      {},
      '/openai/realtime?api-version=2025-04-01-preview&deployment=gpt-realtime',
    ],
    [
      'azure-openai',
      '?model=gpt-realtime',
      { 'x-gateway-azure-deployment-id': 'mine', 'x-gateway-azure-api-version': '2024-10-01-preview' },
      '/openai/realtime?api-version=2024-10-01-preview&deployment=mine',
    ],
  ])('%s%s', async (on, query, headers, target) => {
    await open(on, `/v1/realtime${query}`, headers)
    expect(seen.map((each) => each.target)).toEqual([target])
    const { headers: sent } = seen[0] ?? { headers: new Headers() }
    const name = on === 'azure-openai' ? 'api-key' : 'authorization'
    expect(sent.get(name)).toBe(on === 'azure-openai' ? KEY : `Bearer ${KEY}`)
    expect(JSON.stringify([...sent])).not.toContain(API_KEY)
  })

  test.each(['/v2', '/openai/v1', ''])('%s/realtime is one of them', async (root) => {
    await open('openai', `${root}/realtime?model=gpt-realtime`)
    expect(seen[0]?.target).toBe('/v1/realtime?model=gpt-realtime')
  })
})

describe('the key of the gateway', () => {
  test.each([
    ['as a query', 'key', '?model=@openai/gpt-realtime'],
    ['as a query of Azure', 'api-key', '?model=@azure-openai/gpt-realtime'],
  ])('%s is not passed on', async (_how, name, query) => {
    await openSession(gateway, { path: `/v1/realtime${query}&${name}=${API_KEY}`, headers: {} })
    expect(seen[0]?.target).toEndWith('/realtime?model=gpt-realtime')
    expect(JSON.stringify([...(seen[0]?.headers ?? [])])).not.toContain(API_KEY)
  })

  test('as a subprotocol is not passed on, nor said back, and the choice of the provider is', async () => {
    const { socket } = await openSession(gateway, {
      path: '/v1/realtime?model=@openai/gpt-realtime',
      headers: {},
      protocols: [`openai-insecure-api-key.${API_KEY}`, 'realtime'],
    })
    expect(socket.protocol).toBe('realtime')
    expect(seen[0]?.headers.get('sec-websocket-protocol')).toBe('realtime')
    expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`)
    expect(JSON.stringify([...(seen[0]?.headers ?? [])])).not.toContain(API_KEY)
  })
})

describe('messages', () => {
  test('pass as they are written, but for the provider in front of a model', async () => {
    const session = await open('openai', '/v1/realtime?model=gpt-realtime')
    const untouched = [
      '{ "type" : "session.update", "session": {"model":"gpt-realtime"} }',
      '{"type":"session.update","session":{"model":"@xai/grok"}}',
      '{"type":"conversation.item.create","item":{"content":[{"text":"\\"model\\": @openai/x"}]}}',
      '\ufeff not JSON, with a "model"',
    ]
    for (const message of untouched) session.socket.send(message)
    session.socket.send(
      '{"type":"session.update","session":{"model":"@openai/gpt-realtime","audio":{"input":{"transcription":{"model":"@openai/whisper-1"}}}}}',
    )
    const said = await hearing(5)
    expect(said.slice(0, 4)).toEqual(untouched)
    expect(JSON.parse(said[4] ?? '')).toEqual({
      type: 'session.update',
      session: { model: 'gpt-realtime', audio: { input: { transcription: { model: 'whisper-1' } } } },
    })
  })

  test('that name a model which the stored provider does not allow end the session', async () => {
    const session = await open('@team', '/v1/realtime?model=good')
    expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}-of-team`)
    session.send({ type: 'session.update', session: { model: 'good' } })
    await hearing(1)
    session.send({ type: 'session.update', session: { model: '@team/bad' } })
    const { code, reason } = await session.closed
    expect([code, reason.startsWith('model_not_allowed: ')]).toEqual([1008, true])
    expect(session.events.map(({ type }) => type)).toEqual(['error'])
    expect(heard.length).toBe(1)
  })

  test('transcripts of what was heard are charged to the model that heard it', async () => {
    answers = [
      JSON.stringify({
        type: 'session.updated',
        session: { model: 'gpt-realtime', audio: { input: { transcription: { model: 'gpt-4o-mini-transcribe' } } } },
      }),
      JSON.stringify({
        type: 'conversation.item.input_audio_transcription.completed',
        usage: { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 },
      }),
      JSON.stringify({
        type: 'conversation.item.input_audio_transcription.completed',
        usage: { type: 'duration', seconds: 3 },
      }),
    ]
    const session = await open('openai', '/v1/realtime?model=gpt-realtime')
    session.send({ type: 'x' })
    await eventually(() => session.events.length === 3, 'the transcripts are there')
    session.socket.close()
    await gateway.record(({ status }) => status === 101)
    const [first, second] = gateway.records.filter(({ call_id: of }) => of !== undefined)
    expect(first).toMatchObject({ usage: { input_tokens: 14, output_tokens: 45 } })
    // 1.25 dollars a million in, 5 out.
    expect(first?.cost_usd).toBeCloseTo((14 * 1.25 + 45 * 5) / 1e6, 9)
    expect(second).toMatchObject({ usage: { total_tokens: 0 } })
  })
})

describe("Google's Live API", () => {
  const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
  const json = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

  test('is at its own path, with the key in a header and the model of its first message', async () => {
    answers = [
      json({ serverContent: { modelTurn: { parts: [{ text: 'Hi' }] } } }),
      json({
        serverContent: { turnComplete: true },
        usageMetadata: { promptTokenCount: 10, responseTokenCount: 5, totalTokenCount: 15 },
      }),
    ]
    const { socket } = await openSession(gateway, {
      path: `${LIVE}?key=${API_KEY}&model=@google/gemini-3.8-live`,
      headers: {},
    })
    expect(seen[0]?.target).toBe(LIVE)
    expect(seen[0]?.headers.get('x-goog-api-key')).toBe(KEY)
    socket.send(JSON.stringify({ setup: { model: 'models/@google/gemini-3.8-live' } }))
    expect(await hearing(1)).toEqual(['{"setup":{"model":"models/gemini-3.8-live"}}'])
    await gateway.record(({ call_id: of }) => of !== undefined)
    socket.close()
    const session = await gateway.record(({ status }) => status === 101)
    expect(session).toMatchObject({ endpoint: 'live', provider: 'google', usage: undefined })
    const [response] = gateway.records.filter(({ call_id: of }) => of === session.id)
    expect(response).toMatchObject({ usage: { input_tokens: 10, output_tokens: 5 }, outcome: 'completed' })
    expect(response?.cost_usd).toBeGreaterThan(0)
  })

  test('of a stored provider that allows some models only takes one of these', async () => {
    await expect(open('@gem', LIVE)).rejects.toThrow('it was not opened')
    const { socket, closed } = await open('@gem', `${LIVE}?model=good`)
    socket.send(JSON.stringify({ setup: { model: 'models/bad' } }))
    expect((await closed).code).toBe(1008)
    expect(heard.length).toBe(0)
  })
})
