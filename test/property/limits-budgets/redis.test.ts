import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { type OwnRedis, startOwnRedis } from '../limits-redis/support/own-redis.ts'
import { LIMIT, Processes } from './support/processes.ts'
import { orderly, take, withForgetting, withResets } from './support/schedule.ts'
import { redisWire } from './support/wire.ts'

const BUDGETS = ['one', 'two']
const RUNS = Number(process.env.WEIR_BUDGET_RUNS ?? 150)

let server: OwnRedis
let client: Redis
beforeAll(async () => {
  server = await startOwnRedis()
  client = new Redis(server.url)
})
afterAll(async () => {
  client.disconnect()
  await server.close()
})

const created = (count: number): Processes =>
  new Processes({
    count,
    budgets: BUDGETS,
    workspaceId: crypto.randomUUID(),
    // No call is decided by its process alone.
    deadlineMs: 1e9,
    wireOf: (_time, name) => redisWire(client, name),
  })

/** A call with all that is left is admitted, and one with more is not: the scripts count neither more nor less. */
const expectExact = async (processes: Processes): Promise<void> => {
  for (const which of processes.alive.keys()) processes.hear(which)
  await processes.deliverAll()
  await processes.time.advance(1_500)
  await processes.deliverAll()
  for (const place of BUDGETS.keys()) {
    const left = LIMIT - processes.committed(place)
    for (const weight of [left + 1, left]) {
      const { admitted, refused } = processes
      processes.call(0, place === 0 ? [weight] : [undefined, weight], false)
      await processes.deliverAll()
      expect([weight, processes.admitted - admitted, processes.refused - refused]).toEqual(
        weight > left || left === 0 ? [weight, 0, 1] : [weight, 1, 0],
      )
    }
  }
}

test('whatever the order in which things arrive at Redis, no more is spent and held than the limit', async () => {
  let admitted = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(orderly, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const processes = created(count)
      const expectWithin = (): void => {
        for (const place of BUDGETS.keys()) expect(processes.committed(place)).toBeLessThanOrEqual(LIMIT)
      }
      for (const step of taken) {
        await take(processes, step, () => undefined)
        expectWithin()
      }
      await processes.deliverAll()
      expectWithin()
      admitted += processes.admitted
      refused += processes.refused
      await expectExact(processes)
    }),
    { numRuns: RUNS },
  )
  expect(admitted).toBeGreaterThan(RUNS)
  expect(refused).toBeGreaterThan(RUNS / 2)
}, 300_000)

test('what Redis forgets is there again a second later', async () => {
  await fc.assert(
    fc.asyncProperty(withForgetting, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const processes = created(count)
      for (const step of taken) await take(processes, step, () => client.flushall())
      await processes.deliverAll()
      // More may have been let through meanwhile.
      if (BUDGETS.every((_, place) => processes.committed(place) <= LIMIT)) await expectExact(processes)
    }),
    { numRuns: RUNS },
  )
}, 300_000)

test('a reset by hand begins anew for all, and nothing that arrives late brings back what was before', async () => {
  const processes = created(2)
  processes.call(0, [9], false)
  processes.call(1, [8], false)
  await processes.deliverAll()
  for (const which of [0, 1]) processes.finish(which, 0, 0.7)
  await processes.time.advance(20)
  // On its way, as are the commands that tell what was spent, when the reset comes.
  processes.call(1, [3], false)
  await processes.time.settle()
  expect(processes.alive.map(({ wire }) => wire.waiting.length)).toEqual([1, 2])

  processes.reset()
  processes.hear(0)
  const before = processes.admitted
  processes.call(0, [LIMIT - 3], false)
  while (processes.at(0).wire.waiting.length > 0) await processes.deliver(0)
  expect(processes.admitted - before).toBe(1)

  // The other one has not heard of it, and its call is admitted where it was asked.
  await processes.deliverAll()
  expect(processes.admitted - before).toBe(2)
  expect([0, 1].map((place) => processes.committed(place))).toEqual([LIMIT, 0])
  await expectExact(processes)
})

test('whenever a reset comes, all count the same afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(withResets, fc.integer({ min: 2, max: 3 }), async (taken, count) => {
      const processes = created(count)
      for (const step of taken) await take(processes, step, () => undefined)
      await processes.deliverAll()
      // Whoever has not heard of it lets calls through by the count of before.
      if (BUDGETS.every((_, place) => processes.committed(place) <= LIMIT)) await expectExact(processes)
    }),
    { numRuns: RUNS },
  )
}, 300_000)
