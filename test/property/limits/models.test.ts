import { expect, test } from 'bun:test'
import * as memoryStore from '../../../src/limits/ring/memory-store.ts'
import * as ring from '../../../src/limits/ring/ring.ts'
import { runMerges } from './merge.ts'
import { runModels } from './run-models.ts'

/** TEST_LONG=1 runs a hundred times as many. */
const TIMES = process.env.TEST_LONG === '1' ? 100 : 1
const DEADLINE_MS = TIMES * 120_000

test(
  'a million operations on the memory store, against the exact log',
  () => {
    const { operations, tally } = runModels(memoryStore, { runs: 2_500 * TIMES, leaps: false })
    expect(operations).toBeGreaterThanOrEqual(1_000_000)
    // Everything happens, and often.
    const { leaps, ...others } = tally
    expect(leaps).toBe(0)
    expect(Math.min(...Object.values(others))).toBeGreaterThan(5_000)
  },
  DEADLINE_MS,
)

test(
  'a clock that is put forward takes as much from the window, and no more',
  () => {
    const { tally } = runModels(memoryStore, { runs: 300 * TIMES, leaps: true })
    expect(tally.leaps).toBeGreaterThan(1_000)
  },
  DEADLINE_MS,
)

test(
  'rings put together are the ring of both histories',
  () => {
    expect(() => runMerges(ring, { runs: 2_000 * TIMES })).not.toThrow()
  },
  DEADLINE_MS,
)
