import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { chat, startWorld, type World } from './support/world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

describe('the record of a whole answer', () => {
  test('says who, what, where, how much and how long', async () => {
    const before = Date.now() * 1000
    const { record, attempts, text, response } = await world.ask('/v1/chat/completions?x=1', chat({ user: 'anna' }), {
      'x-gateway-trace-id': 'trace-1',
      'x-gateway-span-id': 'span-1',
      'x-gateway-span-name': 'step',
      'x-gateway-metadata': '{"team":"a"}',
      'user-agent': 'OpenAI/Python 1.99.0 (a machine)',
      'x-stainless-runtime': 'CPython',
      'x-stainless-runtime-version': '3.13.1',
    })
    const { usage } = JSON.parse(text)
    expect(attempts).toEqual([])
    expect(record).toEqual({
      id: expect.stringMatching(UUID),
      callId: record.id,
      kind: 'call',
      attempt: 0,
      time: expect.any(Number),
      organisationId: 'organisation-1',
      workspaceId: 'workspace-1',
      apiKeyId: 'key-workspace-service',
      userId: 'anna',
      traceId: 'trace-1',
      spanId: 'span-1',
      spanName: 'step',
      method: 'POST',
      path: '/v1/chat/completions',
      sentUrl: `${world.upstream.url}/v1/chat/completions`,
      endpoint: 'chat',
      requestType: 'chatComplete',
      stream: false,
      provider: 'openai',
      modelAsked: 'mock',
      model: 'mock',
      mode: 'single',
      optionPath: 'config',
      status: 200,
      outcome: 'completed',
      success: true,
      attempts: 1,
      retries: 0,
      fallback: false,
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      cost: {
        total: 2 * usage.prompt_tokens + 3 * usage.completion_tokens,
        input: 2 * usage.prompt_tokens,
        output: 3 * usage.completion_tokens,
        cache: 0,
        other: 0,
      },
      priceId: 'test',
      totalUs: expect.any(Number),
      firstByteUs: expect.any(Number),
      parsingUs: expect.any(Number),
      beforeUs: expect.any(Number),
      upstreamUs: expect.any(Number),
      afterUs: expect.any(Number),
      metadata: { team: 'a', _user: 'anna' },
      bytesIn: JSON.stringify(chat({ user: 'anna' })).length,
      bytesOut: text.length,
      sdk: 'OpenAI/Python 1.99.0',
      runtime: 'CPython 3.13.1',
    })
    expect(record.id).toBe(response.headers.get('x-gateway-request-id') ?? '')
    expect(record.time).toBeGreaterThanOrEqual(before)
    expect(record.time).toBeLessThanOrEqual(Date.now() * 1000)
  })

  test('its parts of time do not overlap, and are no longer than the whole', async () => {
    const { record } = await world.ask('/v1/chat/completions', chat({ mock: { delayMs: 30 } }))
    const { totalUs, parsingUs = 0, beforeUs = 0, upstreamUs = 0, afterUs = 0, firstByteUs = 0 } = record
    const parts = [totalUs, parsingUs, beforeUs, upstreamUs, afterUs, firstByteUs]
    expect(parts.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true)
    expect(parsingUs + beforeUs + upstreamUs + afterUs).toBeLessThanOrEqual(totalUs + 5)
    expect(firstByteUs).toBeLessThanOrEqual(totalUs)
  })

  test('a call is opened once, before its provider is asked', async () => {
    world.recorder.opened.length = 0
    const { record } = await world.ask('/v1/chat/completions', chat())
    expect(world.recorder.opened).toEqual([
      {
        id: record.id,
        time: record.time,
        organisationId: 'organisation-1',
        workspaceId: 'workspace-1',
        apiKeyId: 'key-workspace-service',
        traceId: record.traceId,
        method: 'POST',
        path: '/v1/chat/completions',
        endpoint: 'chat',
        requestType: 'chatComplete',
        stream: false,
        provider: 'openai',
        model: 'mock',
        metadata: {},
      },
    ])
  })
})

describe('what costs nothing', () => {
  test('a request that is refused has a record, and was never opened', async () => {
    world.recorder.opened.length = 0
    const { record } = await world.ask('/v1/chat/completions', chat({ messages: 'none' }))
    expect(record).toMatchObject({
      status: 400,
      outcome: 'failed',
      success: false,
      errorCode: 'invalid_request',
      errorMessage: '`messages` must be an array with at least one message.',
      attempts: 0,
    })
    for (const name of ['cost', 'unpriced', 'inputTokens', 'upstreamUs', 'sentUrl'] as const)
      expect(record[name]).toBeUndefined()
    expect(world.recorder.opened).toEqual([])
  })

  test('an error of the provider', async () => {
    const { record } = await world.ask('/v1/chat/completions', chat({ mock: { fault: 'overloaded' } }))
    expect(record).toMatchObject({
      status: 529,
      outcome: 'failed',
      errorCode: 'upstream_error',
      attempts: 1,
      retries: 0,
    })
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })

  test('a list of models', async () => {
    const { record } = await world.ask('/v1/models', undefined)
    expect(record).toMatchObject({ endpoint: 'models', status: 200, attempts: 1 })
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })
})

test('a call without a known caller has no record, only the line', async () => {
  const closed = world.recorder.closed.length
  const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': 'unknown-key-0123456789' },
    body: JSON.stringify(chat()),
  })
  expect(response.status).toBe(401)
  await world.gateway.record(({ status }) => status === 401)
  expect(world.recorder.closed).toHaveLength(closed)
})

test('a price that is not known is none, and never zero', async () => {
  const { record } = await world.ask('/v1/chat/completions', chat({ model: 'mock-echo' }))
  expect(record.unpriced).toBe(true)
  expect(record.cost).toBeUndefined()
  const line = await world.gateway.record(({ id }) => id === record.id)
  expect(line).toMatchObject({ unpriced: true })
  expect(line.cost_usd).toBeUndefined()
})

test('the line says the cost in dollars', async () => {
  const { record } = await world.ask('/v1/chat/completions', chat())
  const line = await world.gateway.record(({ id }) => id === record.id)
  expect(line.cost_usd).toBe((record.cost?.total ?? 0) / 1e12)
})

test('neither keys nor questions nor answers are in a record', async () => {
  await world.ask('/v1/chat/completions', chat())
  await world.ask('/v1/chat/completions', chat({ mock: { fault: 'rate-limited' } }))
  const said = JSON.stringify([world.recorder.closed, world.recorder.opened])
  for (const secret of [API_KEY, 'sk-of-the-caller', 'about the sea', 'Mock answer']) expect(said).not.toContain(secret)
})
