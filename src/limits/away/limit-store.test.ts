import { describe, expect, test } from 'bun:test'
import { createMemoryStore } from '../ring/memory-store.ts'
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
