import { beforeEach, describe, expect, test } from 'bun:test'
import type { BudgetHold } from '../../budgets/counter.ts'
import { countKeyOf } from '../redis/redis-keys.ts'
import { claimOf, counterOf, type TestCounter } from '../test-support/claims.ts'
import { chargeOf, createLimitWorld, type LimitWorld } from '../test-support/limit-world.ts'
import { BudgetLease, LEASE_MS } from './budget-lease.ts'
import { SharedCount } from './shared-count.ts'

const LIMIT = 10_000

let world: LimitWorld
let counter: TestCounter
beforeEach(() => {
  world = createLimitWorld(() => 1, { leases: true })
  counter = counterOf()
})

const admit = (weight: number, shadow = false) =>
  world.store.admit([], [claimOf(counter, { limit: LIMIT, weight, shadow })])

/** Calls that hold so much, one after the other. */
const hold = async (calls: number, weight: number): Promise<BudgetHold[]> => {
  const holds: BudgetHold[] = []
  for (let made = 0; made < calls; made += 1) {
    const { budgets } = await admit(weight)
    holds.push(...budgets.flatMap((verdict) => verdict.hold ?? []))
  }
  return holds
}

const told = (): number => world.shared.hashes.used(countKeyOf(new SharedCount(counter)))

/** 40 calls that hold 10 each: so something is leased, and all of it is known. */
const lease = async (): Promise<BudgetHold[]> => {
  const holds = await hold(40, 10)
  await world.time.settle()
  expect(told()).toBeGreaterThan(counter.held)
  return holds
}

/** So many calls that something is asked for ahead. @returns the ask, which is on its way */
const askFor = async () => {
  await hold(7, 10)
  world.shared.mode = 'hang'
  const eighth = admit(10)
  world.shared.pending.shift()?.answer()
  await eighth
  await world.time.settle()
  return world.shared.pending.shift()
}

/** Calls that are admitted without a question, until one is not. */
const takeAll = (weight: number): number => {
  world.shared.mode = 'hang'
  let taken = 0
  for (;;) {
    const admission = admit(weight)
    if (admission instanceof Promise) return taken
    expect(admission).toMatchObject({ admitted: true, origin: 'shared' })
    taken += 1
  }
}

describe('calls of a budget that is far from used up', () => {
  test('ask nobody, and hold back what they may use', async () => {
    await lease()
    const { admit: asked } = world.shared.asked
    world.shared.mode = 'hang'
    const admission = admit(7)
    expect(admission).not.toBeInstanceOf(Promise)
    expect(admission).toMatchObject({
      admitted: true,
      origin: 'shared',
      budgets: [{ fits: true, hold: { weight: 7 } }],
    })
    expect([counter.held, world.shared.asked.admit]).toEqual([407, asked])
  })

  test('take no more than was told', async () => {
    await lease()
    const before = told()
    takeAll(1)
    expect(counter.held).toBe(before)
  })

  test('that hold nothing back go through until as much was spent', async () => {
    counter.pending = 1
    for (let call = 0; call < 40; call += 1) {
      await admit(0)
      counter.pending += 10
    }
    await world.time.settle()
    const before = told()
    world.shared.mode = 'hang'
    while (!(admit(0) instanceof Promise)) counter.pending += 10
    expect(counter.pending).toBeGreaterThanOrEqual(before)
    expect(counter.pending).toBeLessThan(before + 10)
  })

  test('are few questions in all', async () => {
    for (let call = 0; call < 2_000; call += 1) {
      const [held] = await hold(1, 10)
      await world.time.advance(5)
      if (held === undefined) continue
      world.store.release(held)
      counter.pending += 3
    }
    const { admit: asked, tell } = world.shared.asked
    expect(asked + tell).toBeLessThan(60)
    expect(counter.pending).toBe(6_000)
  })

  test('ask where a limit beside it has to be asked', async () => {
    await lease()
    const { admit: asked } = world.shared.asked
    await world.store.admit([chargeOf()], [claimOf(counter, { limit: LIMIT })])
    expect(world.shared.asked.admit).toBe(asked + 1)
  })

  test('ask nobody where a limit beside it is leased too', async () => {
    const charge = chargeOf({ limit: 1_000, grain: 10 })
    const both = () => world.store.admit([charge], [claimOf(counter, { limit: LIMIT, weight: 10 })])
    for (let call = 0; call < 40; call += 1) await both()
    await world.time.settle()
    world.shared.mode = 'hang'
    const before = world.shared.used(charge)
    const admission = both()
    expect(admission).toMatchObject({
      admitted: true,
      verdicts: [{ fits: 'yes' }],
      budgets: [{ hold: { weight: 10 } }],
    })
    expect(world.shared.used(charge)).toBe(before)
  })

  test('ask when the limit was changed', async () => {
    await lease()
    const { admit: asked } = world.shared.asked
    await world.store.admit([], [claimOf(counter, { limit: LIMIT - 1 })])
    expect(world.shared.asked.admit).toBe(asked + 1)
    await world.time.advance(30)
    expect(told()).toBe(401)
  })

  test('in shadow mode hold nothing', async () => {
    for (let call = 0; call < 40; call += 1) {
      await admit(10, true)
      counter.pending += 10
    }
    await world.time.settle()
    world.shared.mode = 'hang'
    expect(admit(10, true)).toMatchObject({ admitted: true, budgets: [{ fits: true, hold: undefined }] })
    expect(counter.held).toBe(0)
  })
})

describe('what is ahead', () => {
  test('is refilled by what calls give back, and not by what the ledger counts', async () => {
    const holds = await lease()
    takeAll(1)
    const before = counter.held
    for (const each of holds.slice(0, 5)) {
      world.store.release(each)
      counter.pending += 8
    }
    // 50 were given back and 40 spent.
    expect(takeAll(1)).toBe(10)
    expect(counter.held + counter.pending).toBe(before)
    counter.counted += counter.pending
    counter.stored += counter.pending
    counter.pending = 0
    expect(takeAll(1)).toBe(0)
  })

  test('never grows beyond what it was by that', async () => {
    const holds = await lease()
    for (const each of holds) world.store.release(each)
    const taken = takeAll(1)
    // 185 were left, and 400 were given back.
    expect(taken).toBeGreaterThan(185)
    expect(taken).toBeLessThan(400)
    world.shared.mode = 'answer'
    await world.time.advance(LEASE_MS * 2)
    expect(told()).toBe(counter.held)
  })

  test('is given back before a call is refused for it', async () => {
    await lease()
    const { admitted, budgets } = await admit(LIMIT - 400)
    expect([admitted, budgets[0]?.used]).toEqual([true, 400])
    expect((await admit(1)).admitted).toBe(false)
  })

  test('is what others find used, so that all together stay within the limit', async () => {
    await lease()
    const count = new SharedCount(counter)
    const parts = new Map([[count, { stored: 0, own: 0, delta: 0 }]])
    const take = (weight: number): boolean =>
      world.shared.hashes.decide(
        'another',
        [{ count, limit: LIMIT, weight, shadow: false, since: 0 }],
        parts,
        true,
        (admitted) => ({ admitted }),
      ).admitted
    const left = LIMIT - told()
    expect([take(left + 1), take(left)]).toEqual([false, true])
    expect(takeAll(1)).toBe(told() - left - 400)
    expect(counter.held + left).toBe(LIMIT)
  })

  test('is over after its time, and given back', async () => {
    await lease()
    await world.time.advance(LEASE_MS + 400)
    expect(told()).toBe(400)
    expect(admit(1)).toBeInstanceOf(Promise)
  })

  test('is used by nobody to a look', async () => {
    await lease()
    const { budgets } = await world.store.peek([], [claimOf(counter, { limit: LIMIT, weight: 1 })])
    expect(budgets[0]?.used).toBe(400)
  })

  test('counts as used for whoever asks what is left', async () => {
    await lease()
    const before = told()
    const first = await admit(10)
    const second = await admit(10)
    expect([first, second].map(({ budgets }) => budgets[0]?.used)).toEqual([before - 10, before - 10])
  })

  test('is lost with the connection, and told anew', async () => {
    await lease()
    world.shared.lose()
    expect(takeAll(1)).toBe(0)
    world.shared.mode = 'answer'
    await world.time.advance(1_100)
    expect(told()).toBe(counter.held)
  })

  test('is lost with the connection also where it was asked for before and comes after', async () => {
    const ask = await askFor()
    world.shared.lose()
    ask?.answer()
    world.shared.mode = 'answer'
    await world.time.advance(30)
    expect(admit(1)).toBeInstanceOf(Promise)
    expect(told()).toBe(81)
  })

  test('is dropped while the store is away: the process counts for itself', async () => {
    await lease()
    await world.fallAway()
    const { admitted, origin } = await admit(1)
    expect([admitted, origin]).toEqual([true, 'local'])
    await world.comeBack()
    await world.time.advance(1_100)
    expect(told()).toBe(401)
  })

  test('begins anew after a reset by hand', async () => {
    await lease()
    counter.generation += 1
    expect(takeAll(1)).toBe(0)
  })

  test('is given back at the end', async () => {
    await lease()
    await world.store.close()
    expect(told()).toBe(400)
  })

  test('comes only to what is used, and only where much is left', async () => {
    await hold(40, 1)
    await world.time.settle()
    expect(told() - counter.held).toBeLessThanOrEqual(50)
    const [large] = await hold(1, 8_000)
    await world.time.advance(LEASE_MS * 2)
    await hold(40, 40)
    await world.time.settle()
    expect(told() - counter.held).toBeLessThanOrEqual(250)
    expect(large?.weight).toBe(8_000)
  })

  test('is asked for again only a while after it was not to be had', async () => {
    await lease()
    await admit(LIMIT - 400)
    await admit(1)
    const { admit: asked } = world.shared.asked
    await hold(20, 1)
    await world.time.settle()
    expect(world.shared.asked.admit).toBe(asked + 20)
  })

  test('whose answer does not come may be there: the whole is told', async () => {
    const ask = await askFor()
    expect(ask?.name).toBe('admit')
    ask?.execute()
    expect(told()).toBeGreaterThan(80)
    ask?.fail(new Error('Connection is closed.'))
    world.shared.mode = 'answer'
    await world.time.advance(1_100)
    expect(told()).toBe(80)
  })
})

test('a process that stood still uses nothing whose time is over', () => {
  const lone = new BudgetLease(counter, LIMIT)
  lone.granted(100, 0, 1_000)
  expect(lone.covers(1, LIMIT, 1_000 + LEASE_MS - 1)).toBe(true)
  expect(lone.covers(1, LIMIT, 1_000 + LEASE_MS)).toBe(false)
})

test('a count that was given up covers nothing', () => {
  const lone = new BudgetLease(counter, LIMIT)
  lone.granted(100, 0, 1_000)
  counter.isKept = false
  expect([lone.covers(1, LIMIT, 1_001), lone.left]).toEqual([false, 0])
})
