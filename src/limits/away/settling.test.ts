import { describe, expect, test } from 'bun:test'
import {
  callIntoSilence,
  chargeOf,
  createLimitWorld,
  type LimitWorld,
  settlementOf,
} from '../test-support/limit-world.ts'
import { CONNECTION_LOST, READONLY } from '../test-support/scripted-store.ts'
import { StoreFailedClosed } from './limit-store.ts'

describe('a reply that comes late', () => {
  test.each([
    ['charged', 'answer', 2],
    ['refused', 'fail', 1],
  ] as const)('of a call that was %s there: it is counted once more, never less', async (_, end, expected) => {
    const world = createLimitWorld()
    expect(await callIntoSilence(world)).toMatchObject({ admitted: true, origin: 'local' })
    if (end === 'answer') world.shared.pending[0]?.answer()
    else world.shared.pending[0]?.fail(READONLY)
    await world.time.advance(5_000)
    expect(world.shared.used(chargeOf())).toBe(expected)
    expect(world.memory.size).toBe(0)
  })

  test('of a call that is lost with its connection: the same', async () => {
    const world = createLimitWorld()
    await callIntoSilence(world)
    world.shared.pending[0]?.fail(CONNECTION_LOST)
    await world.time.advance(5_000)
    expect(world.shared.used(chargeOf())).toBe(1)
  })

  test('of a call that was refused here: what was charged there stays for its window', async () => {
    const world = createLimitWorld()
    const closed = chargeOf({ group: 'closed', onStoreFailure: 'closed', weight: 3 })
    const call = callIntoSilence(world, [chargeOf(), closed])
    await expect(call).rejects.toBeInstanceOf(StoreFailedClosed)
    world.shared.pending[0]?.answer()
    await world.time.advance(60_059)
    expect([world.shared.used(closed), world.shared.used(chargeOf())]).toEqual([3, 1])
    await world.time.advance(1)
    expect([world.shared.used(closed), world.shared.used(chargeOf())]).toEqual([0, 0])
  })
})

describe('settling', () => {
  const admitted = async (world: LimitWorld, weight: number) => {
    const charge = chargeOf({ limit: 1_000, weight })
    const { origin, verdicts } = await world.store.admit([charge])
    return (delta: number): void => world.store.settle([settlementOf(charge, verdicts[0]?.index ?? 0, delta)], origin)
  }
  const used = (world: LimitWorld): number => world.shared.used(chargeOf({ limit: 1_000 }))

  test('of the shared store goes there, 5 ms later', async () => {
    const world = createLimitWorld()
    const settle = await admitted(world, 100)
    settle(-60)
    settle(5)
    await world.time.advance(4)
    expect(world.shared.settled).toEqual([])
    await world.time.advance(1)
    expect(used(world)).toBe(45)
    expect(world.shared.asked.settle).toBe(1)
  })

  test('of the shared store, while it is away: refunds wait, debts are counted here and merged', async () => {
    const world = createLimitWorld()
    const settleFirst = await admitted(world, 100)
    const settleSecond = await admitted(world, 100)
    await world.fallAway()
    settleFirst(-60)
    settleSecond(30)
    expect(await world.store.peek([chargeOf({ limit: 1_000, weight: 0 })])).toMatchObject({ verdicts: [{ used: 230 }] })
    await world.comeBack()
    await world.time.advance(5)
    expect(used(world)).toBe(170)
  })

  test('of a call counted here, while it is: never leaves this process', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const settle = await admitted(world, 100)
    settle(-60)
    settle(5)
    await world.comeBack()
    await world.time.advance(5)
    expect(used(world)).toBe(45)
    expect(world.shared.settled).toEqual([])
  })

  test('of a call counted here, after it was merged: goes to the bucket it was merged to', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const settleFirst = await admitted(world, 100)
    const settleSecond = await admitted(world, 100)
    await world.comeBack()
    settleFirst(-60)
    settleSecond(30)
    await world.time.advance(5)
    expect(used(world)).toBe(170)
  })

  test('of a call whose answer came late: gives back what was counted here, before it is merged and after', async () => {
    for (const when of ['before', 'after']) {
      const world = createLimitWorld()
      const charge = chargeOf({ limit: 1_000, weight: 100 })
      const { origin, verdicts } = await callIntoSilence(world, [charge])
      const settle = (): void => world.store.settle([settlementOf(charge, verdicts[0]?.index ?? 0, -60)], origin)
      if (when === 'before') settle()
      world.shared.pending[0]?.answer()
      await world.time.advance(5)
      if (when === 'after') settle()
      await world.time.advance(5)
      // 40 that were used, and the 100 that were charged there as well.
      expect(used(world)).toBe(140)
    }
  })

  test('of a debt that the shared store may not have: it is counted here and merged', async () => {
    const world = createLimitWorld()
    const settle = await admitted(world, 100)
    world.shared.mode = CONNECTION_LOST
    settle(30)
    await world.time.advance(5)
    world.shared.mode = 'answer'
    await world.time.advance(500)
    expect(used(world)).toBe(130)
  })

  test('of a limit that was let through uncounted is nothing', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const charge = chargeOf({ onStoreFailure: 'open', weight: 5 })
    const { origin } = await world.store.admit([charge])
    world.store.settle([settlementOf(charge, 0, 5)], origin)
    await world.comeBack()
    await world.time.advance(500)
    expect(world.shared.used(charge)).toBe(0)
  })
})
