import { describe, expect, test } from 'bun:test'
import { GRIDS } from '../../../src/limits/ring/units.ts'
import { testServices } from '../../support/services.ts'
import { runRace } from './support/race.ts'
import { largestWindow } from './support/race-log.ts'

const PROCESSES = 8
const WORKERS = 64
/** A busy machine may not come as far as the limit, or not use a lease of 10 ms before it is over. */
const MOST_RACES = 6
/** `WEIR_RACE_SECONDS=60` for the long run. */
const SECONDS = Number(process.env.WEIR_RACE_SECONDS ?? 3)

test('the largest window is found wherever it is', () => {
  const at = (place: number, atMs: number, weight: number) => ({ place, atMs, weight })
  expect(largestWindow([], 1_000)).toBe(0)
  // The window is open at its start and closed at its end.
  expect(largestWindow([at(0, 1_000, 2), at(0, 2_000, 3)], 1_000)).toBe(3)
  expect(largestWindow([at(0, 1_999, 3), at(0, 1_000, 2)], 1_000)).toBe(5)
  expect(largestWindow([at(0, 0, 4), at(1, 0, 5), at(0, 999, 2), at(0, 1_500, 3)], 1_000)).toBe(6)
})

describe('no window holds more than the limit', () => {
  test.each([
    ['one key', { keys: 1, limit: 300, heaviest: 3, refunds: false, leases: false, unit: 'rps', workers: WORKERS }],
    [
      'a thousand keys, with refunds',
      { keys: 1_000, limit: 8, heaviest: 4, refunds: true, leases: false, unit: 'rps', workers: WORKERS },
    ],
    // Of a minute a lease lasts a second, of a second 10 ms: few workers, so that answers come in time.
    [
      'one key, with leases',
      { keys: 1, limit: 20_000, heaviest: 3, refunds: false, leases: true, unit: 'rpm', workers: WORKERS },
    ],
    [
      'one key of a second, with leases',
      { keys: 1, limit: 8_000, heaviest: 3, refunds: false, leases: true, unit: 'rps', workers: 4 },
    ],
    [
      'four keys, with leases and refunds',
      { keys: 4, limit: 10_000, heaviest: 10, refunds: true, leases: true, unit: 'rpm', workers: WORKERS },
    ],
  ] as const)(
    `8 processes, ${SECONDS} s, %s`,
    async (_name, options) => {
      let limit: number = options.limit
      for (let races = 1; ; races += 1) {
        const workspaceId = `test-${crypto.randomUUID()}`
        const { redisUrl } = testServices()
        const race = await runRace(PROCESSES, { ...options, limit, redisUrl, workspaceId, seconds: SECONDS })
        const largest = largestWindow(race.events, GRIDS[options.unit].windowMs)
        const { admittedProcesses, covered, refused } = race
        console.log(
          `admitted ${race.events.length}, covered ${covered}, refused ${refused}, largest window ${largest}/${limit}`,
        )
        expect(largest).toBeLessThanOrEqual(limit)
        // Without several that get through, and without refusals, nothing would have been tried.
        const isTried = admittedProcesses > 1 && refused > 0 && covered > 0 === options.leases
        if (isTried || races === MOST_RACES) {
          expect({ admittedProcesses, refused, covered, isTried }).toMatchObject({ isTried: true })
          break
        }
        if (refused === 0) limit = Math.ceil(limit / 2)
      }
    },
    MOST_RACES * SECONDS * 1_000 + 120_000,
  )
})
