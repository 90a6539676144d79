import { describe, expect, test } from 'bun:test'
import { chargeOf, createLimitWorld, fill } from '../test-support/limit-world.ts'
import { NOT_CONNECTED, READONLY } from '../test-support/scripted-store.ts'
import { StoreFailedClosed } from './limit-store.ts'

describe('counting here', () => {
  test.each([
    // limit, seen, replicas, how many more fit
    [10, 0, 1, 10],
    [10, 4, 1, 6],
    [10, 4, 2, 3],
    [10, 4, 4, 1],
    [10, 4, 7, 0],
    [10, 10, 3, 0],
    // Debt: nothing fits until it has left.
    [10, 15, 3, 0],
    [2, 0, 3, 0],
    [10, 4, 0, 6],
  ])('of %d with %d seen, for %d replicas: %d', async (limit, seen, replicas, expected) => {
    const world = createLimitWorld(() => replicas)
    if (seen > 0) await world.store.admit([chargeOf({ limit, weight: seen, shadow: true })])
    await world.fallAway()
    expect(await fill(world, chargeOf({ limit }))).toBe(expected)
  })

  test('begins with what the shared store last said', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 4; call += 1) await world.store.admit([chargeOf()])
    await world.fallAway()
    expect(await fill(world)).toBe(6)
  })

  test('takes an equal part of what is left', async () => {
    const world = createLimitWorld(() => 3)
    for (let call = 0; call < 4; call += 1) await world.store.admit([chargeOf()])
    await world.fallAway()
    expect(await fill(world)).toBe(2)
  })

  test('what was seen leaves no earlier than it would have, and then an equal part of all is left', async () => {
    const world = createLimitWorld(() => 3)
    for (let call = 0; call < 10; call += 1) await world.store.admit([chargeOf()])
    await world.fallAway(NOT_CONNECTED)
    world.shared.mode = 'hang'
    await world.time.advance(60_099)
    expect(await fill(world)).toBe(0)
    await world.time.advance(1)
    expect(await fill(world)).toBe(3)
  })

  test('a call that is larger than the part may fit later; larger than the limit, never', async () => {
    const world = createLimitWorld(() => 3)
    await world.fallAway()
    expect(await world.store.admit([chargeOf({ weight: 4 })])).toMatchObject({
      verdicts: [{ fits: 'later', fitMs: 1_000 }],
    })
    expect(await world.store.admit([chargeOf({ weight: 11 })])).toMatchObject({ verdicts: [{ fits: 'never' }] })
  })

  test('beside a shared store that answers the others: what single calls add is sent at once', async () => {
    const world = createLimitWorld()
    await world.store.admit([chargeOf()])
    world.shared.mode = READONLY
    await world.store.admit([chargeOf()])
    world.shared.mode = 'answer'
    await world.time.advance(5)
    expect(world.shared.used(chargeOf())).toBe(2)
    expect(world.memory.size).toBe(0)
  })

  test('a ring begins anew with what the shared store said since', async () => {
    const world = createLimitWorld()
    world.shared.mode = READONLY
    await world.store.admit([chargeOf()])
    world.shared.mode = 'answer'
    await world.time.advance(5)
    // Another process uses most of it.
    world.shared.rings.admit([chargeOf({ weight: 7 })])
    await world.store.admit([chargeOf()])
    await world.fallAway()
    expect(await fill(world)).toBe(1)
  })

  test('what people want to know is told from here, and a reset is refused', async () => {
    const world = createLimitWorld()
    for (let call = 0; call < 4; call += 1) await world.store.admit([chargeOf()])
    await world.fallAway()
    await world.store.admit([chargeOf()])
    expect(await world.store.peek([chargeOf()])).toMatchObject({ admitted: true, verdicts: [{ used: 6 }] })
    expect(await world.store.groups(chargeOf().key, { offset: 0, limit: 9 })).toMatchObject({ groups: [{ used: 5 }] })
    await expect(Promise.resolve(world.store.reset(chargeOf().key))).rejects.toBeInstanceOf(StoreFailedClosed)
  })

  test('the same when a single question fails', async () => {
    const world = createLimitWorld()
    await world.store.admit([chargeOf({ weight: 4 })])
    world.shared.mode = READONLY
    expect(await world.store.peek([chargeOf({ weight: 7 })])).toMatchObject({
      admitted: false,
      verdicts: [{ used: 4 }],
    })
    expect(await world.store.groups(chargeOf().key, { offset: 0, limit: 9 })).toMatchObject({ total: 0 })
    await expect(Promise.resolve(world.store.reset(chargeOf().key))).rejects.toBeInstanceOf(StoreFailedClosed)
    expect(world.store.state).toBe('shared')
  })
})
