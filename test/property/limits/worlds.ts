import type { SmallWorld } from './enumerate.ts'

const EVERY_SIZE = [1, 2, 3, 4] as const
/** Operations in a row, where everything is walked through. */
const DEPTH = 8

const worldsOf = (grain: number): SmallWorld[] =>
  EVERY_SIZE.flatMap((buckets) =>
    EVERY_SIZE.map((limit) => ({ buckets, limits: [limit], grains: [grain], depth: DEPTH })),
  )

/** Each bucket is written as itself. */
export const FINE_WORLDS: readonly SmallWorld[] = worldsOf(1)
/** Two buckets are written as one. */
export const COARSE_WORLDS: readonly SmallWorld[] = worldsOf(2)
/** Limit and grain are changed from call to call. */
export const CHANGING_WORLDS: readonly SmallWorld[] = [1, 2, 3].map((buckets) => ({
  buckets,
  limits: [2, 4],
  grains: [1, 2],
  depth: 6,
}))
/** Enough to see a fault, in a moment. */
export const QUICK_WORLDS: readonly SmallWorld[] = [
  { buckets: 1, limits: [2], grains: [1], depth: 5 },
  { buckets: 3, limits: [3], grains: [2], depth: 5 },
  { buckets: 2, limits: [2, 3], grains: [1, 2], depth: 4 },
]
