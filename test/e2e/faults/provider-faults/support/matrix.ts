import { afterEach, describe, expect, test } from 'bun:test'
import type { Fault, FaultTable } from '../../../../support/fault-server/faults.ts'
import { WIRES, type Wire } from '../../../../support/fault-server/wires.ts'
import { eventually } from '../../support/wire.ts'
import { expectBroken, expectWhole } from './client.ts'
import { ask, expectedBody, type Reply, type Scene } from './scene.ts'

/** Longest a call may take: the deadlines of one provider, and room for a busy machine. */
const DEADLINE_MS = 6_000

/** A server is given new connections until it has left one alone for 50 ms: as many as there are quick calls in that time. */
const MAX_WAITING = 32

/** Every fault in each format, alone and with a healthy fallback of the other format. */
export const describeMatrix = (stream: boolean, faults: FaultTable, scene: () => Scene): void => {
  // One call after the other: what is open besides the few connections that wait for the next call was forgotten.
  afterEach(async () => {
    const { primary, secondary } = scene()
    await eventually(
      () => primary.open <= MAX_WAITING && secondary.open <= MAX_WAITING,
      'connections of calls that have ended are closed',
    )
  })
  for (const wire of WIRES) {
    const other = WIRES.find((each) => each !== wire)
    describe(`${wire.provider}, ${stream ? 'streamed' : 'in one piece'}`, () => {
      test.each(Object.entries(faults))('%s: alone', async (_name, fault) => {
        const reply = await inTime(ask(scene(), { fault, wire, stream }))
        expectAlone(reply, fault, wire, stream)
        expectSeen(reply, fault, wire, stream)
        expect(reply.secondary).toEqual([])
      })
      test.each(Object.entries(faults))('%s: with a fallback', async (_name, fault) => {
        if (other === undefined) throw new Error('there is only one format')
        const strategy = { stream_recovery: 'error' }
        const reply = await inTime(ask(scene(), { fault, wire, stream, fallback: other, strategy }))
        expectSeen(reply, fault, wire, stream)
        if (!failsOver(fault)) {
          expectAlone(reply, fault, wire, stream)
          expect(reply.secondary).toEqual([])
          return
        }
        expectWhole(reply, stream)
        expect(reply.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[1]')
        expect(reply.secondary.map(({ body }) => body)).toEqual([expectedBody(other, stream)])
        expect(reply.record).toMatchObject({ outcome: 'completed', provider: other.provider, model: other.model })
        expect(reply.record.attempts).toMatchObject([
          { provider: wire.provider, ...reported(fault, wire) },
          { status: 200 },
        ])
        // Only what the client got is on the bill.
        expect(reply.record.usage).toMatchObject({ input_tokens: 7, output_tokens: 4 })
      })
    })
  }
}

const failsOver = ({ outcome }: Fault): boolean => outcome.kind === 'fails' && outcome.refused === undefined

const statusOf = ({ outcome, statusAt }: Fault, { provider }: Wire): number =>
  outcome.kind === 'fails' ? (statusAt?.[provider] ?? outcome.status) : 200

const reported = (fault: Fault, wire: Wire): Record<string, unknown> =>
  fault.outcome.kind === 'fails' ? { status: statusOf(fault, wire), error: fault.outcome.code } : {}

const inTime = async (reply: Promise<Reply>): Promise<Reply> => {
  const startMs = performance.now()
  const settled = await reply
  expect(performance.now() - startMs).toBeLessThan(DEADLINE_MS)
  return settled
}

/** What the client and the log see of a fault that nobody makes up for. */
const expectAlone = (reply: Reply, fault: Fault, wire: Wire, stream: boolean): void => {
  const { outcome } = fault
  const { record, status, text } = reply
  switch (outcome.kind) {
    case 'whole':
      expectWhole(reply, stream)
      expect(record).toMatchObject({ outcome: 'completed', status: 200 })
      return
    case 'breaks':
      expectBroken(reply)
      expect(record).toMatchObject({ outcome: 'truncated', error: { code: outcome.code } })
      return
    case 'fails':
      expect(status).toBe(statusOf(fault, wire))
      expect(JSON.parse(text).error.message).toBeString()
      expect(record).toMatchObject({ outcome: 'failed', status, error: { code: outcome.code } })
  }
}

/** The primary is asked once, with the right body, unless nobody listens. */
const expectSeen = ({ primary }: Reply, { refuses }: Fault, wire: Wire, stream: boolean): void =>
  expect(primary.map(({ body }) => body)).toEqual(refuses === true ? [] : [expectedBody(wire, stream)])
