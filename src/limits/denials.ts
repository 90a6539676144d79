import { createBoundedMap } from '../core/bounded-map.ts'
import type { Verdict } from './ring/ring.ts'

/** What a ring refused a moment ago. */
export interface Denial {
  readonly weight: number
  /** A changed limit makes the denial void. */
  readonly limit: number
  readonly verdict: Verdict
}

/** How long a denial counts: what others give back, or an operator resets, is seen after this at the latest. */
const LONGEST_MS = 250
const MAXIMUM_DENIALS = 10_000

/**
 * Remembers refusals for a moment, so that a client which hammers at a full window costs no round trip. It can only
 * refuse, so it never lets more through than the ring would. Times are those of the monotonic clock.
 */
export const createDenials = () => {
  const denials = createBoundedMap<string, Denial & { readonly atMs: number }>(MAXIMUM_DENIALS)
  return {
    remember: (ring: string, denial: Denial, atMs: number): void => denials.set(ring, { ...denial, atMs }),
    /** What the ring would say now to the same weight or more. */
    find(ring: string, weight: number, limit: number, nowMs: number): Verdict | undefined {
      const found = denials.peek(ring)
      if (found === undefined) return undefined
      const { verdict, atMs } = found
      const passedMs = nowMs - atMs
      if (found.limit !== limit || passedMs >= Math.min(verdict.fitMs, LONGEST_MS)) {
        denials.delete(ring)
        return undefined
      }
      if (weight < found.weight) return undefined
      const left = (ms: number): number => Math.max(0, ms - passedMs)
      const { releaseMs, resetMs, fitMs } = verdict
      return { ...verdict, releaseMs: left(releaseMs), resetMs: left(resetMs), fitMs: left(fitMs) }
    },
    forget(ring: string): void {
      denials.delete(ring)
    },
    get size(): number {
      return denials.size
    },
  }
}

export type Denials = ReturnType<typeof createDenials>
