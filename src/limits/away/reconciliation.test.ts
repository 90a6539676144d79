import { describe, expect, test } from 'bun:test'
import {
  callIntoSilence,
  chargeOf,
  createLimitWorld,
  fill,
  type LimitWorld,
  settlementOf,
} from '../test-support/limit-world.ts'
import { CONNECTION_LOST, READONLY } from '../test-support/scripted-store.ts'
import { StoreFailedClosed } from './limit-store.ts'

describe('a reply that comes late', () => {
  test('says that the call was charged: it is not merged', async () => {
    const world = createLimitWorld()
    expect(await callIntoSilence(world)).toMatchObject({ admitted: true, origin: 'local' })
    world.shared.pending[0]?.answer()
    await world.time.advance(5_000)
    expect(world.shared.merged).toEqual([])
    expect(world.shared.used(chargeOf())).toBe(1)
  })

  test('says that the call was not charged: it is merged', async () => {
    const world = createLimitWorld()
    const other = chargeOf({ group: 'other', limit: 1 })
    world.shared.rings.admit([other])
    expect(await callIntoSilence(world, [chargeOf(), other])).toMatchObject({ admitted: true })
    world.shared.pending[0]?.answer()
    await world.time.advance(5_000)
    expect(world.shared.used(chargeOf())).toBe(1)
    expect(world.shared.used(other)).toBe(2)
  })

  test('is an error of the server: it is merged', async () => {
    const world = createLimitWorld()
    await callIntoSilence(world)
    world.shared.pending[0]?.fail(READONLY)
    await world.time.advance(5_000)
    expect(world.shared.used(chargeOf())).toBe(1)
  })

  test('never comes: the call may have been charged, so it is not merged', async () => {
    const world = createLimitWorld()
    await callIntoSilence(world)
    world.shared.pending[0]?.execute()
    world.shared.pending[0]?.fail(CONNECTION_LOST)
    await world.time.advance(5_000)
    expect(world.shared.merged).toEqual([])
    expect(world.shared.used(chargeOf())).toBe(1)
  })

  test('says that a call was charged that was refused here: it is given back', async () => {
    const world = createLimitWorld()
    const closed = chargeOf({ group: 'closed', onStoreFailure: 'closed', weight: 3 })
    const call = callIntoSilence(world, [chargeOf(), closed])
    await expect(call).rejects.toBeInstanceOf(StoreFailedClosed)
    await world.time.settle()
    world.shared.pending[0]?.answer()
    await world.time.advance(5)
    expect(world.shared.used(closed)).toBe(0)
    expect(world.shared.used(chargeOf())).toBe(0)
  })

  test('the same for a call that did not fit here', async () => {
    const world = createLimitWorld(() => 20)
    expect(await callIntoSilence(world)).toMatchObject({ admitted: false, origin: 'local' })
    world.shared.pending[0]?.answer()
    await world.time.advance(5)
    expect(world.shared.used(chargeOf())).toBe(0)
  })

  test('says that a limit was charged that was let through uncounted: it is given back', async () => {
    const world = createLimitWorld()
    const open = chargeOf({ group: 'open', onStoreFailure: 'open' })
    await callIntoSilence(world, [chargeOf(), open])
    world.shared.pending[0]?.answer()
    await world.time.advance(5)
    expect(world.shared.used(open)).toBe(0)
    expect(world.shared.used(chargeOf())).toBe(1)
  })

  test('in an outage: what was charged there is seen here', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 5; call += 1) await callIntoSilence(world)
    world.shared.mode = 'hang'
    // Nothing is counted twice here either.
    for (const pending of world.shared.pending) pending.answer()
    await world.time.settle()
    expect(await fill(world)).toBe(5)
  })

  test('in an outage: what others used is seen here, and what only this process knows of is not forgotten', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 5; call += 1) await callIntoSilence(world)
    world.shared.mode = 'hang'
    await world.store.admit([chargeOf()])
    world.shared.rings.admit([chargeOf({ weight: 2 })])
    world.shared.pending[0]?.answer()
    await world.time.settle()
    // 3 are in the reply, 4 calls have none yet, and one was never sent.
    expect(await fill(world)).toBe(2)
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

  const inDoubt = async (world: LimitWorld, weight: number) => {
    const charge = chargeOf({ limit: 1_000, weight })
    const { origin, verdicts } = await callIntoSilence(world, [charge])
    expect(verdicts[0]?.index).toBeLessThan(0)
    const settle = (delta: number): void =>
      world.store.settle([settlementOf(charge, verdicts[0]?.index ?? 0, delta)], origin)
    return { settle, pending: world.shared.pending.at(-1) }
  }

  test.each(['before', 'after'])('of a call that was charged late, settled %s that is known', async (when) => {
    const world = createLimitWorld()
    const { settle, pending } = await inDoubt(world, 100)
    if (when === 'before') settle(-60)
    // It stood in a queue: another bucket was charged than the one here.
    await world.time.advance(3_000)
    pending?.answer()
    await world.time.settle()
    if (when === 'after') settle(-60)
    await world.time.advance(5)
    expect(used(world)).toBe(40)
    expect(world.shared.merged).toEqual([])
  })

  test.each(['before', 'after', 'long after'])(
    'of a call that was not charged, settled %s that is known',
    async (when) => {
      const world = createLimitWorld()
      const { settle, pending } = await inDoubt(world, 100)
      if (when === 'before') settle(-60)
      pending?.fail(READONLY)
      await world.time.settle()
      if (when === 'after') settle(-60)
      await world.time.advance(5)
      if (when === 'long after') settle(-60)
      await world.time.advance(5)
      expect(used(world)).toBe(40)
    },
  )

  test('of a call that was given back whole before that is known', async () => {
    const world = createLimitWorld()
    const { settle, pending } = await inDoubt(world, 100)
    settle(-100)
    pending?.fail(READONLY)
    await world.time.advance(5)
    expect(used(world)).toBe(0)
    expect(world.shared.merged).toEqual([])
  })

  test.each(['before', 'after'])(
    'of a call that is lost, settled %s: others are not given back for it',
    async (when) => {
      const world = createLimitWorld()
      const { settle, pending } = await inDoubt(world, 100)
      await admitted(world, 70)
      if (when === 'before') settle(-60)
      pending?.fail(CONNECTION_LOST)
      await world.time.settle()
      if (when === 'after') settle(-60)
      await world.time.advance(5)
      expect(used(world)).toBe(70)
    },
  )

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
