import { describe, expect, test } from 'bun:test'
import { GRIDS } from '../../../src/limits/ring/units.ts'
import { createRandom } from '../limits-redis/support/random.ts'
import { runOverload, runTraffic, type Traffic } from './support/traffic.ts'

/** TEST_LONG=1 runs ten times as many. */
const TIMES = process.env.TEST_LONG === '1' ? 10 : 1
const DEADLINE_MS = TIMES * 240_000

/** 1 to 8 processes, fine and coarse buckets, 0.3 to 3.3 times of what the limit lets through. */
const trafficOf = (seed: number): Traffic => {
  const random = createRandom(seed)
  const unit = random.once(3) ? 'rps' : 'rpm'
  return {
    random,
    unit,
    processes: random.between(1, 8),
    limit: random.between(5, unit === 'rps' ? 3_000 : 600),
    heaviest: random.pick([1, 1, 3, 10]),
    load: random.between(3, 33) / 10,
    slowestMs: unit === 'rps' ? 2 : 20,
    windows: 2.5,
    deaths: 0,
    cuts: 0,
  }
}

describe('no window holds more than the limit, whatever processes use of what they leased', () => {
  test(
    'with commands that take their time, and calls that give back',
    async () => {
      let covered = 0
      for (let seed = 1; seed <= 60 * TIMES; seed += 1) {
        const traffic = trafficOf(seed)
        const world = await runTraffic(traffic)
        expect([seed, world.largest()]).toEqual([seed, Math.min(world.largest(), traffic.limit)])
        covered += world.covered
      }
      // Without many that are covered, nothing would have been tried.
      expect(covered).toBeGreaterThan(2_000)
    },
    DEADLINE_MS,
  )

  test(
    'with processes that die, and connections that break with commands under way',
    async () => {
      for (let seed = 1_001; seed <= 1_000 + 30 * TIMES; seed += 1) {
        const traffic = { ...trafficOf(seed), deaths: 30, cuts: 30 }
        const world = await runTraffic(traffic)
        expect([seed, world.largest()]).toEqual([seed, Math.min(world.largest(), traffic.limit)])
      }
    },
    DEADLINE_MS,
  )

  test(
    'but for what was in hand when Redis forgot everything: an eighth of what is left',
    async () => {
      for (let seed = 2_001; seed <= 2_000 + 20 * TIMES; seed += 1) {
        const traffic = trafficOf(seed)
        const { windowMs } = GRIDS[traffic.unit]
        const world = await runTraffic({ ...traffic, flushAtMs: windowMs })
        const startMs = world.startMs + windowMs
        const after = world.largest(({ atMs }) => atMs > startMs)
        expect([seed, after]).toEqual([seed, Math.min(after, Math.floor(traffic.limit * 1.125))])
      }
    },
    DEADLINE_MS,
  )
})

describe('a limit is reached to the last call', () => {
  test.each([
    [1, 'rpm', 1_000],
    [1, 'rpm', 401],
    [8, 'rpm', 1_000],
    [3, 'rph', 2_500],
    [2, 'rps', 1_500],
  ] as const)(
    'by %d processes, with %s of %d',
    async (processes, unit, limit) => {
      const world = await runOverload({ random: createRandom(7), processes, unit, limit })
      expect(world.covered).toBeGreaterThan(0)
      expect(world.refused).toBeGreaterThan(0)
      expect(world.weightSince(world.startMs, world.startMs + GRIDS[unit].windowMs)).toBe(limit)
      expect(world.largest()).toBe(limit)
    },
    DEADLINE_MS,
  )
})
