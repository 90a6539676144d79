import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import type { CallAccount, RateLimits } from '#core/limits'
import { RateLimited } from '#kit'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { failureOf, mockMessages, startWireUpstream, type WireUpstream } from './support/messages-client.ts'

let gateway: TestGateway
let upstream: WireUpstream
beforeAll(async () => {
  upstream = await startWireUpstream()
  const apiKey = 'key-of-the-operator'
  const baseURL = upstream.baseURL('anthropic', 'plain-text')
  gateway = await startTestGateway({ config: { plugins: ['defaults', 'mock', { anthropic: { baseURL, apiKey } }] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const withConfig = (config: object): Anthropic =>
  new Anthropic({
    baseURL: gateway.url,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-config': JSON.stringify(config) },
  })

const asked = { model: 'mock', max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello' }] }

describe('the chain of a message', () => {
  test('keeps the answer, and gives it whole or as a stream', async () => {
    const { messages } = withConfig({ provider: 'mock', cache: { mode: 'simple' } })
    const first = await messages.create(asked).withResponse()
    const second = await messages.create(asked).withResponse()
    expect([first, second].map(({ response }) => response.headers.get('x-gateway-cache-status'))).toEqual([
      'MISS',
      'HIT',
    ])
    expect(second.data.content).toEqual(first.data.content)
    const streamed = { ...asked, messages: [{ role: 'user' as const, content: 'Again' }] }
    const live = await messages.stream(streamed).finalMessage()
    const { data, response } = await messages.create({ ...streamed, stream: true }).withResponse()
    expect(response.headers.get('x-gateway-cache-status')).toBe('HIT')
    let text = ''
    for await (const event of data) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
    }
    expect(live.content).toMatchObject([{ text }])
  })

  test.each([false, true])(
    'goes on at a provider that speaks another form, either way (streamed: %p)',
    async (streamed) => {
      const broken = { provider: 'mock', override_params: { model: 'mock:fault=overloaded' } }
      const native = { provider: 'anthropic', override_params: { model: 'claude-opus-5-5' } }
      const config = { strategy: { mode: 'fallback' }, targets: [broken, streamed ? { provider: 'mock' } : native] }
      const call = withConfig(config).messages
      const message = streamed ? await call.stream(asked).finalMessage() : await call.create(asked)
      expect(message.content).toMatchObject([
        { type: 'text', text: streamed ? 'Mock answer to: Hello' : 'Hello! How can I help?' },
      ])
    },
  )

  test('starts a broken stream anew where that is wanted', async () => {
    const config = {
      strategy: { mode: 'fallback', stream_recovery: 'restart' },
      targets: [
        { provider: 'mock', override_params: { model: 'mock:fault=cut-mid-stream,tokens=20' } },
        { provider: 'mock', override_params: { model: 'mock' } },
      ],
    }
    const message = await withConfig(config).messages.stream(asked).finalMessage()
    expect(message.content).toMatchObject([{ text: 'Mock answer to: Hello' }])
  })
})

test('a limit of ours refuses in words of Anthropic, and says when to come back', async () => {
  const account: CallAccount = {
    admit: () => {
      throw new RateLimited('Too many requests.', { retryAfterMs: 1500, endsCall: true })
    },
    attemptEnded: () => undefined,
    settle: () => undefined,
    charge: () => [],
    held: () => [],
    headers: () => new Map(),
    shadowRefusals: [],
  }
  const limits: RateLimits = {
    open: () => account,
    dryRun: async () => ({ allowed: true, status: 200, targets: [] }),
  }
  const limited = await startTestGateway({ deps: { limits } })
  for (const stream of [false, true]) {
    const failure = await failureOf(mockMessages(limited).messages.create({ ...asked, stream }))
    expect(failure).toBeInstanceOf(Anthropic.RateLimitError)
    expect(failure.type).toBe('rate_limit_error')
    expect(failure.headers?.get('retry-after')).toBe('2')
  }
  await limited.close()
})
