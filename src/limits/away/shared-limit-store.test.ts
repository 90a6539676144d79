import { describe, expect, test } from 'bun:test'
import type { Verdict } from '../ring/ring.ts'
import { chargeOf, createLimitWorld, settlementOf } from '../test-support/limit-world.ts'
import { READONLY } from '../test-support/scripted-store.ts'
import { StoreFailedClosed } from './limit-store.ts'

describe('the deadline', () => {
  test('a call waits for 40 ms, is decided here, and is not sent again', async () => {
    const world = createLimitWorld()
    world.shared.mode = 'hang'
    let origin: string | undefined
    void Promise.resolve(world.store.admit([chargeOf()])).then((admission) => {
      origin = admission.origin
    })
    await world.time.advance(39)
    expect(origin).toBeUndefined()
    await world.time.advance(1)
    expect(origin).toBe('local')
    await world.time.advance(60_000)
    expect(world.shared.asked.admit).toBe(1)
  })

  test('a process that stood still does not take the shared store for dead', async () => {
    const world = createLimitWorld()
    world.shared.mode = 'hang'
    const admission = world.store.admit([chargeOf()])
    await world.time.stall(300, () => world.shared.pending[0]?.answer())
    expect(await admission).toMatchObject({ origin: 'shared' })
    expect(world.memory.size).toBe(0)
  })
})

describe('what a failed call is decided by', () => {
  test('open: let through and not counted', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    for (let call = 0; call < 20; call += 1) {
      expect(world.store.admit([chargeOf({ onStoreFailure: 'open' })])).toMatchObject({
        admitted: true,
        origin: 'open',
      })
    }
    await world.comeBack()
    expect(world.shared.merged).toEqual([])
    expect(world.memory.size).toBe(0)
  })

  test('closed: refused, with an error of its own', async () => {
    const world = createLimitWorld()
    const charge = chargeOf({ onStoreFailure: 'closed' })
    world.shared.mode = READONLY
    for (let call = 0; call < 5; call += 1) {
      await expect(Promise.resolve(world.store.admit([charge]))).rejects.toBeInstanceOf(StoreFailedClosed)
      await world.time.settle()
    }
    expect(() => world.store.admit([charge])).toThrow(StoreFailedClosed)
  })

  test('closed wins over all others, and then nothing is counted', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const closed = chargeOf({ group: 'closed', onStoreFailure: 'closed' })
    const open = chargeOf({ group: 'open', onStoreFailure: 'open' })
    expect(() => world.store.admit([chargeOf(), open, closed])).toThrow(StoreFailedClosed)
    await world.comeBack()
    expect(world.shared.merged).toEqual([])
  })

  test('a limit in shadow mode refuses nothing, even if it says closed', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const shadow = chargeOf({ onStoreFailure: 'closed', shadow: true, limit: 1 })
    expect(world.store.admit([shadow])).toMatchObject({ admitted: true, origin: 'local', verdicts: [{ fits: 'yes' }] })
    expect(world.store.admit([shadow])).toMatchObject({ admitted: true, verdicts: [{ fits: 'later', used: 2 }] })
  })

  test('local beside open: judged here all or none, verdicts in their places', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    const open = chargeOf({ group: 'open', onStoreFailure: 'open', limit: 1, weight: 1 })
    const roomy = chargeOf({ group: 'roomy', limit: 10 })
    const tight = chargeOf({ group: 'tight', limit: 1 })
    const fits = ({ fits, used }: Verdict) => [fits, used]
    const first = await world.store.admit([open, roomy, tight])
    expect(first.origin).toBe('local')
    expect(first.verdicts.map(fits)).toEqual([
      ['yes', 0],
      ['yes', 1],
      ['yes', 1],
    ])
    const second = await world.store.admit([open, roomy, tight])
    expect(second.admitted).toBe(false)
    expect(second.verdicts.map(fits)).toEqual([
      ['yes', 0],
      ['yes', 1],
      ['later', 1],
    ])
    await world.comeBack()
    expect(world.shared.used(roomy)).toBe(1)
    expect(world.shared.used(open)).toBe(0)
  })
})

describe('close', () => {
  test('sends what waits', async () => {
    const world = createLimitWorld()
    const charge = chargeOf({ weight: 5 })
    const { origin, verdicts } = await world.store.admit([charge])
    world.store.settle([settlementOf(charge, verdicts[0]?.index ?? 0, -2)], origin)
    await world.store.close()
    expect(world.shared.used(charge)).toBe(3)
    expect(world.lines).toEqual([])
  })

  test('sends what was counted here, if the shared store is back', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    await world.store.admit([chargeOf({ weight: 4 })])
    world.shared.mode = 'answer'
    await world.store.close()
    expect(world.shared.used(chargeOf())).toBe(4)
  })

  test('takes a second at most, says what could not be sent, and ends all timers', async () => {
    const world = createLimitWorld()
    await world.fallAway()
    await world.store.admit([chargeOf({ weight: 4 })])
    world.shared.mode = 'hang'
    let isClosed = false
    void world.store.close().then(() => {
      isClosed = true
    })
    await world.time.advance(999)
    expect(isClosed).toBe(false)
    await world.time.advance(1)
    expect(isClosed).toBe(true)
    expect(world.lines.at(-1)?.fields).toEqual({ rings: 1, settlements: 0 })
    await world.time.advance(60_000)
    expect(world.shared.probes).toBe(0)
  })
})
