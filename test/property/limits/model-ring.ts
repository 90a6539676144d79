import type { Verdict } from '../../../src/limits/ring/ring.ts'
import type { Charge, RingKey } from '../../../src/limits/ring/ring-store.ts'
import { GRIDS, grainOf, type LimitUnit } from '../../../src/limits/ring/units.ts'
import { admitted, indebted, type Log, refunded, spentSince, writtenAfter, writtenFrom } from './oracle.ts'
import { hold } from './subject.ts'

/** A limit as it stands: its value may change at any time. */
export interface ModelLimit {
  readonly id: string
  readonly unit: LimitUnit
  value: number
  readonly shadow: boolean
}

/** What the clocks say. */
export interface Time {
  /** Milliseconds since 1970 as they truly are. */
  trueMs: number
  /** How far the clock was put back in all. */
  lagMs: number
  /** How far it was put forward in all. */
  leapMs: number
}

export const clockOf = ({ trueMs, lagMs, leapMs }: Time): number => trueMs - lagMs + leapMs

/** What is known of one ring, from what was asked and answered alone. */
export interface ModelRing {
  readonly limit: ModelLimit
  readonly key: RingKey
  log: Log
  /** Bucket of the latest time that the ring has seen. */
  newest: number
  /** The coarsest grain that was written. */
  grainMost: number
}

const bucketNow = ({ key }: ModelRing, time: Time): number => Math.floor(clockOf(time) / GRIDS[key.unit].bucketMs)

export const grainNow = ({ unit, value, shadow }: ModelLimit): number => grainOf(unit, value, shadow)

/** What must be counted now: no more and no less than what was written to the window's buckets and not given back. */
export const countedNow = (ring: ModelRing, time: Time): number =>
  writtenFrom(ring.log, Math.max(bucketNow(ring, time), ring.newest) - GRIDS[ring.key.unit].buckets)

/** What the ring has to say to a weight by what is counted. */
export const fitsNow = (ring: ModelRing, time: Time, weight: number): Verdict['fits'] => {
  const needed = Math.max(weight, 1)
  if (needed > ring.limit.value) return 'never'
  return countedNow(ring, time) + needed <= ring.limit.value ? 'yes' : 'later'
}

/**
 * Learns which bucket the ring is in. The time of a ring does not step back; only one that was dropped, long after all
 * that was written had left, begins with the time of the clock.
 */
export const learnBucket = (ring: ModelRing, bucket: number, time: Time): void => {
  const facts = () => ({ bucket, ring, time })
  const now = bucketNow(ring, time)
  if (bucket < ring.newest && writtenFrom(ring.log, now - GRIDS[ring.key.unit].buckets) === 0) ring.newest = 0
  hold(bucket === Math.max(now, ring.newest), 'I8: the time of a ring does not step back', facts)
}

/** A ring that was judged has seen the time; one that was never written to does not exist. */
export const see = (ring: ModelRing, time: Time): void => {
  if (ring.log.length > 0) ring.newest = Math.max(ring.newest, bucketNow(ring, time))
}

const wrote = (ring: ModelRing, grain: number, time: Time): void => {
  ring.grainMost = Math.max(ring.grainMost, grain)
  see(ring, time)
}

export const recordCharge = (ring: ModelRing, charge: Charge, index: number, time: Time): void => {
  ring.log = admitted(ring.log, time.trueMs, charge.weight, index)
  wrote(ring, charge.grain, time)
}

export const recordRefund = (ring: ModelRing, place: number, weight: number): void => {
  ring.log = refunded(ring.log, place, weight)
}

export const recordDebt = (ring: ModelRing, place: number, weight: number, grain: number, time: Time): void => {
  const bucket = Math.max(bucketNow(ring, time), ring.newest)
  ring.log = indebted(ring.log, place, time.trueMs, weight, bucket - (bucket % grain) + grain - 1)
  wrote(ring, grain, time)
}

/** I1, at an admission. A clock that was put forward takes as much from the window, and no more. */
export const checkOvershoot = (ring: ModelRing, time: Time): void => {
  const windowMs = GRIDS[ring.key.unit].windowMs - time.leapMs
  const spent = windowMs > 0 ? spentSince(ring.log, time.trueMs - windowMs) : 0
  hold(spent <= ring.limit.value, 'I1: no window holds more than the limit', () => ({ spent, ring, time }))
}

/** I2, at a refusal. */
export const checkCaution = (ring: ModelRing, weight: number, time: Time): void => {
  const { windowMs, bucketMs } = GRIDS[ring.key.unit]
  const written = writtenAfter(ring.log, time.trueMs - windowMs - ring.grainMost * bucketMs - time.lagMs)
  const fits = written + Math.max(weight, 1) <= ring.limit.value
  hold(!fits, 'I2: caution is less than one written bucket', () => ({ written, weight, ring, time }))
}

/** The answer to one charge, before the model learns of it. */
export const checkVerdict = (
  ring: ModelRing,
  charge: Charge,
  verdict: Verdict,
  wasAdmitted: boolean,
  time: Time,
): void => {
  const facts = () => ({ charge, verdict, ring, time })
  const counted = countedNow(ring, time)
  hold(verdict.fits === fitsNow(ring, time, charge.weight), 'I4: judged by what was written and not given back', facts)
  hold(verdict.used === counted + (wasAdmitted ? charge.weight : 0), 'I4: used is what was written', facts)
  const bucket = bucketNow(ring, time)
  const latest = Math.max(bucket, ring.newest) + charge.grain - 1
  hold(verdict.index >= bucket && verdict.index <= latest, 'the index is that of the current bucket', facts)
  hold(verdict.index % charge.grain === charge.grain - 1, 'the index is the last of its grain', facts)
}
