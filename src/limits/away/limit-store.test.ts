import { describe, expect, test } from 'bun:test'
import { createMemoryStore } from '../ring/memory-store.ts'
import { claimOf, counterOf } from '../test-support/claims.ts'
import { chargeOf, createLimitWorld, settlementOf } from '../test-support/limit-world.ts'
import { createManualTime } from '../test-support/manual-time.ts'
import { createLimitStore } from './shared-limit-store.ts'

describe('without Redis', () => {
  const time = createManualTime()
  const store = createLimitStore({
    memory: createMemoryStore({ now: time.clock.now }),
    clock: time.clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    replicas: () => 3,
    timers: time.timers,
  })

  test('calls are counted here, whole, with plain values', () => {
    // A limit that says `closed` has its store: nothing is away.
    const charge = chargeOf({ weight: 10, onStoreFailure: 'closed' })
    expect(store.admit([charge])).toMatchObject({ admitted: true, origin: 'shared', verdicts: [{ used: 10 }] })
    expect(store.admit([chargeOf()])).toMatchObject({ admitted: false, origin: 'shared' })
    expect(store.peek([chargeOf()])).toMatchObject({ admitted: false })
    expect(store.state).toBe('memory')
  })

  test('settles, lists and resets', async () => {
    const charge = chargeOf({ group: 'settled', weight: 5, onStoreFailure: 'open' })
    const admission = await store.admit([charge])
    store.settle([settlementOf(charge, admission.verdicts[0]?.index ?? 0, -3)], admission.origin)
    const page = await store.groups(charge.key, { offset: 0, limit: 10 })
    expect(page.groups.find(({ group }) => group === 'settled')?.used).toBe(2)
    expect(store.reset(charge.key)).toBe(true)
    expect(store.peek([charge])).toMatchObject({ verdicts: [{ used: 5 }] })
    await store.close()
  })

  test('a soft budget lets calls through while anything is left; one of 0 never does', async () => {
    const counter = counterOf('soft', { stored: 6, pending: 2, held: 1 })
    const soft = claimOf(counter, { weight: 0 })
    expect(await store.admit([], [soft])).toMatchObject({ admitted: true, budgets: [{ fits: true, used: 9 }] })
    counter.pending = 3
    expect(await store.admit([], [soft])).toMatchObject({ admitted: false, budgets: [{ fits: false, used: 10 }] })
    for (const weight of [0, 1]) {
      const closed = claimOf(counterOf('closed'), { limit: 0, weight })
      expect(await store.admit([], [closed])).toMatchObject({ admitted: false, budgets: [{ fits: false, used: 0 }] })
    }
  })

  test('a hold is beside what is used until it is given back', async () => {
    const counter = counterOf('reserve', { stored: 3 })
    const claim = claimOf(counter, { weight: 7 })
    const { admitted, budgets } = await store.admit([], [claim])
    expect([admitted, budgets[0]?.used, counter.held]).toEqual([true, 3, 7])
    expect(await store.admit([], [claimOf(counter)])).toMatchObject({ admitted: false, budgets: [{ used: 10 }] })
    const hold = budgets[0]?.hold
    if (hold === undefined) throw new Error('nothing was held')
    store.release(hold, 5)
    expect(await store.peek([], [claimOf(counter, { weight: 5 })])).toMatchObject({ admitted: true })
    expect(await store.peek([], [claimOf(counter, { weight: 6 })])).toMatchObject({ admitted: false })
    store.release(hold)
    expect(counter.held).toBe(0)
  })

  test('limits and budgets of a call are all charged, or none', async () => {
    const [counter, full] = [counterOf('beside'), counterOf('full', { stored: 10 })]
    const charge = chargeOf({ group: 'beside', weight: 6 })
    const used = async (): Promise<readonly (number | undefined)[]> => [
      (await store.peek([{ ...charge, weight: 0 }])).verdicts[0]?.used,
      counter.held,
    ]
    const refused = await store.admit([charge], [claimOf(counter), claimOf(full)])
    expect(refused).toMatchObject({ admitted: false, verdicts: [{ fits: 'yes', used: 0 }] })
    expect(refused.budgets.map(({ fits, hold }) => [fits, hold])).toEqual([
      [true, undefined],
      [false, undefined],
    ])
    expect(await used()).toEqual([0, 0])
    expect((await store.admit([charge], [claimOf(counter)])).admitted).toBe(true)
    expect((await store.admit([charge], [claimOf(counter)])).admitted).toBe(false)
    expect(await used()).toEqual([6, 1])
  })

  test('a budget in shadow mode refuses nothing and holds nothing', async () => {
    const counter = counterOf('shadow', { stored: 10 })
    expect(await store.admit([], [claimOf(counter, { shadow: true })])).toEqual({
      admitted: true,
      verdicts: [],
      budgets: [{ fits: false, used: 10, hold: undefined }],
      origin: 'shared',
    })
    expect(counter.held).toBe(0)
  })
})

describe('while the shared store is away', () => {
  test('budgets are decided beside the limits, by what this process knows', async () => {
    const world = createLimitWorld()
    const counter = counterOf('away', { stored: 4 })
    await world.fallAway()
    const charge = chargeOf({ group: 'beside' })
    const admission = await world.store.admit([charge], [claimOf(counter, { weight: 6 })])
    expect(admission).toMatchObject({ admitted: true, origin: 'local', budgets: [{ fits: true, used: 4 }] })
    expect(await world.store.admit([charge], [claimOf(counter)])).toMatchObject({
      admitted: false,
      origin: 'local',
      verdicts: [{ used: 1 }],
      budgets: [{ fits: false, used: 10 }],
    })
    const open = chargeOf({ onStoreFailure: 'open' })
    expect(await world.store.peek([open], [claimOf(counter)])).toMatchObject({ admitted: false })
    expect(await world.store.admit([open], [claimOf(counter)])).toMatchObject({ admitted: false, origin: 'local' })
    expect(await world.store.admit([open])).toMatchObject({ admitted: true, origin: 'open' })
    await world.store.close()
  })
})

describe('while the shared store answers', () => {
  test('it decides', async () => {
    const { store, shared, memory } = createLimitWorld(() => 3)
    const admission = await store.admit([chargeOf({ weight: 10 })])
    expect(admission).toMatchObject({ admitted: true, origin: 'shared', verdicts: [{ fits: 'yes', used: 10 }] })
    expect(await store.admit([chargeOf()])).toMatchObject({ admitted: false, origin: 'shared' })
    expect(shared.asked.admit).toBe(2)
    expect(memory.size).toBe(0)
    expect(store.state).toBe('shared')
  })

  test('it is asked for what people want to know, and resets', async () => {
    const { store, shared } = createLimitWorld()
    const charge = chargeOf({ weight: 4 })
    await store.admit([charge])
    expect(await store.peek([charge])).toMatchObject({ admitted: true, verdicts: [{ used: 8 }] })
    expect(await store.groups(charge.key, { offset: 0, limit: 10 })).toMatchObject({ total: 1 })
    expect(await store.reset(charge.key)).toBe(true)
    expect(shared.used(charge)).toBe(0)
  })

  test('what was forgotten by an operator is forgotten here too', async () => {
    const world = createLimitWorld()
    const charge = chargeOf({ weight: 10 })
    await world.store.admit([charge])
    await world.store.reset(charge.key)
    await world.fallAway()
    expect(world.store.admit([charge])).toMatchObject({ admitted: true, origin: 'local' })
  })
})
