import type { Claim, Ring, Verdict } from '../../../src/limits/ring/ring.ts'
import type { WindowGrid } from '../../../src/limits/ring/units.ts'
import { type Log, spentSince, writtenAfter, writtenFrom } from './oracle.ts'
import { hold, type RingFunctions } from './subject.ts'

/** A ring and all that is known about it. */
export interface State {
  readonly grid: WindowGrid
  readonly ring: Ring
  readonly log: Log
  readonly trueMs: number
  /** How far the clock of the ring is behind: it has been put back. */
  readonly lagMs: number
  /** The operations that led here, for people. */
  readonly path: string
}

export const clockOf = ({ trueMs, lagMs }: State): number => trueMs - lagMs

const factsOf = (state: State, more?: unknown) => () => ({
  ...state,
  ring: { ...state.ring, buckets: [...state.ring.buckets] },
  more,
})

/** First bucket that is counted now. */
const firstOf = (state: State): number =>
  Math.max(Math.floor(clockOf(state) / state.grid.bucketMs), state.ring.newest) - state.grid.buckets

/** I4: what the ring holds is what the log holds, and its running figures are those of its buckets. */
export const checkConservation = (state: State): void => {
  const { ring, log } = state
  const facts = factsOf(state)
  const first = firstOf(state)
  let sum = 0
  let live = 0
  let before = Number.NEGATIVE_INFINITY
  for (const [index, weight] of ring.buckets) {
    hold(weight > 0, 'I4: no bucket is empty or negative', facts)
    hold(index > before, 'I4: buckets are in order', facts)
    if (sum === 0) hold(index === ring.oldest, 'I4: oldest is the first bucket', facts)
    before = index
    sum += weight
    if (index >= first) live += weight
  }
  hold(sum === ring.sum, 'I4: the sum is that of the buckets', facts)
  hold(live === writtenFrom(log, first), 'I4: the buckets hold what was written and not given back', facts)
}

/**
 * Checks what the ring said to a claim, in the state after it.
 * @param grainMost the coarsest grain that was ever written
 */
export const checkVerdict = (
  functions: RingFunctions,
  state: State,
  claim: Claim,
  verdict: Verdict,
  grainMost: number,
): void => {
  const { grid, ring, log, trueMs, lagMs } = state
  const facts = factsOf(state, { claim, verdict })
  const needed = Math.max(claim.weight, 1)
  hold((verdict.fits === 'never') === needed > claim.limit, 'never: exactly what is above the limit alone', facts)
  hold(verdict.used === ring.sum, 'used is the sum', facts)
  const ahead = verdict.index - Math.max(Math.floor(clockOf(state) / grid.bucketMs), ring.newest)
  hold(ahead >= 0 && ahead < claim.grain, 'the index is in the current bucket of its grain', facts)
  if (verdict.fits === 'yes') {
    const spent = spentSince(log, trueMs - grid.windowMs)
    hold(spent <= claim.limit, 'I1: no window holds more than the limit', () => ({ spent, ...facts() }))
    hold(verdict.fitMs === 0, 'nothing to wait for', facts)
    return
  }
  if (verdict.fits === 'never') return
  const written = writtenAfter(log, trueMs - grid.windowMs - grainMost * grid.bucketMs - lagMs)
  hold(written + needed > claim.limit, 'I2: caution is less than one written bucket', () => ({ written, ...facts() }))
  const at = (afterMs: number) => functions.judge(functions.copyRing(ring), grid, claim, clockOf(state) + afterMs)
  hold(verdict.fitMs > 0 && at(verdict.fitMs) === 'yes', 'I7: it fits after the wait', facts)
  hold(at(verdict.fitMs - 1) === 'later', 'I7: and not a millisecond sooner', facts)
}

/** Checks the times until something leaves, and until nothing is left, of a claim that was not added. */
export const checkTimes = (functions: RingFunctions, state: State, verdict: Verdict): void => {
  const facts = factsOf(state, verdict)
  const at = (afterMs: number): number => {
    const copy = functions.copyRing(state.ring)
    functions.judge(copy, state.grid, { limit: 1, weight: 0, grain: 1, shadow: true }, clockOf(state) + afterMs)
    return copy.sum
  }
  if (verdict.used === 0) {
    hold(verdict.releaseMs === 0 && verdict.resetMs === 0, 'nothing to release', facts)
    return
  }
  hold(at(verdict.releaseMs) < verdict.used, 'something leaves at the release', facts)
  hold(at(verdict.releaseMs - 1) === verdict.used, 'and nothing before', facts)
  hold(at(verdict.resetMs) === 0, 'nothing is left at the reset', facts)
  hold(at(verdict.resetMs - 1) > 0, 'and something before', facts)
}
