/** What calls add to budgets is what their records say, in every way in which a call can end. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { jsonPlan, type Plan } from '../../../plugins/providers/mock/plan.ts'
import type { CallRecord } from '../../../src/core/records.ts'
import { charged, createCharging } from './support/charging.ts'
import { chat, headersOf, startWorld, type World } from './support/world.ts'

/** Held back at each target that is admitted, in order; nothing when there are no more. */
let holds: number[] = []
const limits = createCharging(() => holds.shift())

/** What the provider answers next in place of the mock. */
let answers: (Plan | undefined)[] = []

let world: World
beforeAll(async () => {
  world = await startWorld({ deps: { limits }, answer: () => answers.shift() })
})
afterAll(() => world.close())
afterEach(() => {
  for (const list of [limits.admitted, limits.told, limits.events, world.recorder.opened]) list.length = 0
  holds = []
  answers = []
})

const target = (provider: string, mock?: Record<string, unknown>) => ({
  provider,
  ...(mock === undefined ? {} : { override_params: { mock } }),
})
const over = (config: Record<string, unknown>): Record<string, string> => ({
  'x-gateway-config': JSON.stringify(config),
})
const fallback = (strategy: Record<string, unknown>, ...targets: Record<string, unknown>[]) =>
  over({ strategy: { mode: 'fallback', ...strategy }, targets })

/** The charges of a call, less those of one target, which are checked beside. */
const expectAgreement = (record: CallRecord): void => {
  expect(charged(record, 'policy-cost')).toBe(record.cost?.total ?? 0)
  const [spent] = limits.told
  expect(spent?.reduce((sum, { cost }) => sum + cost, 0)).toBe(record.cost?.total ?? 0)
  // Each target is named as it was when it was admitted.
  const asked = spent?.filter(({ wasAsked }) => wasAsked) ?? []
  expect(asked.filter(({ target: named }) => !limits.admitted.includes(named))).toEqual([])
  expect(limits.events).toEqual(['charge', 'settle'])
}

describe('a call with one target', () => {
  test.each([
    ['whole', '/v1/chat/completions', chat()],
    ['streamed', '/v1/chat/completions', chat({ stream: true })],
    ['messages', '/v1/messages', { model: 'mock', max_tokens: 9, messages: [{ role: 'user', content: 'Hello.' }] }],
    ['passed through', '/v1/proxy/chat/completions', chat()],
  ])('%s: what its record costs', async (_name, path, body) => {
    const { record } = await world.ask(path, body)
    expectAgreement(record)
    expect(record.cost?.total).toBeGreaterThan(0)
    expect(charged(record, 'policy-tokens')).toBe(record.totalTokens ?? -1)
    expect(charged(record, 'policy-requests')).toBe(1)
    expect(charged(record, 'target-0')).toBe(record.cost?.total ?? -1)
  })

  test.each([
    ['embeddings', '/v1/embeddings', { model: 'mock-embedding', input: 'a text' }],
    ['images', '/v1/images/generations', { model: 'mock-image', prompt: 'a boat', n: 2 }],
    ['speech', '/v1/audio/speech', { model: 'mock-speech', input: 'Hello.', voice: 'alloy' }],
    ['a reranking', '/v1/rerank', { model: 'mock-rerank', query: 'sea', documents: ['a boat'] }],
    ['a moderation', '/v1/moderations', { model: 'mock-moderation', input: 'a text' }],
  ])('%s', async (_name, path, body) => {
    const { record } = await world.ask(path, body, { 'x-gateway-provider': 'mock' })
    expectAgreement(record)
    expect(record.cost?.total).toBeGreaterThan(0)
  })

  test('a price that is not known is no cost; its tokens count', async () => {
    const { record } = await world.ask('/v1/chat/completions', chat({ model: 'mock-echo' }))
    expect([record.cost, record.unpriced]).toEqual([undefined, true])
    expectAgreement(record)
    expect(charged(record, 'policy-tokens')).toBe(record.totalTokens ?? -1)
  })

  test('a price that the provider tells is the one that is charged', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost_in_usd_ticks: 123_456_789 }
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }]
    answers = [jsonPlan(200, { id: 'a', object: 'chat.completion', created: 1, model: 'mock', choices, usage })]
    const { record } = await world.ask('/v1/chat/completions', chat())
    expect(record).toMatchObject({ priceId: 'provider', cost: { total: 12_345_678_900 } })
    expectAgreement(record)
  })

  test('a provider that refuses is asked, and bought nothing from', async () => {
    const retry = { attempts: 2, on_status_codes: [529] }
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat(),
      over({ ...target('openai', { fault: 'overloaded' }), retry }),
    )
    expect(record.attempts).toBe(3)
    expectAgreement(record)
    expect(record.charges?.map(({ type, amount }) => [type, amount])).toEqual([['requests', 1]])
  })

  test('each of its retries that gave an answer is paid for', async () => {
    const retry = { attempts: 2, on_status_codes: [200] }
    const { record, attempts } = await world.ask('/v1/chat/completions', chat(), over({ ...target('openai'), retry }))
    expect([record.attempts, attempts]).toEqual([3, []])
    expectAgreement(record)
    expect(limits.told[0]).toHaveLength(1)
    expect(charged(record, 'policy-tokens')).toBe(3 * (record.totalTokens ?? 0))
    expect(record.cost?.total).toBe(3 * (2 * (record.inputTokens ?? 0) + 3 * (record.outputTokens ?? 0)))
  })

  test('that is refused by the gateway was not asked', async () => {
    const { record } = await world.ask('/v1/chat/completions', chat({ messages: 'none' }))
    expect(record.status).toBe(400)
    expect(record.charges).toBeUndefined()
    expect(limits.told.flat().map(({ wasAsked, cost }) => [wasAsked, cost])).toEqual([[false, 0]])
  })

  test('the line of the log has nothing of it', async () => {
    const { response } = await world.ask('/v1/chat/completions', chat())
    const id = response.headers.get('x-gateway-request-id')
    const line = await world.gateway.record((each) => each.id === id)
    expect(JSON.stringify(line)).not.toContain('policy-cost')
  })
})

describe('an answer that ends early costs what came of it', () => {
  test('as the stream of the provider broke', async () => {
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat({ stream: true, mock: { fault: 'cut-mid-stream' } }),
    )
    expect(record).toMatchObject({ outcome: 'truncated', estimated: true })
    expectAgreement(record)
    expect(record.cost?.output).toBeGreaterThan(0)
  })

  test('as the client left in the middle of it', async () => {
    const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: headersOf(),
      body: JSON.stringify(chat({ stream: true, mock: { fault: 'hang-mid-stream' } })),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const [record] = await world.recordsOf(response)
    expect(record).toMatchObject({ outcome: 'client_closed', estimated: true })
    if (record === undefined) throw new Error('no record')
    expectAgreement(record)
    expect(record.cost?.total).toBeGreaterThan(0)
  })

  test.each([
    ['with one target', over(target('openai', { fault: 'never-answer' })), 0],
    [
      'with another one before',
      fallback({}, target('mock', { fault: 'overloaded' }), target('openai', { fault: 'never-answer' })),
      1,
    ],
    ['with another one behind', fallback({}, target('openai', { fault: 'never-answer' }), target('mock')), 0],
  ])('as the client left before it began, %s: what was asked', async (_name, headers, place) => {
    const [closed, received] = [world.recorder.closed.length, world.upstream.counters.received]
    const leaving = new AbortController()
    const asked = fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: headersOf(headers),
      signal: leaving.signal,
      body: JSON.stringify(chat()),
    }).catch(() => undefined)
    while (world.upstream.counters.received === received) await Bun.sleep(1)
    leaving.abort()
    await asked
    while (world.recorder.closed.length === closed) await Bun.sleep(1)
    const [record, ...attempts] = world.recorder.closed.at(-1) ?? []
    expect(record).toMatchObject({ status: 499, outcome: 'client_closed', provider: 'openai', estimated: true })
    if (record === undefined) throw new Error('no record')
    expectAgreement(record)
    expect(record.inputTokens).toBeGreaterThan(0)
    expect(record.cost).toMatchObject({ input: 2 * (record.inputTokens ?? 0), output: 0 })
    expect(charged(record, `target-${place}`)).toBe(record.cost?.total ?? -1)
    expect(limits.told[0]?.map(({ wasAsked }) => wasAsked)).toEqual(Array.from({ length: place + 1 }, () => true))
    expect(attempts.map(({ attempts: tries }) => tries)).toEqual(place === 0 ? [] : [1, 1])
  })
})

describe('a call with several targets', () => {
  test('pays each of them', async () => {
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      chat(),
      fallback({ on_status_codes: [200] }, target('openai'), target('mock')),
    )
    expectAgreement(record)
    expect(attempts).toHaveLength(2)
    expect([charged(record, 'target-0'), charged(record, 'target-1')]).toEqual(
      attempts.map(({ cost }) => cost?.total ?? -1),
    )
    expect(charged(record, 'policy-tokens')).toBe(attempts.reduce((sum, { totalTokens = 0 }) => sum + totalTokens, 0))
    expect(charged(record, 'policy-requests')).toBe(1)
    // Those of the call count once.
    for (const attempt of attempts) expect(attempt.charges).toBeUndefined()
  })

  test('one of which failed pays the other', async () => {
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat(),
      fallback({}, target('openai', { fault: 'overloaded' }), target('mock')),
    )
    expectAgreement(record)
    expect(limits.told[0]?.map(({ wasAsked, cost }) => [wasAsked, cost])).toEqual([
      [true, 0],
      [true, record.cost?.total ?? -1],
    ])
  })

  test('pays both parts of a stream that went on elsewhere', async () => {
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      chat({ stream: true }),
      fallback({ stream_recovery: 'continue' }, target('openai', { fault: 'cut-mid-stream', at: 3 }), target('mock')),
    )
    expectAgreement(record)
    expect(record.estimated).toBe(true)
    expect([charged(record, 'target-0'), charged(record, 'target-1')]).toEqual(
      attempts.map(({ cost }) => cost?.total ?? -1),
    )
    expect(Math.min(charged(record, 'target-0'), charged(record, 'target-1'))).toBeGreaterThan(0)
  })

  test('one of which has no known price pays what is known', async () => {
    const unknown = { provider: 'mock', override_params: { model: 'mock-echo' } }
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat(),
      fallback({ on_status_codes: [200] }, target('openai'), unknown),
    )
    expect([record.cost, record.unpriced]).toEqual([undefined, true])
    expect(charged(record, 'target-0')).toBeGreaterThan(0)
    expect(charged(record, 'policy-cost')).toBe(charged(record, 'target-0'))
    expect(charged(record, 'target-1')).toBe(0)
  })
})

describe('an answer from the cache', () => {
  const cached = { cache: { mode: 'simple' } }

  test('is free', async () => {
    const body = chat({ seed: 11 })
    await world.ask('/v1/chat/completions', body, over({ provider: 'openai', ...cached }))
    limits.told.length = 0
    const { record } = await world.ask('/v1/chat/completions', body, over({ provider: 'openai', ...cached }))
    expect(record).toMatchObject({ cacheStatus: 'HIT', cost: { total: 0 } })
    expect(record.charges).toBeUndefined()
    expect(limits.told.flat().map(({ wasAsked, cost, tokens }) => [wasAsked, cost, tokens])).toEqual([[false, 0, 0]])
  })

  test('that was waited for in vain is bought from the target that was admitted', async () => {
    const headers = over({ provider: 'openai', request_timeout: 5_000, ...cached })
    answers = [{ ...jsonPlan(400, { error: { message: 'No.', type: 'invalid_request_error' } }), latencyMs: 100 }]
    const body = chat({ seed: 13 })
    const asked = await Promise.all([1, 2].map(() => world.ask('/v1/chat/completions', body, headers)))
    expect(asked.map(({ record }) => record.status).toSorted()).toEqual([200, 400])
    expect(limits.admitted).toHaveLength(2)
    const spent = limits.told.flat().filter(({ wasAsked }) => wasAsked)
    expect(spent.map(({ target: named }) => limits.admitted.includes(named))).toEqual([true, true])
    expect(Math.max(...spent.map(({ cost }) => cost))).toBeGreaterThan(0)
  })

  test('does not make free what was bought before', async () => {
    const body = chat({ seed: 12 })
    const last = { ...target('mock'), ...cached }
    await world.ask('/v1/chat/completions', body, over({ provider: 'mock', ...cached }))
    limits.told.length = 0
    limits.events.length = 0
    const { record, attempts } = await world.ask(
      '/v1/chat/completions',
      body,
      fallback({ on_status_codes: [200] }, target('openai'), last),
    )
    expect(record.cacheStatus).toBe('HIT')
    expect(attempts.map(({ cost }) => (cost?.total ?? 0) > 0)).toEqual([true, false])
    expectAgreement(record)
    expect(charged(record, 'target-0')).toBe(record.cost?.total ?? -1)
  })
})

describe('what is held back when a provider is asked', () => {
  const opened = () => world.recorder.opened.map(({ provider, held }) => [provider, held?.map(({ amount }) => amount)])

  test('is told once for a call with one target, retries included', async () => {
    holds = [500, 500]
    const retry = { attempts: 1, on_status_codes: [529] }
    await world.ask('/v1/chat/completions', chat(), over({ ...target('openai', { fault: 'overloaded' }), retry }))
    expect(opened()).toEqual([['openai', [500]]])
  })

  test('is told again when a further target needs another amount', async () => {
    holds = [500, 700]
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat(),
      fallback({}, target('openai', { fault: 'overloaded' }), target('mock')),
    )
    expect(opened()).toEqual([
      ['openai', [500]],
      ['mock', [700]],
    ])
    expect(new Set(world.recorder.opened.map(({ id, time }) => `${id} ${time}`))).toEqual(
      new Set([`${record.id} ${record.time}`]),
    )
  })

  test('is not told where nothing is', async () => {
    await world.ask(
      '/v1/chat/completions',
      chat(),
      fallback({}, target('openai', { fault: 'overloaded' }), target('mock')),
    )
    expect(opened()).toEqual([['openai', undefined]])
  })
})
