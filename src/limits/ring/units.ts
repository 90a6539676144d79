/** Unit of a limit: calls or tokens per second, minute, hour, day or week. Windows roll: `rpm` is any 60 s. */
export type LimitUnit = 'rps' | 'rpm' | 'rph' | 'rpd' | 'rpw'

/** How time is cut for one unit. All rings of a unit share this grid, whatever their limit. */
export interface WindowGrid {
  /** Length of the window in milliseconds. */
  readonly windowMs: number
  /** Length of one bucket in milliseconds: the window divided by `buckets`. */
  readonly bucketMs: number
  readonly buckets: number
  /** Buckets that a large limit writes as one, so that its ring stays small. */
  readonly coarseGrain: number
}

const grid = (windowMs: number, buckets: number, coarseGrain: number): WindowGrid => ({
  windowMs,
  buckets,
  bucketMs: windowMs / buckets,
  coarseGrain,
})

/** A ring never holds more than 105 buckets: below 128 fields Redis keeps a hash in its compact form. */
export const GRIDS: Readonly<Record<LimitUnit, WindowGrid>> = {
  rps: grid(1_000, 100, 1),
  rpm: grid(60_000, 600, 10),
  rph: grid(3_600_000, 600, 10),
  rpd: grid(86_400_000, 960, 10),
  rpw: grid(604_800_000, 840, 10),
}

/** Up to this limit a ring has no more non-empty buckets than its limit, so that fine ones cost nothing. */
const FINE_LIMIT = 100

/**
 * How many buckets are written as one. It depends on the limit alone and may change while a ring is in use: the grid, and
 * so the ring, stay the same. A shadow limit is counted beyond its value, so only coarse buckets bound its ring.
 */
export const grainOf = (unit: LimitUnit, limit: number, shadow: boolean): number =>
  limit <= FINE_LIMIT && !shadow ? 1 : GRIDS[unit].coarseGrain

/** Milliseconds that what was leased may be used at most. */
export const LONGEST_LEASE_MS = 1_000

/** Milliseconds for which weight is leased: no longer than what is written as one bucket, so that caution grows by no more. */
export const leaseMsOf = (unit: LimitUnit, grain: number): number =>
  Math.min(LONGEST_LEASE_MS, grain * GRIDS[unit].bucketMs)
