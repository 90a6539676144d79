import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FaultName, MOCK_FAULTS } from '../../../plugins/providers/mock/faults.ts'
import type { RawAnswer } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { dataOf, text } from '../../../plugins/providers/mock/test-support/stream.ts'
import { type Expectation, FAULT_TABLE } from './support/fault-expectations.ts'
import { chat, type Probe, startProbe } from './support/probe.ts'
import { expectNothingInternal } from './support/wire.ts'

/** Longest a call may take under any fault: every deadline of the gateway here is below a second. */
const DEADLINE_MS = 6_000

let probe: Probe
beforeAll(async () => {
  probe = await startProbe({
    config: { deadlines: { connectMs: 500, firstByteMs: 600, idleMs: 600, totalMs: 5_000 } },
  })
})
afterAll(() => probe.close())

type Mode = 'stream' | 'plain'
const cases = Object.entries(MOCK_FAULTS).flatMap(([name, { scope }]) =>
  (scope === 'stream' ? (['stream'] as const) : (['stream', 'plain'] as const)).map((mode): [FaultName, Mode] => [
    name as FaultName,
    mode,
  ]),
)

describe('every fault of a provider ends as documented, in time, with one record', () => {
  test.each(cases)('%s (%s)', async (fault, mode) => {
    const row = FAULT_TABLE[fault]
    const expectations = row[mode] ?? []
    expect(expectations.length).toBeGreaterThan(0)
    const startMs = performance.now()
    const answer = await probe.call(chat({ fault, ...row.mock }, { stream: mode === 'stream' }))
    expect(performance.now() - startMs).toBeLessThan(DEADLINE_MS)
    const record = await probe.recordOf(answer)
    const id = answer.headers.get('x-gateway-request-id')
    expect(probe.gateway.records.filter((each) => each.id === id)).toHaveLength(1)
    expect(expectations).toContainEqual(outcomeOf(answer, record, mode))
    if (answer.status !== 200) expectNothingInternal(text(answer))
    for (const [name, value] of Object.entries(row.headers ?? {})) {
      expect([name, answer.headers.get(name)]).toEqual([name, value ?? undefined])
    }
    // A stream that is whole has its usage in the log even though the client did not ask for it.
    if (mode === 'stream' && record.outcome === 'completed' && row.usage !== false) {
      expect(record.usage).toBeDefined()
    }
  })

  test('no call is left behind', async () => {
    await probe.gateway.gateway.calls.idle()
    await probe.upstream.idle()
    expect(probe.upstream.counters.open).toBe(0)
  })
})

/** What the client and the log saw, in the words of the table. */
const outcomeOf = (answer: RawAnswer, record: Readonly<Record<string, unknown>>, mode: Mode): Expectation => {
  const error = record.error as { readonly code: string } | undefined
  const logged = { outcome: record.outcome, status: record.status, code: error?.code } as Expectation['logged']
  if (answer.status !== 200) {
    const body = JSON.parse(text(answer))
    return { kind: 'error', status: answer.status, wire: body.error.code, logged }
  }
  if (mode === 'plain') return { kind: 'whole', status: 200, wire: null, logged }
  expect(answer.terminated).toBe(true)
  expect(answer.headers.get('content-type')).toStartWith('text/event-stream')
  const data = dataOf(answer).filter((item) => item.trim() !== '')
  const last = data.at(-1) ?? ''
  if (last === '[DONE]') return { kind: 'whole', status: 200, wire: null, logged }
  // Never a silent end: without the terminator there is an error, and then no terminator anywhere.
  expect(data).not.toContain('[DONE]')
  return { kind: 'in-band', status: 200, wire: JSON.parse(last).error.code, logged }
}
