import { beforeEach, describe, expect, test } from 'bun:test'
import type { CheckReply } from '../redis/admit-run.ts'
import { chargeOf } from '../test-support/limit-world.ts'
import { createManualTime, type ManualTime } from '../test-support/manual-time.ts'
import { CONNECTION_LOST, createScriptedStore, type ScriptedStore } from '../test-support/scripted-store.ts'
import { createLeases, type Leases } from './leases.ts'

/** 10,000 requests a minute: what is written in one second leaves together. */
const CHARGE = chargeOf({ limit: 10_000, grain: 10 })
const OTHER = chargeOf({ limit: 10_000, grain: 10, group: 'other' })

let time: ManualTime
let shared: ScriptedStore
let leases: Leases
let processes: number
beforeEach(() => {
  time = createManualTime()
  processes = 1
  shared = createScriptedStore(time.clock.now)
  leases = create(shared)
})

const create = ({ store }: ScriptedStore): Leases =>
  createLeases({
    shared: store,
    replicas: () => processes,
    timers: time.timers,
    monotonicMs: time.clock.monotonicMs,
    onGrant: () => undefined,
  })

/** Calls that ask, as those do that nothing covers. */
const admit = async (calls: number, charge = CHARGE): Promise<readonly CheckReply[]> => {
  const admissions: CheckReply[] = []
  for (let call = 0; call < calls; call += 1) admissions.push(await shared.store.admit([charge]))
  return admissions
}

/** All in one step, so that what is leased is by all of them. */
const note = (admissions: readonly CheckReply[], charge = CHARGE): void => {
  for (const { verdicts } of admissions) if (leases.areFar([charge], verdicts)) leases.note([charge])
}

/** Calls that are covered, until one is not. */
const takeAll = (charge = CHARGE, most = 10_000): number => {
  let taken = 0
  while (taken < most && leases.take([charge]) !== undefined) taken += 1
  return taken
}

/** So many calls and what is leased after them: 25 % more than they were. */
const lease = async (calls = 100, charge = CHARGE): Promise<void> => {
  note(await admit(calls, charge), charge)
  await time.advance(0)
}

describe('a lease', () => {
  test('covers a quarter more calls than were made in its time, and is charged as a whole', async () => {
    await lease()
    expect(shared.asked.lease).toBeGreaterThan(0)
    shared.mode = 'hang'
    expect(takeAll()).toBe(shared.used(CHARGE) - 100)
    expect(shared.used(CHARGE)).toBe(225)
  })

  test('is none for a few calls: each asks', async () => {
    await lease(7)
    expect(shared.asked.lease).toBe(0)
    expect(takeAll()).toBe(0)
  })

  test('is at most an eighth of what is left, of all processes together', async () => {
    processes = 4
    const charge = chargeOf({ limit: 800, grain: 10 })
    await lease(400, charge)
    shared.mode = 'hang'
    // With 400 left.
    expect(takeAll(charge)).toBe(12)
  })

  test('is none close to the limit', async () => {
    const charge = chargeOf({ limit: 115, grain: 10 })
    await shared.store.admit([{ ...charge, weight: 100 }])
    note(await admit(15, charge), charge)
    await time.advance(1_000)
    expect(shared.asked.lease).toBe(0)
    expect(takeAll(charge)).toBe(0)
  })

  test('is over after 99 % of a second', async () => {
    await lease()
    shared.mode = 'hang'
    expect(takeAll(CHARGE, 1)).toBe(1)
    await time.advance(989)
    expect(takeAll(CHARGE, 1)).toBe(1)
    await time.advance(1)
    expect(takeAll()).toBe(0)
  })

  test('counts from the sending of its ask', async () => {
    const admissions = await admit(20)
    shared.mode = 'hang'
    note(admissions)
    await time.advance(900)
    for (const pending of shared.pending.splice(0)) pending.answer()
    await time.settle()
    expect(takeAll(CHARGE, 1)).toBe(1)
    await time.advance(90)
    expect(takeAll()).toBe(0)
  })

  test('is asked for anew when half of it is used up, and once at a time', async () => {
    await lease()
    const before = shared.asked.lease
    takeAll(CHARGE, 62)
    await time.settle()
    expect(shared.asked.lease).toBe(before)
    shared.mode = 'hang'
    takeAll(CHARGE, 20)
    await time.settle()
    expect(shared.asked.lease).toBe(before + 1)
    for (const pending of shared.pending.splice(0)) pending.answer()
    await time.settle()
    // What was used of it is there again, in the same bucket: one lease with more time.
    expect(takeAll()).toBeGreaterThan(43)
  })

  test('is asked for anew when two thirds of its time are over', async () => {
    await lease()
    const before = shared.asked.lease
    await time.advance(640)
    takeAll(CHARGE, 1)
    await time.advance(20)
    expect(shared.asked.lease).toBe(before)
    takeAll(CHARGE, 1)
    await time.advance(20)
    expect(shared.asked.lease).toBe(before + 1)
  })

  test('is not used for a limit that has changed', async () => {
    await lease()
    expect(takeAll({ ...CHARGE, limit: 9_999 })).toBe(0)
    expect(takeAll({ ...CHARGE, grain: 1 })).toBe(0)
    expect(takeAll(CHARGE, 1)).toBe(1)
  })

  test('does not answer whether anything is left', async () => {
    await lease()
    expect(leases.take([{ ...CHARGE, weight: 0 }])).toBeUndefined()
  })

  test('covers a call whose weight it has, and no larger one', async () => {
    await lease()
    const left = shared.used(CHARGE) - 100
    expect(leases.take([{ ...CHARGE, weight: left + 1 }])).toBeUndefined()
    expect(leases.take([{ ...CHARGE, weight: left }])).toHaveLength(1)
  })

  test('that one charge of a call lacks is used for none of them', async () => {
    await lease()
    await lease(50, OTHER)
    shared.mode = 'hang'
    const taken = takeAll(OTHER)
    expect(taken).toBeGreaterThan(0)
    expect(leases.take([CHARGE, OTHER])).toBeUndefined()
    expect(takeAll()).toBe(125)
  })

  test('is not used twice by a call that names its ring twice', async () => {
    await lease()
    expect(leases.take([CHARGE, CHARGE])).toBeUndefined()
  })

  test('promises no more than what was left, less what was used since', async () => {
    await lease()
    const used = shared.used(CHARGE)
    await time.advance(100)
    const [verdict] = leases.take([CHARGE]) ?? []
    expect(verdict).toMatchObject({ fits: 'yes', used: used + 1, fitMs: 0 })
    // The first call leaves with the second in which it was made, what was leased with the one after.
    expect(verdict?.releaseMs).toBe(60_900)
    expect(verdict?.resetMs).toBe(61_900)
    expect(leases.take([CHARGE])?.[0]?.used).toBe(used + 2)
  })
})

describe('what is left', () => {
  test('is given back when the lease is over, once', async () => {
    await lease()
    takeAll(CHARGE, 20)
    await time.advance(1_400)
    expect(shared.used(CHARGE)).toBe(120)
    await time.advance(10_000)
    expect(shared.used(CHARGE)).toBe(120)
    const sent = shared.asked.lease
    await time.advance(10_000)
    expect(shared.asked.lease).toBe(sent)
  })

  test('is given back with the next ask while it is renewed, and needs no command of its own', async () => {
    const commands: (readonly [asks: number, backs: number])[] = []
    const { store } = shared
    leases = create({
      ...shared,
      store: {
        ...store,
        lease(asks, backs) {
          commands.push([asks.length, backs.length])
          return store.lease(asks, backs)
        },
      },
    })
    await lease()
    for (let call = 0; call < 300; call += 1) {
      expect(leases.take([CHARGE])).toHaveLength(1)
      await time.advance(10)
    }
    expect(commands.filter(([asks]) => asks === 0)).toEqual([])
    expect(commands.some(([asks, backs]) => asks > 0 && backs > 0)).toBe(true)
    await time.advance(2_000)
    expect(commands.at(-1)?.[0]).toBe(0)
    expect(shared.used(CHARGE)).toBe(400)
  })

  test('is given back to the bucket that was charged, and makes no room in a later window', async () => {
    await lease()
    await time.advance(1_400)
    await time.advance(59_600)
    // The second of the calls has left; that of the lease would leave with the next one.
    expect(shared.used(CHARGE)).toBe(0)
  })

  test('is given back at the end of the process', async () => {
    await lease()
    takeAll(CHARGE, 20)
    await leases.close()
    expect(shared.used(CHARGE)).toBe(120)
    expect(takeAll()).toBe(0)
  })

  test('is lost with a process that dies, until its window is over', async () => {
    await lease()
    shared.mode = 'hang'
    await time.advance(30_000)
    expect(shared.used(CHARGE)).toBe(225)
    await time.advance(32_000)
    expect(shared.used(CHARGE)).toBe(0)
  })

  test('is not given back a second time where the first was not answered', async () => {
    await lease()
    shared.mode = CONNECTION_LOST
    await time.advance(2_000)
    shared.mode = 'answer'
    await time.advance(5_000)
    expect(shared.used(CHARGE)).toBe(225)
  })

  test('is given back before a call that was refused asks again', async () => {
    await lease()
    const [verdict] = (await shared.store.admit([{ ...CHARGE, weight: 9_900 }])).verdicts
    expect(verdict?.fits).toBe('later')
    const refused = { admitted: false, verdicts: verdict === undefined ? [] : [verdict] }
    expect(leases.giveBackRefusing([CHARGE], refused)).toBe(true)
    expect(shared.used(CHARGE)).toBe(100)
    expect(leases.giveBackRefusing([CHARGE], refused)).toBe(false)
    expect(takeAll()).toBe(0)
  })
})

describe('settlement', () => {
  const settle = (index: number, delta: number): boolean =>
    leases.settle({ key: CHARGE.key, index, delta, grain: CHARGE.grain })

  test('what a call did not use can be used by another, in the bucket where it was charged', async () => {
    await lease()
    shared.mode = 'hang'
    const [verdict] = leases.take([{ ...CHARGE, weight: 25 }]) ?? []
    expect(settle((verdict?.index ?? 0) - 10, -20)).toBe(false)
    expect(settle(verdict?.index ?? 0, -20)).toBe(true)
    expect(takeAll()).toBe(120)
  })

  test('there is never more than was leased', async () => {
    await lease()
    const [verdict] = leases.take([{ ...CHARGE, weight: 25 }]) ?? []
    expect(settle(verdict?.index ?? 0, -26)).toBe(false)
  })

  test('what a call used beyond its weight is taken from what was leased, where that has so much', async () => {
    await lease()
    shared.mode = 'hang'
    leases.take([CHARGE])
    expect(settle(0, 125)).toBe(false)
    expect(settle(0, 24)).toBe(true)
    expect(takeAll()).toBe(100)
  })

  test('goes to the shared store when the lease is over', async () => {
    await lease()
    const [verdict] = leases.take([CHARGE]) ?? []
    await time.advance(1_000)
    expect(settle(verdict?.index ?? 0, -1)).toBe(false)
    expect(settle(0, 1)).toBe(false)
  })
})

describe('what is not counted any more is not used', () => {
  test('after the connection was lost; nor is it given back', async () => {
    await lease()
    shared.lose()
    expect(takeAll()).toBe(0)
    await time.advance(5_000)
    expect(shared.used(CHARGE)).toBe(225)
  })

  test('nor what was asked for before and granted after', async () => {
    await lease(20)
    await time.advance(1_500)
    shared.mode = 'hang'
    for (let call = 0; call < 20; call += 1) leases.note([CHARGE])
    await time.settle()
    expect(shared.pending.filter(({ name }) => name === 'lease')).toHaveLength(1)
    shared.lose()
    for (const pending of shared.pending.splice(0)) pending.answer()
    await time.settle()
    expect(takeAll()).toBe(0)
  })

  test('after the shared store has forgotten the ring, as soon as it is asked again', async () => {
    await lease()
    shared.rings.reset(CHARGE.key)
    takeAll(CHARGE, 70)
    await time.settle()
    shared.mode = 'hang'
    const counted = shared.used(CHARGE)
    expect(counted).toBeGreaterThan(0)
    expect(takeAll()).toBe(counted)
  })

  test('and takes nothing from what others have used since', async () => {
    await lease()
    shared.rings.reset(CHARGE.key)
    await shared.store.admit([{ ...CHARGE, weight: 30 }])
    await time.advance(5_000)
    expect(shared.used(CHARGE)).toBe(30)
  })

  test('after a reset by hand, also of an answer that is under way', async () => {
    await lease()
    shared.mode = 'hang'
    takeAll(CHARGE, 70)
    await time.settle()
    leases.forget({ ...CHARGE.key })
    for (const pending of shared.pending.splice(0)) pending.answer()
    await time.settle()
    expect(takeAll()).toBe(0)
  })
})

test('rings of one command are those of one workspace in a Cluster', async () => {
  const cluster = createScriptedStore(time.clock.now)
  const workspaces: string[][] = []
  const { store } = cluster
  leases = create({
    ...cluster,
    store: {
      ...store,
      kind: 'cluster',
      lease(asks, backs) {
        workspaces.push([...asks, ...backs].map(({ key }) => key.workspaceId))
        return store.lease(asks, backs)
      },
    },
  })
  const charges = ['one', 'two'].map((workspaceId) => chargeOf({ limit: 10_000, grain: 10, workspaceId }))
  for (let call = 0; call < 20; call += 1) {
    for (const charge of charges) {
      await store.admit([charge])
      leases.note([charge])
    }
  }
  await time.advance(3_000)
  expect(new Set(workspaces.flat())).toEqual(new Set(['one', 'two']))
  for (const each of workspaces) expect(new Set(each).size).toBe(1)
})
