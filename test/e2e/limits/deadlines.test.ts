import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import type { RawAnswer } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { text } from '../../../plugins/providers/mock/test-support/stream.ts'
import { type BlackHole, startBlackHole } from '../faults/support/black-hole.ts'
import { chat, type Probe, providerAt, startProbe } from '../faults/support/probe.ts'

/** Each deadline is far from the others, so that the one that strikes is known by its code and by its time. */
const DEADLINES = { connectMs: 400, firstByteMs: 800, idleMs: 600, totalMs: 2_000 }
/** A timer of a busy machine may be late, never early. */
const LATE_MS = 3_000

let probe: Probe
let hole: BlackHole
beforeAll(async () => {
  hole = await startBlackHole()
  probe = await startProbe({
    config: { deadlines: DEADLINES, plugins: ['hole'] },
    plugins: [providerAt(`http://127.0.0.1:${hole.port}/v1`, 'hole')],
  })
})
afterAll(async () => {
  await probe.close()
  await hole.close()
})

const errorOf = (answer: RawAnswer): { code: string | null; message: string } => JSON.parse(text(answer)).error

/** The call, its answer and how long it took. */
const timed = async (body: unknown, headers: Record<string, string> = {}) => {
  const startMs = performance.now()
  const answer = await probe.call(body, { headers })
  return { answer, tookMs: performance.now() - startMs }
}
const expectAbout = (tookMs: number, deadlineMs: number): void => {
  expect(tookMs).toBeGreaterThan(deadlineMs - 20)
  expect(tookMs).toBeLessThan(deadlineMs + LATE_MS)
}

describe('each wait has its own deadline', () => {
  test('until the connection stands: 503', async () => {
    const { answer, tookMs } = await timed(chat(), { 'x-gateway-provider': 'hole' })
    expect([answer.status, errorOf(answer).code]).toEqual([503, 'connect_timeout'])
    expectAbout(tookMs, DEADLINES.connectMs)
    expect(await probe.recordOf(answer)).toMatchObject({ outcome: 'failed', status: 503 })
  })

  test('a refused connection is told at once: 502', async () => {
    const refusing = createServer()
    const port = await listen(refusing)
    await new Promise((resolve) => refusing.close(resolve))
    const { answer, tookMs } = await timed(chat(), { 'x-gateway-custom-host': `http://127.0.0.1:${port}/v1` })
    expect([answer.status, errorOf(answer).code]).toEqual([502, 'upstream_unreachable'])
    expect(tookMs).toBeLessThan(LATE_MS)
  })

  test.each([true, false])('until the first byte: 504 (stream: %p)', async (stream) => {
    const { answer, tookMs } = await timed(chat({ fault: 'never-answer' }, { stream }))
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'first_byte_timeout'])
    expectAbout(tookMs, DEADLINES.firstByteMs)
  })

  test('between two pieces of a plain answer: 504', async () => {
    const { answer, tookMs } = await timed(chat({ fault: 'hang-mid-stream' }))
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'idle_timeout'])
    expectAbout(tookMs, DEADLINES.idleMs)
  })

  test('between two pieces of a stream: an error event', async () => {
    const { answer, tookMs } = await timed(chat({ fault: 'hang-mid-stream' }, { stream: true }))
    expect(answer.status).toBe(200)
    expect(text(answer)).toContain('"code":"idle_timeout"')
    expectAbout(tookMs, DEADLINES.idleMs)
  })

  test('for the whole of a stream that never falls silent: an error event', async () => {
    const { answer, tookMs } = await timed(chat({ tokens: 100_000, intervalMs: 50 }, { stream: true }))
    expect(answer.status).toBe(200)
    expect(text(answer)).toContain('"code":"total_timeout"')
    expect(text(answer)).not.toContain('[DONE]')
    expectAbout(tookMs, DEADLINES.totalMs)
    expect(await probe.recordOf(answer)).toMatchObject({ outcome: 'truncated', error: { code: 'total_timeout' } })
  })

  test('for the whole of a plain answer that dribbles: 504', async () => {
    const { answer, tookMs } = await timed(chat({ tokens: 50, chunkBytes: 1, intervalMs: 50 }))
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'total_timeout'])
    expectAbout(tookMs, DEADLINES.totalMs)
  })
})

describe('the time-out that a call asks for', () => {
  test.each([
    ['a header', { 'x-gateway-request-timeout': '200' }],
    ['a config', { 'x-gateway-config': JSON.stringify({ provider: 'probe', request_timeout: 200 }) }],
    [
      'a header over a config',
      {
        'x-gateway-request-timeout': '200',
        'x-gateway-config': JSON.stringify({ provider: 'probe', request_timeout: 600_000 }),
      },
    ],
  ])('comes from %s: 408', async (_place, headers) => {
    const { answer, tookMs } = await timed(chat({ fault: 'never-answer' }), headers)
    expect(answer.status).toBe(408)
    expect(JSON.parse(text(answer)).error).toMatchObject({ type: 'timeout_error', code: null })
    expectAbout(tookMs, 200)
    expect(await probe.recordOf(answer)).toMatchObject({ status: 408, error: { code: 'request_timeout' } })
  })

  test('does not cut an answer that has begun', async () => {
    const { answer } = await timed(chat({ tokens: 10, intervalMs: 40 }, { stream: true }), {
      'x-gateway-request-timeout': '200',
    })
    expect(text(answer)).toEndWith('data: [DONE]\n\n')
  })

  test.each(['0', '-1', '1.5', 'soon', '1e3', ''])('is refused when it is %p', async (value) => {
    const { answer } = await timed(chat(), { 'x-gateway-request-timeout': value })
    expect([answer.status, errorOf(answer).code]).toEqual([400, 'invalid_header'])
  })
})

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
