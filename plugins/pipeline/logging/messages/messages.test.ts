import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { readRedaction } from '#calls/pattern/redaction'
import { NO_RECORDS } from '#core/local-stores'
import type { BodyRules } from '#core/log-settings'
import type { CallRecorder, RecordedMessage } from '#core/records'
import { API_KEY, startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../../providers/mock/server.ts'

const PROVIDER_KEY = 'a-provider-key-of-no-known-form-0123456789'

let gateway: TestGateway
let upstream: MockServer
/** What holds for the calls of a test. */
let rules: BodyRules = { bodies: 'all' }
interface Kept {
  readonly ofCall: readonly RecordedMessage[]
  readonly ofTargets: readonly (readonly RecordedMessage[])[]
}
/** What was kept of each call; undefined for nothing. */
const kept: (Kept | undefined)[] = []
let waiting: (() => void) | undefined

/** Takes what would be sealed. */
const records: CallRecorder = {
  ...NO_RECORDS,
  close([of, ...attempts], messages) {
    const ofCall = messages?.get(of?.id ?? '')
    const ofTargets = attempts.map(({ id }) => messages?.get(id) ?? [])
    kept.push(ofCall && { ofCall, ofTargets })
    waiting?.()
  },
}

beforeAll(async () => {
  upstream = await startMockServer()
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', { openai: { baseURL: `${upstream.url}/v1`, apiKey: PROVIDER_KEY } }] },
    deps: { records, bodyRules: { of: () => rules } },
  })
})
afterEach(() => {
  expect(gateway.lines.filter(({ level }) => level === 'error')).toEqual([])
  kept.length = 0
  rules = { bodies: 'all' }
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const ask = async (body: unknown, headers: Record<string, string> = {}, path = '/v1/chat/completions') => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-provider': 'openai',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { response, text: await response.text() }
}
const chat = (content: unknown, headers?: Record<string, string>, more: object = {}) =>
  ask({ model: 'mock', messages: [{ role: 'user', content }], ...more }, headers)

/** What was kept of the call that comes to its end next, or did already. */
const next = async (): Promise<Kept | undefined> => {
  if (kept.length === 0) {
    await new Promise<void>((resolve) => {
      waiting = resolve
    })
  }
  return kept.shift()
}
const textOf = (message: RecordedMessage | undefined): string => Buffer.from(message?.body ?? []).toString()
const sidesOf = (messages: readonly RecordedMessage[] = []) =>
  Object.fromEntries(messages.map((message) => [message.side, message]))
/** The messages of the next call by their sides. */
const sides = async () => sidesOf((await next())?.ofCall)

describe('the messages of a call', () => {
  test('are what the client sent and got, and what was sent where that differs', async () => {
    const { text } = await chat('hello')
    const { request, answer, sent, received } = await sides()
    expect(request).toMatchObject({ method: 'POST', url: '/v1/chat/completions' })
    expect(JSON.parse(textOf(request))).toEqual({ model: 'mock', messages: [{ role: 'user', content: 'hello' }] })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(textOf(answer)).toBe(text)
    expect(sent).toMatchObject({ method: 'POST', url: `${upstream.url}/v1/chat/completions` })
    // The bytes of the client went on as they were, and so did those of the provider.
    expect([sent?.body, received?.body]).toEqual([undefined, undefined])
    expect(received).toMatchObject({ status: 200, headers: { 'content-type': expect.any(String) } })
  })

  test('of another wire form are kept in both', async () => {
    await chat('hello', { 'x-gateway-provider': 'mock' }, { max_tokens: 5 })
    const { sent, answer } = await sides()
    expect(textOf(answer)).toContain('chat.completion')
    expect(sent?.url).toContain('http')
  })

  test('of an official SDK that streams are its events', async () => {
    const client = new OpenAI({
      apiKey: API_KEY,
      baseURL: `${gateway.url}/v1`,
      defaultHeaders: { 'x-gateway-provider': 'openai' },
    })
    let said = ''
    const stream = await client.chat.completions.create({
      model: 'mock',
      messages: [{ role: 'user', content: 'tell me more' }],
      stream: true,
    })
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ''
    const { answer, sent } = await sides()
    expect(textOf(answer)).toEndWith('data: [DONE]\n\n')
    const words = [...textOf(answer).matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(words.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(said)
    // Usage is asked for on the way.
    expect(JSON.parse(textOf(sent))).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(answer?.truncated).toBeUndefined()
  })

  test('of a stream over a bridge are kept as the client and as the provider says them', async () => {
    const client = new Anthropic({
      apiKey: API_KEY,
      baseURL: gateway.url,
      defaultHeaders: { 'x-gateway-provider': 'openai' },
    })
    const message = await client.messages
      .stream({ model: 'mock', max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] })
      .finalMessage()
    const { answer, received, sent } = await sides()
    expect(textOf(answer)).toContain('event: message_stop')
    expect(textOf(received)).toContain('data: [DONE]')
    expect(JSON.parse(textOf(sent)).messages).toEqual([{ role: 'user', content: 'hello' }])
    expect(message.content).not.toEqual([])
  })

  test('of a call that fails are the error as the client gets it, and as the provider says it', async () => {
    const { text } = await chat('hello', {
      'x-gateway-config': '{"override_params":{"mock":{"fault":"rate-limited"}}}',
    })
    const { answer, received } = await sides()
    expect(answer).toMatchObject({ status: 429 })
    expect(textOf(answer)).toBe(text)
    expect(received).toMatchObject({ status: 429 })
    expect(textOf(received)).not.toBe('')
  })

  test('of each target are kept apart', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'openai', override_params: { mock: { fault: 'rate-limited' } } },
        { provider: 'openai', override_params: { temperature: 0.5 } },
      ],
    }
    await chat('hello', { 'x-gateway-config': JSON.stringify(config) })
    const all = await next()
    expect(all?.ofCall.map(({ side }) => side)).toEqual(['request', 'answer'])
    const [first, second] = (all?.ofTargets ?? []).map(sidesOf)
    expect(first?.received).toMatchObject({ status: 429 })
    expect(JSON.parse(textOf(second?.sent))).toMatchObject({ temperature: 0.5 })
    expect(second?.received?.body).toBeUndefined()
  })
})

describe('no secret is kept', () => {
  test('of headers, of queries, of what a model repeats', async () => {
    const own = `sk-${randomBytes(16).toString('hex')}`
    const secrets = [API_KEY, PROVIDER_KEY, own]
    await chat(`my keys are ${secrets.join(' and ')}`, {}, {})
    await ask(
      { model: 'mock', messages: [{ role: 'user', content: API_KEY }] },
      {
        authorization: `Bearer ${own}`,
        'x-gateway-config': JSON.stringify({ provider: 'openai', api_key: PROVIDER_KEY }),
        'x-gateway-provider': '',
      },
      `/v1/chat/completions?key=${own}`,
    )
    for (const all of [await next(), await next()]) {
      const written = (all?.ofCall ?? []).map(({ body, ...head }) => JSON.stringify(head) + Buffer.from(body ?? []))
      expect(written.join()).toContain('*****')
      for (const secret of secrets) expect(written.join()).not.toContain(secret)
    }
  })
})

describe('what is kept of bytes', () => {
  test('that are a form: its fields, and a note of each file', async () => {
    const sound = randomBytes(50_000)
    const form = new FormData()
    form.set('model', 'mock-transcribe')
    form.set('file', new File([sound], 'a.wav', { type: 'audio/wav' }))
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' },
      body: form,
    })
    await response.text()
    const { request, sent } = await sides()
    expect(JSON.parse(textOf(request))).toEqual({
      form: [
        { name: 'model', value: 'mock-transcribe' },
        {
          name: 'file',
          filename: 'a.wav',
          type: 'audio/wav',
          bytes: sound.length,
          sha256: Bun.CryptoHasher.hash('sha256', sound, 'hex'),
        },
      ],
    })
    expect(JSON.parse(textOf(sent))).toMatchObject({ type: expect.stringContaining('multipart/form-data') })
  })

  test('that are sound: a note of them', async () => {
    const { response } = await ask({ model: 'mock-speech', input: 'hello', voice: 'alloy' }, {}, '/v1/audio/speech')
    const message = await sides()
    expect(JSON.parse(textOf(message.answer))).toEqual({
      type: response.headers.get('content-type') as string,
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('vectors are left out', async () => {
    const { text } = await ask({ model: 'mock-embedding', input: 'hello', dimensions: 512 }, {}, '/v1/embeddings')
    const { answer } = await sides()
    expect(text.length).toBeGreaterThan(2_000)
    expect(textOf(answer)).toMatch(/numbers"|"application\/octet-stream"/)
    expect(textOf(answer).length).toBeLessThan(1_000)
  })
})

describe('the policy', () => {
  const FAILING = { 'x-gateway-config': '{"override_params":{"mock":{"fault":"rate-limited"}}}' }
  test.each([
    ['none', undefined, false, false],
    ['none', 'true', false, false],
    ['failed', undefined, false, true],
    ['failed', 'true', true, true],
    ['failed', 'false', false, true],
    ['all', undefined, true, true],
    ['all', 'false', false, true],
    ['all', 'TRUE', true, true],
  ] as const)('%s with x-gateway-debug %s: kept %s, of a failure %s', async (bodies, debug, ofSuccess, ofFailure) => {
    rules = { bodies }
    const headers: Record<string, string> = debug === undefined ? {} : { 'x-gateway-debug': debug }
    await chat('hello', headers)
    expect((await next()) !== undefined).toBe(ofSuccess)
    await chat('hello', { ...headers, ...FAILING })
    expect((await next()) !== undefined).toBe(ofFailure)
  })
})

describe('what a workspace redacts', () => {
  const redaction = readRedaction(['\\b\\d{3}-\\d{2}-\\d{4}\\b'])

  test('is in none of the messages', async () => {
    rules = { bodies: 'all', redaction }
    await chat('it is 123-45-6789')
    const all = await next()
    for (const { body } of all?.ofCall ?? []) expect(Buffer.from(body ?? []).toString()).not.toContain('123-45-6789')
    expect(textOf(sidesOf(all?.ofCall).request)).toContain('[redacted]')
  })

  test('is found where a stream cuts it in pieces: what is kept is the answer as a whole', async () => {
    rules = { bodies: 'all', redaction }
    await chat('it is 123-45-6789', {}, { stream: true })
    const { answer } = await sides()
    const whole = JSON.parse(textOf(answer))
    expect(whole.choices[0].message.content).toContain('[redacted]')
    expect(textOf(answer)).not.toContain('123-45')
  })
})

describe('a client that is slow or leaves', () => {
  test('leaves what it got until then', async () => {
    const controller = new AbortController()
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'mock',
        stream: true,
        messages: [{ role: 'user', content: 'hello' }],
        mock: { intervalMs: 200 },
      }),
      signal: controller.signal,
    })
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort()
    const { answer: message } = await sides()
    expect(message?.truncated).toBe(true)
  })

  test('an upload of 50 MB is never held', async () => {
    const form = new FormData()
    form.set('purpose', 'batch')
    form.set('file', new File([new Uint8Array(50 * 1024 * 1024)], 'large.jsonl'))
    const response = await fetch(`${gateway.url}/v1/uploads`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' },
      body: form,
    })
    await response.text()
    const { request } = await sides()
    expect(textOf(request).length).toBeLessThan(1_000)
    expect(textOf(request)).toContain('bytes')
  })
})
