import { describe, expect, test } from 'bun:test'
import type { Settlement } from '../ring/ring-store.ts'
import { chargeOf, settlementOf } from '../test-support/limit-world.ts'
import { createManualTime } from '../test-support/manual-time.ts'
import { CONNECTION_LOST, NOT_CONNECTED } from '../test-support/scripted-store.ts'
import { createSettlementQueue } from './settlement-queue.ts'

const created = (maximumWaiting = 10_000) => {
  const time = createManualTime()
  const sent: (readonly Settlement[])[] = []
  const store: { error: Error | undefined } = { error: undefined }
  const queue = createSettlementQueue({
    send: async (settlements) => {
      sent.push(settlements)
      if (store.error !== undefined) throw store.error
    },
    timers: time.timers,
    maximumWaiting,
  })
  const deltas = (): number[] => sent.flatMap((each) => each.map(({ delta }) => delta))
  return { time, queue, sent, store, deltas }
}

const refund = (weight = 1, workspaceId = 'workspace'): Settlement =>
  settlementOf(chargeOf({ workspaceId }), 1, -weight)
const debt = (weight = 1): Settlement => settlementOf(chargeOf(), 1, weight)

describe('sending', () => {
  test('gathers for 5 ms, and sends one call for each workspace', async () => {
    const { time, queue, sent } = created()
    queue.add(refund(1, 'a'))
    queue.add(refund(2, 'b'))
    queue.add(refund(3, 'a'))
    await time.advance(4)
    expect(sent).toEqual([])
    await time.advance(1)
    expect(sent).toEqual([[refund(1, 'a'), refund(3, 'a')], [refund(2, 'b')]])
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
  test('a refund that may have been sent is not sent again; a debt is, until the store has it', async () => {
    const { time, queue, store, deltas } = created()
    store.error = CONNECTION_LOST
    queue.add(refund(1))
    queue.add(debt(2))
    await time.advance(5)
    await time.advance(500)
    expect(deltas()).toEqual([2, -1, 2])
    store.error = undefined
    await time.advance(500)
    expect(deltas()).toEqual([2, -1, 2, 2])
    await time.advance(10_000)
    expect(deltas()).toHaveLength(4)
    expect(queue.dropped).toBe(1)
  })

  test('a refund that was certainly not sent is sent again', async () => {
    const { time, queue, store, deltas } = created()
    store.error = NOT_CONNECTED
    queue.add(refund(1))
    await time.advance(5)
    store.error = undefined
    await time.advance(500)
    expect(deltas()).toEqual([-1, -1])
    expect(queue.dropped).toBe(0)
  })

  test('a debt is not sent for ever', async () => {
    const { time, queue, store, sent } = created()
    store.error = CONNECTION_LOST
    queue.add(debt())
    await time.advance(60_000)
    expect(sent).toHaveLength(20)
    expect(queue.size).toBe(0)
    expect(queue.dropped).toBe(1)
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

  test('the oldest refund makes room, and a debt only when there is no refund', async () => {
    const { time, queue, deltas } = created(3)
    queue.pause()
    queue.add(debt(9))
    for (const weight of [1, 2, 3]) queue.add(refund(weight))
    queue.add(debt(8))
    queue.add(debt(7))
    queue.add(debt(6))
    expect(queue.dropped).toBe(4)
    queue.resume()
    await time.advance(0)
    expect(deltas()).toEqual([8, 7, 6])
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
    const { time, queue, store, deltas } = created()
    store.error = CONNECTION_LOST
    queue.add(debt())
    await queue.close()
    await time.advance(10_000)
    expect(deltas()).toEqual([1])
    expect(queue.size).toBe(1)
  })
})
