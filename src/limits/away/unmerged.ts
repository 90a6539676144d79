import type { RingAddition } from '../ring/memory-store.ts'
import { goneAt } from '../ring/ring.ts'
import type { RingKey } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import { ringIdOf } from './last-replies.ts'

/** Rings that are looked after at most. */
const MAXIMUM_RINGS = 100_000

interface Entry {
  readonly key: RingKey
  readonly grain: number
  readonly buckets: Map<number, number>
}

/** What this process has counted and the shared store does not know of yet, bucket by bucket. */
export interface Unmerged {
  add(key: RingKey, grain: number, index: number, weight: number): void
  /** Takes weight back. @returns what is left of it: that is on its way to the shared store, or there already */
  take(key: RingKey, index: number, weight: number): number
  /** All of one ring, what is on its way included. */
  of(ring: string): readonly (readonly [index: number, weight: number])[]
  /** The next rings to send, at most so many. They are on their way until `finish`. */
  begin(most: number): readonly RingAddition[]
  /** The shared store has it; or not, and it has to be sent again. */
  finish(addition: RingAddition, isMerged: boolean): void
  forget(ring: string): void
  has(ring: string): boolean
  /** Rings with something to send. */
  readonly size: number
  /** Rings that were forgotten for want of room. */
  readonly dropped: number
}

export const createUnmerged = (now: () => number, maximumRings = MAXIMUM_RINGS): Unmerged => {
  const waiting = new Map<string, Entry>()
  const sending = new Map<string, Entry>()
  let dropped = 0

  const makeRoom = (): void => {
    const [oldest] = waiting
    if (oldest === undefined || waiting.size < maximumRings) return
    waiting.delete(oldest[0])
    if (liveBuckets(oldest[1], now()).length > 0) dropped += 1
  }

  const put = (ring: string, key: RingKey, grain: number): Map<number, number> => {
    const held = waiting.get(ring)
    if (held !== undefined && held.grain >= grain) return held.buckets
    if (held === undefined) makeRoom()
    const buckets = held?.buckets ?? new Map<number, number>()
    waiting.set(ring, { key, grain, buckets })
    return buckets
  }

  const add = (key: RingKey, grain: number, index: number, weight: number): void => {
    const buckets = put(ringIdOf(key), key, grain)
    buckets.set(index, (buckets.get(index) ?? 0) + weight)
    // Away for long, a ring would gather all buckets of that time.
    if (buckets.size > GRIDS[key.unit].buckets + 2) forgetGone(key, buckets, now())
  }

  return {
    add,
    take(key, index, weight) {
      const ring = ringIdOf(key)
      const buckets = waiting.get(ring)?.buckets
      const held = buckets?.get(index)
      if (buckets === undefined || held === undefined) return weight
      const taken = Math.min(held, weight)
      if (held > taken) buckets.set(index, held - taken)
      else buckets.delete(index)
      if (buckets.size === 0) waiting.delete(ring)
      return weight - taken
    },
    of: (ring) => [...(waiting.get(ring)?.buckets ?? []), ...(sending.get(ring)?.buckets ?? [])],
    begin(most) {
      const additions: RingAddition[] = []
      const nowMs = now()
      for (const [ring, entry] of waiting) {
        if (additions.length >= most) break
        // One at a time, or the second could not be told from the first when it fails.
        if (sending.has(ring)) continue
        waiting.delete(ring)
        const buckets = liveBuckets(entry, nowMs)
        if (buckets.length === 0) continue
        sending.set(ring, entry)
        additions.push({ key: entry.key, grain: entry.grain, buckets })
      }
      return additions
    },
    finish({ key, grain, buckets }, isMerged) {
      // Forgotten meanwhile: an operator has reset it.
      if (!sending.delete(ringIdOf(key)) || isMerged) return
      for (const [index, weight] of buckets) add(key, grain, index, weight)
    },
    forget(ring) {
      waiting.delete(ring)
      sending.delete(ring)
    },
    has: (ring) => waiting.has(ring) || sending.has(ring),
    get size() {
      return waiting.size + sending.size
    },
    get dropped() {
      return dropped
    },
  }
}

const liveBuckets = ({ key, buckets }: Entry, nowMs: number): (readonly [number, number])[] =>
  [...buckets].filter(([index]) => goneAt(index, GRIDS[key.unit]) > nowMs)

const forgetGone = ({ unit }: RingKey, buckets: Map<number, number>, nowMs: number): void => {
  for (const index of buckets.keys()) if (goneAt(index, GRIDS[unit]) <= nowMs) buckets.delete(index)
}
