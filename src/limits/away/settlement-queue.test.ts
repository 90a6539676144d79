import { describe, expect, test } from 'bun:test'
import type { Settlement } from '../ring/ring-store.ts'
import { chargeOf, settlementOf } from '../test-support/limit-world.ts'
import { createManualTime } from '../test-support/manual-time.ts'
import { CONNECTION_LOST } from '../test-support/scripted-store.ts'
import { createSettlementQueue } from './settlement-queue.ts'

const created = (maximumWaiting = 10_000) => {
  const time = createManualTime()
  const sent: (readonly Settlement[])[] = []
  const debts: Settlement[] = []
  const store: { error: Error | undefined } = { error: undefined }
  const queue = createSettlementQueue({
    send: async (settlements) => {
      sent.push(settlements)
      if (store.error !== undefined) throw store.error
    },
    onDebt: (settlement) => void debts.push(settlement),
    timers: time.timers,
    maximumWaiting,
  })
  const deltas = (): number[] => sent.flatMap((each) => each.map(({ delta }) => delta))
  return { time, queue, sent, debts, store, deltas }
}

const refund = (weight = 1, workspaceId = 'workspace'): Settlement =>
  settlementOf(chargeOf({ workspaceId }), 1, -weight)
const debt = (weight = 1): Settlement => settlementOf(chargeOf(), 1, weight)

describe('sending', () => {
  test('gathers for 5 ms', async () => {
    const { time, queue, sent } = created()
    queue.add(refund(1, 'a'))
    queue.add(refund(2, 'b'))
    queue.add(refund(3, 'a'))
    await time.advance(4)
    expect(sent).toEqual([])
    await time.advance(1)
    expect(sent).toEqual([[refund(1, 'a'), refund(2, 'b'), refund(3, 'a')]])
  })

  test('64 do not wait', async () => {
    const { time, queue, sent } = created()
    for (let count = 0; count < 63; count += 1) queue.add(refund())
    await time.settle()
    expect(sent).toEqual([])
    queue.add(refund())
    await time.settle()
    expect(sent.map(({ length }) => length)).toEqual([64])
    expect(queue.size).toBe(0)
  })

  test('what comes while it sends goes out too', async () => {
    const { time, queue, deltas } = created()
    queue.add(refund(1))
    const advanced = time.advance(5)
    for (let count = 2; count <= 40; count += 1) {
      await Promise.resolve()
      queue.add(refund(count))
    }
    await advanced
    await time.advance(5)
    expect(deltas()).toHaveLength(40)
  })
})

describe('failures', () => {
  test('nothing is sent twice: a refund is lost, a debt is counted by the process', async () => {
    const { time, queue, store, debts, deltas } = created()
    store.error = CONNECTION_LOST
    queue.add(refund(1))
    queue.add(debt(2))
    await time.advance(60_000)
    expect(deltas()).toEqual([-1, 2])
    expect([debts, queue.dropped, queue.size]).toEqual([[debt(2)], 1, 0])
  })
})

describe('while the store is away', () => {
  test('everything waits, and goes out afterwards in batches', async () => {
    const { time, queue, sent } = created()
    queue.add(refund())
    queue.pause()
    for (let count = 0; count < 199; count += 1) queue.add(refund())
    await time.advance(60_000)
    expect(sent).toEqual([])
    queue.resume()
    await time.advance(0)
    expect(sent.map(({ length }) => length)).toEqual([64, 64, 64, 8])
  })

  test('the oldest makes room', async () => {
    const { time, queue, debts, deltas } = created(3)
    queue.pause()
    queue.add(debt(9))
    for (const weight of [1, 2, 3, 4]) queue.add(refund(weight))
    expect([debts, queue.dropped]).toEqual([[debt(9)], 1])
    queue.resume()
    await time.advance(0)
    expect(deltas()).toEqual([-2, -3, -4])
  })
})

describe('close', () => {
  test('sends what waits, even when paused', async () => {
    const { queue, deltas } = created()
    queue.pause()
    queue.add(refund())
    await queue.close()
    expect(deltas()).toEqual([-1])
  })

  test('does not try a second time', async () => {
    const { time, queue, store, debts, deltas } = created()
    store.error = CONNECTION_LOST
    queue.add(debt())
    await queue.close()
    await time.advance(10_000)
    expect([deltas(), debts]).toEqual([[1], [debt()]])
  })
})
