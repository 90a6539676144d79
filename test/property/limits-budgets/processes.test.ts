import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SharedCount } from '../../../src/limits/claims/shared-count.ts'
import { countKeyOf } from '../../../src/limits/redis/redis-keys.ts'
import { counterOf } from '../../../src/limits/test-support/claims.ts'
import { createSharedHashes, type SharedHashes } from '../../../src/limits/test-support/shared-hashes.ts'
import { LIMIT, Processes } from './support/processes.ts'
import { orderly, type Step, take, withDeaths, withLosses, withResets } from './support/schedule.ts'
import { scriptedWire } from './support/wire.ts'

const BUDGETS = ['one', 'two']
/** No call is decided by its process alone. */
const NEVER_MS = 1e9
const RUNS = Number(process.env.WEIR_BUDGET_RUNS ?? 300)

const created = (count: number, deadlineMs = NEVER_MS): { processes: Processes; hashes: SharedHashes } => {
  let hashes: SharedHashes | undefined
  const processes = new Processes({
    count,
    budgets: BUDGETS,
    workspaceId: 'workspace',
    deadlineMs,
    wireOf(time, name) {
      hashes ??= createSharedHashes(time.clock.now)
      return scriptedWire(time.clock.now, hashes, name)
    },
  })
  if (hashes === undefined) throw new Error('no process was started')
  return { processes, hashes }
}

const keyOf = (budgetId: string, generation: number): string =>
  countKeyOf(
    new SharedCount(
      counterOf(budgetId, { key: { workspaceId: 'workspace', budgetId, group: 'group', startMs: 0 }, generation }),
    ),
  )

const expectWithin = (processes: Processes): void => {
  for (const [place, budget] of BUDGETS.entries()) {
    const committed = processes.committed(place)
    expect({ budget, committed, isWithin: committed <= LIMIT }).toEqual({ budget, committed, isWithin: true })
  }
}

/** Once all has arrived the shared store has exactly what there is. */
const expectExact = (processes: Processes, hashes: SharedHashes): void => {
  for (const [place, budget] of BUDGETS.entries()) {
    expect({ budget, used: hashes.used(keyOf(budget, processes.generation)) }).toEqual({
      budget,
      used: processes.committed(place),
    })
  }
}

const run = async (taken: readonly Step[], { processes, hashes }: ReturnType<typeof created>, isWithin: boolean) => {
  for (const step of taken) {
    await take(processes, step, () => hashes.clear())
    if (isWithin) expectWithin(processes)
  }
  await processes.deliverAll()
  if (isWithin) expectWithin(processes)
}

test('whatever the order in which things arrive, no more is spent and held than the limit', async () => {
  let admitted = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(orderly, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const world = created(count)
      await run(taken, world, true)
      for (const which of world.processes.alive.keys()) world.processes.hear(which)
      await world.processes.open()
      await world.processes.time.advance(500)
      expectExact(world.processes, world.hashes)
      admitted += world.processes.admitted
      refused += world.processes.refused
    }),
    { numRuns: RUNS },
  )
  expect(admitted).toBeGreaterThan(RUNS)
  expect(refused).toBeGreaterThan(RUNS)
}, 120_000)

test('nor when processes die, as long as their spools are taken over in time', async () => {
  await fc.assert(
    fc.asyncProperty(withDeaths, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const world = created(count)
      await run(taken, world, true)
      // What the dead had is passed over by then.
      world.processes.takeOver()
      for (const which of world.processes.alive.keys()) world.processes.hear(which)
      await world.processes.open()
      await world.processes.time.advance(32_000)
      for (const which of world.processes.alive.keys()) world.processes.call(which, [0, 0], false)
      await world.processes.time.settle()
      expectExact(world.processes, world.hashes)
    }),
    { numRuns: RUNS / 4 },
  )
}, 120_000)

test('what is lost, done twice, or forgotten by the shared store is right again after two seconds', async () => {
  await fc.assert(
    fc.asyncProperty(withLosses, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const world = created(count, 40)
      await run(taken, world, false)
      await world.processes.open()
      await world.processes.time.advance(3_000)
      for (const which of world.processes.alive.keys()) {
        world.processes.hear(which)
        // A count that holds nothing any more is not told anew for its total alone: a call does.
        world.processes.call(which, [0, 0], false)
      }
      await world.processes.time.advance(100)
      expectExact(world.processes, world.hashes)
    }),
    { numRuns: RUNS },
  )
}, 120_000)

test('nothing of before a reset by hand comes back, however late it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(withResets, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const world = created(count)
      await run(taken, world, false)
      for (const which of world.processes.alive.keys()) world.processes.hear(which)
      await world.processes.open()
      await world.processes.time.advance(1_500)
      for (const which of world.processes.alive.keys()) world.processes.call(which, [0, 0], false)
      await world.processes.time.advance(100)
      expectExact(world.processes, world.hashes)
    }),
    { numRuns: RUNS },
  )
}, 120_000)
