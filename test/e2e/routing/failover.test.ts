import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chat, type Scene, startScene, to } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterEach(async () => {
  await Promise.all([scene.primary.server.idle(), scene.secondary.server.idle()])
  scene.primary.arrivals()
  scene.secondary.arrivals()
})
afterAll(() => scene.close())

const fallback = (model: string, more: Record<string, unknown> = {}) => ({
  strategy: { mode: 'fallback' },
  targets: [{ ...to('openai', model), ...more }, to('ollama')],
})

describe('a failure that the client does not notice', () => {
  const faults: readonly (readonly [fault: string, streamed: boolean | 'both'])[] = [
    ['status=500', 'both'],
    ['overloaded', 'both'],
    ['rate-limited', 'both'],
    ['spend-cap', 'both'],
    ['html-error', 'both'],
    ['redirect', 'both'],
    ['error-in-200', 'both'],
    ['not-json', false],
    ['empty-body', 'both'],
    ['reset-before-head', 'both'],
    ['not-http', 'both'],
    ['wrong-content-type', true],
    ['first-event-error', true],
    ['cut-mid-stream,at=0', true],
    ['cut-connection,at=0', 'both'],
  ]
  const cases = faults.flatMap(([fault, streamed]) =>
    [false, true]
      .filter((stream) => streamed === 'both' || streamed === stream)
      .map((stream) => [fault, stream] as const),
  )

  test.each(cases)('%s (stream: %p)', async (fault, stream) => {
    const model = `mock:${fault.includes('=') && fault.startsWith('status') ? fault : `fault=${fault}`}`
    const reply = await chat(scene, fallback(model), { stream })
    expect([reply.status, reply.target, reply.headers.get('x-gateway-provider')]).toEqual([
      200,
      'config.targets[1]',
      'ollama',
    ])
    expect(reply.text).toContain(stream ? 'data: [DONE]' : '"finish_reason":"stop"')
    expect(reply.text).not.toContain('"error"')
    expect([scene.primary.arrivals(), scene.secondary.arrivals()]).toEqual([1, 1])
    expect(reply.record).toMatchObject({
      outcome: 'completed',
      status: 200,
      provider: 'ollama',
      attempts: [
        { path: 'config.targets[0]', provider: 'openai', model },
        { path: 'config.targets[1]', provider: 'ollama', model: 'mock', status: 200 },
      ],
    })
    expect(JSON.stringify(reply.record.attempts)).toMatch(/"status":(?:[345]\d\d),"error":"[a-z_]+"/)
  })

  test('silence: by the time-out of the target', async () => {
    const reply = await chat(scene, fallback('mock:fault=never-answer', { request_timeout: 100 }))
    expect([reply.status, reply.target]).toEqual([200, 'config.targets[1]'])
    expect(reply.record).toMatchObject({ attempts: [{ status: 408, error: 'request_timeout' }, { status: 200 }] })
  })

  test('a port where nobody listens', async () => {
    const nowhere = { provider: 'openai', api_key: 'sk-any-0123456789', custom_host: 'http://127.0.0.1:1/v1' }
    const reply = await chat(scene, { strategy: { mode: 'fallback' }, targets: [nowhere, to('ollama')] })
    expect([reply.status, reply.target]).toEqual([200, 'config.targets[1]'])
  })
})

describe('retries', () => {
  const retrying = (model: string, retry: Record<string, unknown>) => ({ ...to('openai', model), retry })

  test('are counted, and every attempt is in the record', async () => {
    const model = 'mock:fault=overloaded,times=2,key=counted'
    const reply = await chat(scene, retrying(model, { attempts: 3 }))
    expect([reply.status, reply.headers.get('x-gateway-retry-attempt-count')]).toEqual([200, '2'])
    expect(scene.primary.arrivals()).toBe(3)
    expect(reply.record.attempts).toMatchObject([{ status: 529 }, { status: 529 }, { status: 200 }])
    expect(reply.record).toMatchObject({ usage: { output_tokens: expect.any(Number) } })
  })

  test('that all fail end with the last answer', async () => {
    const reply = await chat(scene, retrying('mock:fault=overloaded', { attempts: 2 }))
    expect([reply.status, reply.headers.get('x-gateway-retry-attempt-count')]).toEqual([529, '-1'])
    expect(scene.primary.arrivals()).toBe(3)
    expect(reply.record.usage).toBeUndefined()
  })

  test('send the same request each time', async () => {
    await chat(scene, retrying('mock:fault=reset-before-head', { attempts: 2 }), { seed: 7, temperature: 0.5 })
    const bodies = scene.primary.server.requests.slice(-3).map(({ body }) => new TextDecoder().decode(body))
    expect(bodies[0]).toContain('"seed":7')
    expect(bodies).toEqual([bodies[0] ?? '', bodies[0] ?? '', bodies[0] ?? ''])
  })

  test.each([
    ['retry-after-ms', 250],
    ['rate-limited', 1_000],
  ])('wait for as long as a 429 asks: %s', async (fault, askedMs) => {
    const retry = { attempts: 1, use_retry_after_header: true }
    const reply = await chat(scene, retrying(`mock:fault=${fault},times=1,key=${fault}`, retry))
    expect([reply.status, reply.headers.get('x-gateway-retry-attempt-count')]).toEqual([200, '1'])
    const [first, second] = scene.primary.server.requests.slice(-2)
    const gapMs = (second?.arrivedMs ?? 0) - (first?.arrivedMs ?? 0)
    expect(gapMs).toBeGreaterThan(askedMs - 20)
    expect(gapMs).toBeLessThan(askedMs + 3_000)
  })

  test('wait until the date that a 429 names', async () => {
    const date = encodeURIComponent(new Date(Date.now() + 2_000).toUTCString())
    const retry = { attempts: 1, use_retry_after_header: true }
    const reply = await chat(scene, retrying(`mock:status=429,retry-after=${date},times=1,key=${date}`, retry))
    expect([reply.status, scene.primary.arrivals()]).toEqual([200, 2])
    const [first, second] = scene.primary.server.requests.slice(-2)
    // Dates have whole seconds, so up to one of the two is lost.
    expect((second?.arrivedMs ?? 0) - (first?.arrivedMs ?? 0)).toBeGreaterThan(500)
  })

  test.each(['retry-after-huge'])('do not begin to wait for what is too long: %s', async (fault) => {
    const retry = { attempts: 3, use_retry_after_header: true }
    const reply = await chat(scene, retrying(`mock:fault=${fault}`, retry))
    expect([reply.status, scene.primary.arrivals(), reply.headers.get('retry-after')]).toEqual([429, 1, '86400'])
  })

  test.each(['retry-after-past', 'retry-after-malformed'])('back off as without a hint: %s', async (fault) => {
    const retry = { attempts: 2, use_retry_after_header: true }
    const reply = await chat(scene, retrying(`mock:fault=${fault}`, retry))
    expect([reply.status, scene.primary.arrivals()]).toEqual([429, 3])
  })

  test('by the older header', async () => {
    const { gateway, primary } = scene
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'x-gateway-api-key': 'test-workspace-key-0123456789abcdef',
        'x-gateway-provider': 'openai',
        'x-gateway-retry-count': '2',
      },
      body: JSON.stringify({ model: 'mock:fault=overloaded', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.text()
    expect([response.status, response.headers.get('x-gateway-retry-attempt-count')]).toEqual([529, '-1'])
    expect(primary.arrivals()).toBe(3)
  })

  test('stop when the client leaves, also in the middle of a wait', async () => {
    const leaving = new AbortController()
    const retry = { attempts: 5, use_retry_after_header: true }
    const config = retrying('mock:status=429,retry-after=30', retry)
    const reply = chat(scene, config, {}, leaving.signal).catch((thrown: unknown) => thrown)
    while (scene.primary.arrivals() === 0) await Bun.sleep(5)
    await scene.primary.server.idle()
    // The answer is on its way to the gateway; whether it waits already makes no difference to what must be seen.
    await Bun.sleep(50)
    const before = scene.primary.server.counters.received
    scene.gateway.records.length = 0
    leaving.abort()
    expect(await reply).toBeInstanceOf(DOMException)
    const record = await scene.gateway.record(({ outcome }) => outcome === 'client_closed')
    expect(record).toMatchObject({ status: 499, error: { code: 'client_closed' } })
    expect(scene.primary.server.counters.received).toBe(before)
    expect(scene.gateway.gateway.calls.running).toBe(0)
  })
})

describe('the time of a call', () => {
  test('bounds all its attempts together', async () => {
    const bounded = await startScene({ deadlines: { totalMs: 1_000 } })
    try {
      const slow = (provider: 'openai' | 'ollama') => ({ ...to(provider, 'mock:latency=700,status=500') })
      const reply = await chat(bounded, { strategy: { mode: 'fallback' }, targets: [slow('openai'), slow('ollama')] })
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([504, 'total_timeout'])
      // Alone either of them would have been in time with its 500.
      expect([bounded.primary.arrivals(), bounded.secondary.arrivals()]).toEqual([1, 1])
    } finally {
      await bounded.close()
    }
  })
})
