import { beforeEach, describe, expect, test } from 'bun:test'
import { claimOf, counterOf } from '../test-support/claims.ts'
import { chargeOf, createLimitWorld, type LimitWorld, settlementOf } from '../test-support/limit-world.ts'

/** 1,000 tokens or requests a minute. */
const CHARGE = chargeOf({ limit: 1_000, grain: 10 })

let world: LimitWorld
beforeEach(() => {
  world = createLimitWorld(() => 1, { leases: true })
})

/** Calls of that weight, one after the other. @returns the verdict on the last */
const call = async (calls: number, weight = 1) => {
  let last = await world.store.admit([{ ...CHARGE, weight }])
  for (let made = 1; made < calls; made += 1) last = await world.store.admit([{ ...CHARGE, weight }])
  return last
}

/** So many calls that something is leased, and all of it is known. */
const lease = async (): Promise<void> => {
  await call(40)
  await world.time.settle()
}

const inHand = async (): Promise<number> => world.shared.used(CHARGE) - 40

describe('calls of a limit that is far from full', () => {
  test('ask nobody, and are not held up by a store that stands still', async () => {
    await lease()
    const before = world.shared.asked.admit
    world.shared.mode = 'hang'
    const admission = world.store.admit([CHARGE])
    expect(admission).not.toBeInstanceOf(Promise)
    expect(admission).toMatchObject({ admitted: true, origin: 'shared', budgets: [] })
    expect(world.shared.asked.admit).toBe(before)
    expect(world.store.state).toBe('shared')
  })

  test('ask where they have a budget too', async () => {
    await lease()
    const before = world.shared.asked.admit
    await world.store.admit([CHARGE], [claimOf(counterOf('budget'), { weight: 0 })])
    expect(world.shared.asked.admit).toBe(before + 1)
  })

  test('ask as before where leases are switched off', async () => {
    world = createLimitWorld()
    await call(100)
    await world.time.advance(5_000)
    expect(world.shared.asked).toMatchObject({ admit: 100, lease: 0 })
  })
})

describe('what is in hand', () => {
  test('is given back before a call is refused for it, and the call asks again', async () => {
    await lease()
    expect(await inHand()).toBeGreaterThan(10)
    const { admitted, verdicts } = await call(1, 960)
    expect([admitted, verdicts[0]?.used]).toEqual([true, 1_000])
    expect((await call(1)).admitted).toBe(false)
  })

  test('a call that is refused all the same has asked twice, and counts nothing', async () => {
    await lease()
    const before = world.shared.asked.admit
    const { admitted, verdicts } = await call(1, 961)
    expect([admitted, verdicts[0]?.fits, verdicts[0]?.used]).toEqual([false, 'later', 40])
    expect(world.shared.asked.admit).toBe(before + 2)
    await call(1, 961)
    expect(world.shared.asked.admit).toBe(before + 3)
  })

  test('is used by nobody to a look, nor in the list of groups', async () => {
    await lease()
    const { verdicts } = await world.store.peek([{ ...CHARGE, key: { ...CHARGE.key }, weight: 0 }])
    expect(verdicts[0]?.used).toBe(40)
    await lease()
    const { groups } = await world.store.groups(CHARGE.key, { offset: 0, limit: 9 })
    expect(groups.map(({ used }) => used)).toEqual([80])
  })

  test('is forgotten with the group', async () => {
    await lease()
    await world.store.reset({ ...CHARGE.key })
    const { verdicts } = await call(1)
    expect(verdicts[0]?.used).toBe(1)
  })

  test('is dropped when the store is away: the process counts for itself, within what was left', async () => {
    await lease()
    const counted = world.shared.used(CHARGE)
    await world.fallAway()
    expect(world.store.state).toBe('local')
    const { admitted, origin, verdicts } = await call(1)
    expect([admitted, origin, verdicts[0]?.used]).toEqual([true, 'local', counted + 1])
    await world.comeBack()
    await world.time.advance(5_000)
    expect(world.shared.used(CHARGE)).toBe(counted + 1)
  })

  test('gets back what a call did not use, without a command', async () => {
    await lease()
    const { verdicts, origin } = await call(1, 5)
    world.store.settle([settlementOf(CHARGE, verdicts[0]?.index ?? 0, -5)], origin)
    await world.time.advance(10)
    expect(world.shared.asked.settle).toBe(0)
    await world.time.advance(2_000)
    expect(world.shared.used(CHARGE)).toBe(40)
  })

  test('is given back at the end', async () => {
    await lease()
    await world.store.close()
    expect(world.shared.used(CHARGE)).toBe(40)
  })
})
