import type { WindowGrid } from './units.ts'

/**
 * A true sliding window in constant space: the weight of each bucket of time, for one bucket more than the window has.
 * A weight is admitted when all that is counted plus the weight stays within the limit. What was admitted in any interval
 * as long as the window is then counted by the last admission in it, so no such interval ever holds more than the limit
 * (the proof needs that the time of a ring never steps back, which `newest` ensures).
 *
 * Several buckets can be written as one, under the index of the last of them: they then leave together with it, which is
 * never too early. So a limit may become coarser or finer while its ring is in use.
 *
 * `../redis/scripts/*.lua` are this code for Redis; a test holds the two against each other, reply by reply.
 */
export interface Ring {
  /** Sum of all buckets. */
  sum: number
  /** Bucket of the latest time that the ring has seen. */
  newest: number
  /** Index of the oldest bucket that is not empty; meaningless when there is none. */
  oldest: number
  /** Highest index that was ever written. */
  last: number
  /** Weight by bucket index, counted from 1970; never 0. In the order of the indexes. */
  readonly buckets: Map<number, number>
}

/**
 * What a ring counts at most: the whole numbers that the driver of Redis reads exactly end there. Beyond, a refund would
 * leave something behind, or take too much.
 */
export const MOST_COUNTED = 2 ** 53 - 100

export const createRing = (): Ring => ({ sum: 0, newest: 0, oldest: 0, last: 0, buckets: new Map() })

/** To ask a ring without touching it. */
export const copyRing = (ring: Ring): Ring => ({ ...ring, buckets: new Map(ring.buckets) })

/** What one limit asks of its ring. */
export interface Claim {
  /** Most weight in any window. */
  readonly limit: number
  /** Weight to add: 1 for a request, or tokens; 0 only asks whether there is room for anything at all. */
  readonly weight: number
  /** See `grainOf`. */
  readonly grain: number
  /** True: never refuses, and is counted beyond its limit. */
  readonly shadow: boolean
}

/** What a ring says to a claim. Times are in milliseconds from now. */
export interface Verdict {
  readonly fits: 'yes' | 'later' | 'never'
  /** All that is counted: with the claim when it was added, without it when it was refused. */
  readonly used: number
  /** Bucket that was written, or would have been: where a refund has to go. */
  readonly index: number
  /** Until the oldest counted bucket leaves; 0 when there is none. */
  readonly releaseMs: number
  /**
   * Until all that is counted now has left; 0 when nothing is. When the claim was added: until its own bucket has left,
   * which is sooner for a while after a limit has become finer, or where a lease was charged ahead.
   */
  readonly resetMs: number
  /** For `later`: until the weight fits, if nothing else is added. Else 0. */
  readonly fitMs: number
}

const bucketAt = (ring: Ring, grid: WindowGrid, nowMs: number): number =>
  Math.max(Math.floor(nowMs / grid.bucketMs), ring.newest)

/** Index under which a weight of this bucket is written. */
const written = (bucket: number, grain: number): number => bucket - (bucket % grain) + grain - 1

/** Time in milliseconds since 1970 from which on a bucket is no longer counted. */
export const goneAt = (index: number, grid: WindowGrid): number => (index + grid.buckets + 1) * grid.bucketMs

const untilGone = (index: number, grid: WindowGrid, nowMs: number): number => goneAt(index, grid) - nowMs

/** Forgets what has left the window. Each bucket leaves once, so this is paid for by those that put something in. */
const prune = (ring: Ring, bucket: number, { buckets }: WindowGrid): void => {
  ring.newest = bucket
  const first = bucket - buckets
  if (ring.buckets.size === 0 || ring.oldest >= first) return
  for (const [index, weight] of ring.buckets) {
    if (index >= first) {
      ring.oldest = index
      return
    }
    ring.buckets.delete(index)
    ring.sum -= weight
  }
}

/** Whether the claim fits now. Forgets what has left, and adds nothing. */
export const judge = (ring: Ring, grid: WindowGrid, claim: Claim, nowMs: number): Verdict['fits'] => {
  prune(ring, bucketAt(ring, grid, nowMs), grid)
  // A claim of 0 asks whether there is room for anything at all.
  const needed = Math.max(claim.weight, 1)
  if (needed > claim.limit) return 'never'
  return ring.sum + needed <= claim.limit ? 'yes' : 'later'
}

/** Adds the claim to a ring that has just judged it, whatever it said. */
export const commit = (ring: Ring, grid: WindowGrid, claim: Claim, fits: Verdict['fits'], nowMs: number): Verdict => {
  if (claim.weight === 0) return describe(ring, grid, claim, fits, nowMs)
  const index = written(ring.newest, claim.grain)
  add(ring, index, claim.weight)
  return {
    fits,
    used: ring.sum,
    index,
    releaseMs: untilGone(ring.oldest, grid, nowMs),
    resetMs: untilGone(index, grid, nowMs),
    fitMs: 0,
  }
}

/** The verdict on a claim that is not added, by a ring that has just judged it. */
export const describe = (ring: Ring, grid: WindowGrid, claim: Claim, fits: Verdict['fits'], nowMs: number): Verdict => {
  const empty = ring.buckets.size === 0
  return {
    fits,
    used: ring.sum,
    index: written(ring.newest, claim.grain),
    releaseMs: empty ? 0 : untilGone(ring.oldest, grid, nowMs),
    resetMs: empty ? 0 : untilGone([...ring.buckets.keys()].at(-1) ?? 0, grid, nowMs),
    fitMs: fits === 'later' ? timeToFit(ring, grid, claim.limit - Math.max(claim.weight, 1), nowMs) : 0,
  }
}

/** Milliseconds until no more than `room` is counted, if nothing is added. */
const timeToFit = (ring: Ring, grid: WindowGrid, room: number, nowMs: number): number => {
  let counted = ring.sum
  for (const [index, weight] of ring.buckets) {
    counted -= weight
    if (counted <= room) return untilGone(index, grid, nowMs)
  }
  return 0
}

/**
 * Adds weight under an index as it is, so that rings of different processes can be put together bucket by bucket. What
 * has left the window by then is forgotten at the next judgement. What is beyond `MOST_COUNTED` is not counted.
 */
export const add = (ring: Ring, index: number, weight: number): void => {
  const added = Math.min(weight, MOST_COUNTED - ring.sum)
  if (!(added > 0)) return
  const held = ring.buckets.get(index)
  ring.oldest = ring.buckets.size === 0 ? index : Math.min(ring.oldest, index)
  ring.buckets.set(index, (held ?? 0) + added)
  ring.sum += added
  if (held === undefined && index < ring.last) putInOrder(ring)
  ring.last = Math.max(ring.last, index)
}

/** Only after something was written below the last index: when a limit has become finer, or rings are put together. */
const putInOrder = ({ buckets }: Ring): void => {
  const sorted = [...buckets].sort(([left], [right]) => left - right)
  buckets.clear()
  for (const [index, weight] of sorted) buckets.set(index, weight)
}

/**
 * Gives back weight that was charged and not used, to the bucket that was charged: it then never makes room in a window
 * that the charge was not part of. Nothing happens once that bucket has left.
 * @returns what was given
 */
export const refund = (ring: Ring, index: number, weight: number): number => {
  const held = ring.buckets.get(index)
  if (held === undefined) return 0
  const given = Math.min(held, weight)
  ring.sum -= given
  if (held > given) {
    ring.buckets.set(index, held - given)
    return given
  }
  ring.buckets.delete(index)
  if (index !== ring.oldest) return given
  const { value: oldest } = ring.buckets.keys().next()
  if (oldest !== undefined) ring.oldest = oldest
  return given
}

/**
 * Adds what was used beyond the charge to the current bucket, beyond the limit if need be: calls then wait until it has
 * left.
 * @returns index that was written
 */
export const debit = (ring: Ring, grid: WindowGrid, weight: number, grain: number, nowMs: number): number => {
  ring.newest = bucketAt(ring, grid, nowMs)
  const index = written(ring.newest, grain)
  add(ring, index, weight)
  return index
}

/** Weight in a bucket. */
export interface Chunk {
  readonly index: number
  readonly weight: number
}

/** What a process asks for that wants to let calls through without asking for each. */
export interface LeaseAsk {
  /** Most weight in any window. */
  readonly limit: number
  /** See `grainOf`. */
  readonly grain: number
  /** Weight to have in the bucket in which the lease ends. */
  readonly wanted: number
  /** All that was leased and not used yet is to be no more than one part in so many of what is left; 1 or more. */
  readonly share: number
  /** Leased earlier, and not used yet. */
  readonly inHand: number
  /** Of that what was leased last: its time is extended where the new lease ends in the same bucket. */
  readonly last: Chunk
  readonly leaseMs: number
}

/** What may be used from now on. Times are in milliseconds from now. */
export interface Grant {
  /** Charged now. */
  readonly granted: number
  /** Bucket in which the lease ends: where it was charged, and where what is left has to be given back. 0: there is none. */
  readonly index: number
  /** All that is counted, with what was charged now. */
  readonly used: number
  /** Until the oldest counted bucket leaves; 0 when there is none. */
  readonly releaseMs: number
  /** Until what was charged now has left. */
  readonly resetMs: number
}

/** Less is not worth a lease. */
export const LEAST_LEASED = 2
const NO_GRANT: Grant = { granted: 0, index: 0, used: 0, releaseMs: 0, resetMs: 0 }

/**
 * Charges weight ahead of its use, to the bucket in which its lease ends: whenever it is used until then, the windows that
 * its use is part of count it. Buckets ahead of now are counted from the start, so that nobody else is let through for it.
 */
export const lease = (ring: Ring, grid: WindowGrid, ask: LeaseAsk, nowMs: number): Grant => {
  const { grain, wanted, share, inHand, last, leaseMs } = ask
  prune(ring, bucketAt(ring, grid, nowMs), grid)
  const index = written(bucketAt(ring, grid, nowMs + leaseMs), grain)
  const kept = index === last.index ? last.weight : 0
  const limit = Math.min(ask.limit, MOST_COUNTED)
  const most = Math.floor((limit - ring.sum + inHand) / share) - inHand
  const granted = Math.max(0, Math.min(wanted - kept, most))
  if (granted + kept < LEAST_LEASED || ring.sum > limit) return { ...NO_GRANT, used: ring.sum }
  add(ring, index, granted)
  return {
    granted,
    index,
    used: ring.sum,
    releaseMs: ring.sum === 0 ? 0 : untilGone(ring.oldest, grid, nowMs),
    resetMs: untilGone(index, grid, nowMs),
  }
}

/** Whether anything is counted at that time. Changes nothing. */
export const isInUse = (ring: Ring, grid: WindowGrid, nowMs: number): boolean => {
  const first = bucketAt(ring, grid, nowMs) - grid.buckets
  if (ring.buckets.size === 0 || ring.oldest >= first) return ring.buckets.size > 0
  return ring.buckets.keys().some((index) => index >= first)
}
