import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { type ChildGateway, configFor, startChildGateway } from './support/child.ts'
import { delta, ENDING, gate, streamPlan } from './support/gated.ts'
import { chat } from './support/probe.ts'
import { eventually, openCall, openWire, type Wire } from './support/wire.ts'

let upstream: MockServer
let child: ChildGateway
let finishStreams = gate()

beforeAll(async () => {
  upstream = await startMockServer({
    answer: () =>
      streamPlan(
        (async function* () {
          const { opened } = finishStreams
          yield delta('begun')
          await opened
          yield* ENDING
        })(),
      ),
  })
})
afterAll(() => upstream.close())
beforeEach(() => {
  finishStreams = gate()
})
afterEach(() => child.close())

const startWith = async (server: { drainDelayMs: number; drainTimeoutMs: number }): Promise<void> => {
  child = await startChildGateway({ config: configFor(upstream.url, { server }) })
}

const openStream = async (): Promise<Wire> => {
  const stream = await openCall(child.port, chat({}, { stream: true }), {
    'x-gateway-api-key': child.apiKey,
    'x-gateway-provider': 'openai',
  })
  await stream.until((received) => received.includes('begun'))
  return stream
}

const readyz = async (): Promise<{ status: number; body: Record<string, unknown> } | undefined> => {
  try {
    const response = await fetch(`http://127.0.0.1:${child.port}/readyz`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}

/** Polls until the gateway refuses connections. */
const untilClosed = async (): Promise<void> => {
  for (;;) {
    const wire = await openWire(child.port).catch(() => undefined)
    if (wire === undefined) return
    wire.leave()
    await Bun.sleep(10)
  }
}

describe('after SIGTERM', () => {
  test('the gateway says so, takes no new calls, finishes the running ones and exits with 0', async () => {
    await startWith({ drainDelayMs: 1_500, drainTimeoutMs: 20_000 })
    const stream = await openStream()
    expect((await readyz())?.status).toBe(200)
    child.kill('SIGTERM')
    let last = await readyz()
    while (last?.status === 200) last = await readyz()
    expect(last).toMatchObject({ status: 503, body: { ready: false, draining: true } })
    // Not ready, but until the balancer has noticed it still serves.
    const late = await openStream()
    await untilClosed()
    expect(child.errors).toContain('"message":"stopping"')
    finishStreams.open()
    for (const each of [stream, late]) await each.until((received) => received.includes('data: [DONE]'))
    expect(await child.exited).toBe(0)
    await eventually(() => child.output.includes('"type":"call"'), 'the call is logged')
    const outcomes = child.output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).outcome]))
    expect(outcomes).toEqual(['completed', 'completed'])
  }, 60_000)

  test('a stream that outlives the limit ends with an error of its own', async () => {
    await startWith({ drainDelayMs: 0, drainTimeoutMs: 400 })
    const stream = await openStream()
    child.kill('SIGTERM')
    await stream.until((received) => received.includes('"code":"shutting_down"'))
    expect(stream.received).not.toContain('[DONE]')
    expect(stream.received).toEndWith('\r\n0\r\n\r\n')
    expect(await child.exited).toBe(0)
    await eventually(() => child.output.includes('"type":"call"'), 'the call is logged')
    expect(JSON.parse(child.output)).toMatchObject({ outcome: 'truncated', error: { code: 'shutting_down' } })
    expect(upstream.counters.open).toBe(0)
  }, 60_000)

  test('a second signal ends the process at once', async () => {
    await startWith({ drainDelayMs: 0, drainTimeoutMs: 60_000 })
    const stream = await openStream()
    child.kill('SIGTERM')
    await untilClosed()
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(1)
    expect(performance.now() - startMs).toBeLessThan(5_000)
    await stream.closed()
  }, 60_000)
})
