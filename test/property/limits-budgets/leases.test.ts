import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SharedCount } from '../../../src/limits/claims/shared-count.ts'
import { countKeyOf } from '../../../src/limits/redis/redis-keys.ts'
import { counterOf } from '../../../src/limits/test-support/claims.ts'
import { createSharedHashes, type SharedHashes } from '../../../src/limits/test-support/shared-hashes.ts'
import { Processes } from './support/processes.ts'
import { deliver, finish, losses, resets, type Step, take, tellOfLedger, which } from './support/schedule.ts'
import { scriptedWire } from './support/wire.ts'

const BUDGETS = ['one', 'two']
const LIMIT = 600
/** No call is decided by its process alone. */
const NEVER_MS = 1e9
const RUNS = Number(process.env.WEIR_BUDGET_RUNS ?? 300)

/** Calls of one process, one right after the other. */
interface Burst {
  readonly step: 'burst'
  readonly process: number
  readonly calls: number
  readonly weights: readonly (number | undefined)[]
  /** What each spends of a budget that holds nothing back. */
  readonly spend: number
}

const schedule = (weight: fc.Arbitrary<number>, ...more: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) => {
  const asked = fc.option(weight, { nil: undefined, freq: 3 })
  return fc.array<Burst | Step>(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          step: fc.constant('burst' as const),
          process: which,
          calls: fc.integer({ min: 1, max: 24 }),
          weights: fc.tuple(asked, asked),
          spend: fc.integer({ min: 1, max: 20 }),
        }),
      },
      { weight: 8, arbitrary: deliver },
      { weight: 12, arbitrary: finish },
      { weight: 5, arbitrary: tellOfLedger },
      {
        weight: 5,
        arbitrary: fc.record({ step: fc.constant('wait' as const), ms: fc.constantFrom(1, 20, 400, 1_100, 2_500) }),
      },
      ...more,
    ),
    { minLength: 20, maxLength: 120, size: 'max' },
  )
}

const held = fc.integer({ min: 1, max: 9 })
const created = (count: number, deadlineMs = NEVER_MS): { processes: Processes; hashes: SharedHashes } => {
  let hashes: SharedHashes | undefined
  const processes = new Processes({
    ...{ count, budgets: BUDGETS, workspaceId: 'workspace', deadlineMs, limit: LIMIT, leases: true },
    wireOf(time, name) {
      hashes ??= createSharedHashes(time.clock.now)
      return scriptedWire(time.clock.now, hashes, name)
    },
  })
  if (hashes === undefined) throw new Error('no process was started')
  return { processes, hashes }
}

/** @param expectSound is asked after each step */
const run = async (
  taken: readonly (Burst | Step)[],
  { processes, hashes }: ReturnType<typeof created>,
  expectSound: () => void,
): Promise<void> => {
  for (const step of taken) {
    if (step.step === 'burst') {
      for (let call = 0; call < step.calls; call += 1) {
        processes.call(step.process, step.weights, false, step.spend)
        await processes.time.settle()
      }
      // Else most of a schedule would be waiting for answers.
      while (step.calls % 3 > 0 && processes.at(step.process).wire.waiting.length > 0)
        await processes.deliver(step.process)
    } else await take(processes, step, () => hashes.clear())
    expectSound()
  }
  await processes.deliverAll()
  expectSound()
}

/** All calls end, and the time of all leases. */
const comeToRest = async (processes: Processes): Promise<void> => {
  await processes.deliverAll()
  for (const [place, { calls }] of processes.alive.entries()) {
    while (calls.length > 0) processes.finish(place, 0, 0.7)
    processes.apply(place)
  }
  await processes.open()
  await processes.time.advance(3_000)
  for (const which of processes.alive.keys()) processes.hear(which)
  await processes.time.advance(1_500)
  for (const which of processes.alive.keys()) processes.call(which, [0, 0], false)
  await processes.time.advance(1_500)
}

const expectExact = ({ processes, hashes }: ReturnType<typeof created>): void => {
  for (const [place, budget] of BUDGETS.entries()) {
    const key = { workspaceId: 'workspace', budgetId: budget, group: 'group', startMs: 0 }
    const used = hashes.used(countKeyOf(new SharedCount(counterOf(budget, { key, generation: processes.generation }))))
    expect({ budget, used }).toEqual({ budget, used: processes.committed(place) })
  }
}

test('whatever the order in which things arrive, no more is spent and held than the limit, and nothing stays held ahead', async () => {
  let covered = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(schedule(held), fc.integer({ min: 1, max: 3 }), async (taken, count) => {
      const world = created(count)
      const { processes } = world
      await run(taken, world, () => {
        for (const [place, budget] of BUDGETS.entries()) {
          const committed = processes.committed(place)
          expect({ budget, committed, isWithin: committed <= LIMIT }).toEqual({ budget, committed, isWithin: true })
        }
      })
      await comeToRest(processes)
      expectExact(world)
      covered += processes.covered
      refused += processes.refused
    }),
    { numRuns: RUNS },
  )
  expect(covered).toBeGreaterThan(RUNS * 10)
  expect(refused).toBeGreaterThan(RUNS)
}, 240_000)

/** Calls that are all let through before one of them has ended, and together spend more than there is. */
const CROWD = 23
const crowdOf = (process: number): (Burst | Step)[] => [
  { step: 'burst', process, calls: CROWD, weights: [0, undefined], spend: 20 },
  ...Array.from({ length: CROWD }, (): Step => ({ step: 'finish', process, call: 0, share: 1 })),
]
const CROWDS = [...crowdOf(0), ...crowdOf(1)]

test('what holds nothing back passes the limit by no more than was in flight at each process', async () => {
  let covered = 0
  let refused = 0
  let passed = 0
  await fc.assert(
    fc.asyncProperty(schedule(fc.constantFrom(0, 0, 0, 0, 3)), fc.integer({ min: 1, max: 3 }), async (taken, count) => {
      const world = created(count)
      const { processes } = world
      await run(taken, world, () => {
        for (const [place, budget] of BUDGETS.entries()) {
          const committed = processes.committed(place)
          const most = LIMIT + processes.allowedBeyond(place)
          if (committed > LIMIT) passed += 1
          expect({ budget, committed, most, isWithin: committed <= most }).toMatchObject({ isWithin: true })
        }
      })
      await comeToRest(processes)
      expectExact(world)
      covered += processes.covered
      refused += processes.refused
    }),
    // By chance few schedules come that far.
    { numRuns: RUNS, examples: [[CROWDS, 2]] },
  )
  expect(covered).toBeGreaterThan(RUNS * 10)
  expect(refused).toBeGreaterThan(RUNS)
  expect(passed).toBeGreaterThan(0)
}, 240_000)

test('what is lost, done twice, forgotten by the shared store, or reset by hand is right again after some seconds', async () => {
  await fc.assert(
    fc.asyncProperty(schedule(held, ...losses, resets), fc.integer({ min: 1, max: 3 }), async (taken, count) => {
      const world = created(count, 40)
      await run(taken, world, () => undefined)
      await comeToRest(world.processes)
      expectExact(world)
    }),
    { numRuns: RUNS },
  )
}, 240_000)

test('a process alone, near the limit, lets through all that there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 400, maxLength: 400 }), async (weights) => {
      const { processes } = created(1)
      processes.at(0).wire.isOpen = true
      for (const weight of weights) {
        const left = LIMIT - processes.committed(0)
        const before = processes.admitted
        processes.call(0, [weight], false)
        await processes.time.advance(1)
        expect([left, weight, processes.admitted - before]).toEqual([left, weight, weight <= left ? 1 : 0])
      }
      expect(processes.covered).toBeGreaterThan(40)
    }),
    { numRuns: RUNS / 10 },
  )
}, 240_000)
