import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { delta, gate, streamPlan } from './support/gated.ts'
import { chat, type Probe, startProbe } from './support/probe.ts'
import { eventually, openCall, openWire, requestHead } from './support/wire.ts'

/** Longest from the client's end to the upstream's. */
const ABORT_WITHIN_MS = 1_000

let probe: Probe
let arrived = gate()
let flood = false
beforeAll(async () => {
  probe = await startProbe({
    upstream: {
      onRequest: () => arrived.open(),
      answer: () => (flood ? streamPlan(endless()) : undefined),
    },
  })
})
afterAll(() => probe.close())

function* endless(): Generator<string> {
  const event = delta('x'.repeat(16 * 1024))
  for (;;) yield event
}

/** The upstream of the one running call is given up in time, and its record says that the client left. */
const expectAborted = async (leave: () => void): Promise<void> => {
  const { counters } = probe.upstream
  const before = { aborted: counters.aborted, records: probe.gateway.records.length }
  expect(counters.open).toBe(1)
  leave()
  await eventually(() => counters.aborted === before.aborted + 1, 'the upstream call is aborted', ABORT_WITHIN_MS)
  await eventually(() => probe.gateway.records.length > before.records, 'the call is logged')
  const written = probe.gateway.records.slice(before.records)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatchObject({ outcome: 'client_closed', status: 499, error: { code: 'client_closed' } })
  expect(probe.gateway.gateway.calls.running).toBe(0)
}

describe('a client that leaves takes its upstream call along', () => {
  test.each([true, false])('before the provider sent a byte (stream: %p)', async (stream) => {
    arrived = gate()
    const client = await openCall(probe.port, chat({ fault: 'never-answer' }, { stream }))
    await arrived.opened
    await expectAborted(client.leave)
  })

  test('after the head and before the first event', async () => {
    arrived = gate()
    const client = await openCall(probe.port, chat({ fault: 'hang-mid-stream', at: 0 }, { stream: true }))
    await arrived.opened
    await expectAborted(client.leave)
  })

  test('in the middle of a stream', async () => {
    const client = await openCall(probe.port, chat({ tokens: 100_000, intervalMs: 5 }, { stream: true }))
    await client.until((received) => received.split('data: ').length > 5)
    await expectAborted(client.leave)
  })

  test('in the middle of a stream that has fallen silent', async () => {
    const client = await openCall(probe.port, chat({ fault: 'hang-mid-stream' }, { stream: true }))
    await client.until((received) => received.includes('data: '))
    await expectAborted(client.leave)
  })

  test('in the middle of a plain answer', async () => {
    arrived = gate()
    const client = await openCall(probe.port, chat({ fault: 'hang-mid-stream' }))
    await arrived.opened
    await expectAborted(client.leave)
  })

  test('after it had stopped reading', async () => {
    flood = true
    const client = await openCall(probe.port, chat({}, { stream: true }))
    await client.until((received) => received.includes('data: '))
    client.socket.pause()
    await Bun.sleep(100)
    await expectAborted(client.leave)
    flood = false
  })

  test('with a goodbye instead of a reset', async () => {
    const client = await openCall(probe.port, chat({ fault: 'hang-mid-stream' }, { stream: true }))
    await client.until((received) => received.includes('data: '))
    await expectAborted(() => client.socket.end())
    client.leave()
  })
})

test('a client that leaves inside its own request body never reaches the provider', async () => {
  const before = probe.upstream.counters.received
  const records = probe.gateway.records.length
  const client = await openWire(probe.port)
  client.write(`${requestHead({ 'content-length': '1000' })}\r\n\r\n{"model":`)
  await eventually(() => probe.gateway.gateway.calls.running === 1, 'the call runs')
  client.leave()
  await eventually(() => probe.gateway.gateway.calls.running === 0, 'the call ends')
  expect(probe.upstream.counters.received).toBe(before)
  expect(probe.gateway.records.slice(records)).toHaveLength(1)
  expect(probe.gateway.records.at(-1)).toMatchObject({ outcome: 'client_closed', status: 499 })
})

test('fifty clients that leave at once leave nothing behind', async () => {
  const { counters } = probe.upstream
  const before = { aborted: counters.aborted, records: probe.gateway.records.length }
  const clients = await Promise.all(
    Array.from({ length: 50 }, () => openCall(probe.port, chat({ tokens: 10_000, intervalMs: 20 }, { stream: true }))),
  )
  await Promise.all(clients.map((client) => client.until((received) => received.includes('data: '))))
  for (const client of clients) client.leave()
  await eventually(() => counters.open === 0, 'no upstream call is open', 3 * ABORT_WITHIN_MS)
  expect(counters.aborted - before.aborted).toBe(50)
  await eventually(() => probe.gateway.records.length === before.records + 50, 'every call is logged')
  expect(new Set(probe.gateway.records.slice(before.records).map(({ outcome }) => outcome))).toEqual(
    new Set(['client_closed']),
  )
})
