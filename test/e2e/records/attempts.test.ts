import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { condition } from '../../support/routing.ts'
import { chat, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const target = (provider: string, mock?: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  provider,
  ...(mock === undefined ? {} : { override_params: { mock } }),
  ...more,
})

const over = (config: Record<string, unknown>): Record<string, string> => ({
  'x-gateway-config': JSON.stringify(config),
})

const fallback = (...targets: Record<string, unknown>[]) => ({ strategy: { mode: 'fallback' }, targets })

const OVERLOADED = { fault: 'overloaded' }

describe('a target that is asked again', () => {
  test('is one record, with its retries', async () => {
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      chat(),
      over({
        provider: 'openai',
        retry: { attempts: 2, on_status_codes: [529] },
        override_params: { mock: OVERLOADED },
      }),
    )
    expect(attempts).toEqual([])
    expect(record).toMatchObject({
      status: 529,
      outcome: 'failed',
      mode: 'single',
      attempts: 3,
      retries: 2,
      fallback: false,
    })
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })
})

describe('a call that falls back', () => {
  test('has its own record, and one for each target, retries of it in one', async () => {
    world.recorder.opened.length = 0
    const retry = { retry: { attempts: 1, on_status_codes: [529] } }
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      chat(),
      over(fallback(target('openai', OVERLOADED, retry), target('mock'))),
    )
    expect(record).toMatchObject({
      kind: 'call',
      attempt: 0,
      mode: 'fallback',
      provider: 'mock',
      optionPath: 'config.targets[1]',
      status: 200,
      success: true,
      attempts: 3,
      retries: 1,
      fallback: true,
    })
    expect(attempts).toHaveLength(2)
    const [first, second] = attempts
    expect(first).toMatchObject({
      callId: record.id,
      kind: 'attempt',
      attempt: 1,
      traceId: record.traceId,
      provider: 'openai',
      optionPath: 'config.targets[0]',
      sentUrl: `${world.upstream.url}/v1/chat/completions`,
      status: 529,
      outcome: 'failed',
      success: false,
      errorCode: 'upstream_error',
      attempts: 2,
      retries: 1,
      fallback: false,
    })
    for (const name of ['cost', 'inputTokens', 'unpriced', 'firstByteUs'] as const)
      expect(first?.[name]).toBeUndefined()
    expect(second).toMatchObject({
      callId: record.id,
      kind: 'attempt',
      attempt: 2,
      provider: 'mock',
      optionPath: 'config.targets[1]',
      status: 200,
      outcome: 'completed',
      success: true,
      attempts: 1,
      retries: 0,
      fallback: true,
      inputTokens: record.inputTokens,
      outputTokens: record.outputTokens,
    })
    expect(second?.cost).toEqual(record.cost)
    expect(new Set([record.id, first?.id, second?.id]).size).toBe(3)
    expect(first?.time).toBeGreaterThanOrEqual(record.time)
    expect((first?.upstreamUs ?? 0) + (second?.upstreamUs ?? 0)).toBeLessThanOrEqual((record.upstreamUs ?? 0) + 2)
    expect(world.recorder.opened.map(({ id, provider }) => [id, provider])).toEqual([[record.id, 'openai']])
  })

  test('and fails everywhere says what each one said', async () => {
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      chat(),
      over(fallback(target('openai', OVERLOADED), target('mock', { fault: 'status', status: 503 }))),
    )
    expect(record).toMatchObject({ status: 503, outcome: 'failed', success: false, provider: 'mock', fallback: true })
    expect(attempts.map(({ provider, status, success }) => [provider, status, success])).toEqual([
      ['openai', 529, false],
      ['mock', 503, false],
    ])
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })

  test('pays for an answer that was not used as well', async () => {
    const config = {
      strategy: { mode: 'fallback', on_status_codes: [200] },
      targets: [target('openai'), target('mock')],
    }
    const { record, attempts } = await world.ask('/v1/chat/completions', chat(), over(config))
    expect(record).toMatchObject({ status: 200, provider: 'mock', attempts: 2 })
    const [first, second] = attempts
    expect(first).toMatchObject({ status: 200, outcome: 'failed', success: false })
    expect(first?.cost?.total).toBeGreaterThan(0)
    expect(record.cost?.total).toBe((first?.cost?.total ?? 0) + (second?.cost?.total ?? 0))
    // The tokens of the answer that was used.
    expect(record.totalTokens).toBe(second?.totalTokens ?? -1)
  })

  test('to a target whose price is not known does not pretend to know the sum', async () => {
    const config = {
      strategy: { mode: 'fallback', on_status_codes: [200] },
      targets: [target('openai'), { provider: 'mock', override_params: { model: 'mock-echo' } }],
    }
    const { record, attempts } = await world.ask('/v1/chat/completions', chat(), over(config))
    expect([record.cost, record.unpriced]).toEqual([undefined, true])
    expect(attempts.map(({ unpriced }) => unpriced)).toEqual([undefined, true])
  })
})

describe('a stream that goes on elsewhere', () => {
  test('is paid for in both parts', async () => {
    const config = {
      strategy: { mode: 'fallback', stream_recovery: 'continue' },
      targets: [target('openai', { fault: 'cut-mid-stream', at: 3 }), target('mock')],
    }
    const { record, attempts } = await world.ask('/v1/chat/completions', chat({ stream: true }), over(config))
    expect(record).toMatchObject({
      outcome: 'completed',
      provider: 'mock',
      attempts: 2,
      fallback: true,
      estimated: true,
    })
    const [first, second] = attempts
    expect(first).toMatchObject({ provider: 'openai', outcome: 'truncated', success: false, estimated: true })
    expect(second).toMatchObject({ provider: 'mock', outcome: 'completed', success: true })
    expect(record.outputTokens).toBe((first?.outputTokens ?? 0) + (second?.outputTokens ?? 0))
    expect(record.cost?.total).toBe((first?.cost?.total ?? 0) + (second?.cost?.total ?? 0))
  })
})

test.each([
  [
    'loadbalance',
    { strategy: { mode: 'loadbalance' }, targets: [{ ...target('openai'), weight: 1 }] },
    'config.targets[0]',
  ],
  [
    'conditional',
    {
      strategy: {
        mode: 'conditional',
        conditions: [condition({ 'metadata.plan': 'paid' }, 'only')],
        default: 'only',
      },
      targets: [{ ...target('openai'), name: 'only' }],
    },
    'config.targets[0]',
  ],
])('the strategy %s', async (mode, config, optionPath) => {
  const { record, attempts } = await world.ask('/v1/chat/completions', chat(), over(config))
  expect(record).toMatchObject({ mode, optionPath, status: 200, attempts: 1, fallback: false })
  expect(attempts).toEqual([])
})
