import fc from 'fast-check'
import type { LimitUnit } from '../../../src/limits/ring/units.ts'
import { apply } from './model.ts'
import { createWorld } from './model-world.ts'
import type { MemoryStoreFunctions } from './subject.ts'
import { emptyTally, type Tally } from './tally.ts'

const UNITS: readonly LimitUnit[] = ['rps', 'rpm', 'rph', 'rpd', 'rpw']
const SHORTEST = 350
const LONGEST = 500
/** Room for every digit of the longest operation. */
const MOST = 2 ** 52

const limitArbitrary = () =>
  fc.record({
    unit: fc.constantFrom(...UNITS),
    value: fc.constantFrom(1, 2, 3, 5, 20, 100, 101, 1_000, 1_000_000),
    shadow: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  })

const worldArbitrary = () =>
  fc.record({
    limits: fc.array(limitArbitrary(), { minLength: 1, maxLength: 4 }),
    operations: fc.array(fc.nat({ max: MOST }), { minLength: SHORTEST, maxLength: LONGEST, size: 'max' }),
  })

export interface RunOptions {
  readonly runs: number
  /** Whether the clock may be put forward. */
  readonly leaps: boolean
  /** By chance when absent. */
  readonly seed?: number
  /** Whether to look for the smallest world that breaks. */
  readonly shrink?: boolean
}

/**
 * Worlds by chance: one to four limits with two groups each, and some hundred operations.
 * @throws Error of fast-check with the smallest world that breaks an invariant
 * @returns operations that were done, and what came of them
 */
export const runModels = (
  functions: MemoryStoreFunctions,
  { runs, leaps, seed, shrink = true }: RunOptions,
): { operations: number; tally: Tally } => {
  let operations = 0
  const tally = emptyTally()
  fc.assert(
    fc.property(worldArbitrary(), ({ limits, operations: numbers }) => {
      const world = createWorld(functions, limits, tally)
      for (const number of numbers) apply(world, number, leaps)
      operations += numbers.length
    }),
    { numRuns: runs, endOnFailure: !shrink, ...(seed === undefined ? {} : { seed }) },
  )
  return { operations, tally }
}
