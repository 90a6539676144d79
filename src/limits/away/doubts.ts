import type { Charge } from '../ring/ring-store.ts'
import { ringIdOf } from './last-replies.ts'

/** Charges of which it is remembered who counts them, until they are settled. */
const MAXIMUM_DOUBTS = 10_000

/** Who counts a charge: nobody knows, this process, the shared store (in that bucket), or nobody will ever know. */
export type Fate =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'here' }
  | { readonly kind: 'there'; readonly index: number }
  | { readonly kind: 'lost' }

/**
 * A charge that was counted here after the shared store had been asked in vain, and may have counted it as well. Until
 * that is known it is kept out of what the shared store is told, so that it is never counted twice.
 */
export interface Doubt {
  /** Below 0; stands in the verdict where else the bucket does. */
  readonly number: number
  readonly charge: Charge
  /** Bucket in which it was counted here. */
  readonly index: number
  fate: Fate
  /** Weight given back before the fate was known. */
  returned: number
}

export interface Doubts {
  open(charge: Charge, index: number): Doubt
  /** The charge is being settled, which happens once. Undefined when it was too long ago. */
  take(number: number): Doubt | undefined
  resolve(doubt: Doubt, fate: Fate): void
  /** Those of a ring whose fate is unknown. */
  of(ring: string): Iterable<Doubt>
  has(ring: string): boolean
}

export const createDoubts = (maximum = MAXIMUM_DOUBTS): Doubts => {
  const unsettled = new Map<number, Doubt>()
  const unknown = new Map<string, Set<Doubt>>()
  let lastNumber = 0

  return {
    open(charge, index) {
      lastNumber -= 1
      const doubt: Doubt = { number: lastNumber, charge, index, fate: { kind: 'unknown' }, returned: 0 }
      const [oldest] = unsettled.keys()
      // What it gives back is lost then, and it stays charged in full: caution.
      if (unsettled.size >= maximum && oldest !== undefined) unsettled.delete(oldest)
      unsettled.set(doubt.number, doubt)
      const ring = ringIdOf(charge.key)
      const others = unknown.get(ring)
      if (others === undefined) unknown.set(ring, new Set([doubt]))
      else others.add(doubt)
      return doubt
    },
    take(number) {
      const doubt = unsettled.get(number)
      unsettled.delete(number)
      return doubt
    },
    resolve(doubt, fate) {
      doubt.fate = fate
      const ring = ringIdOf(doubt.charge.key)
      const others = unknown.get(ring)
      others?.delete(doubt)
      if (others?.size === 0) unknown.delete(ring)
    },
    of: (ring) => unknown.get(ring) ?? [],
    has: (ring) => unknown.has(ring),
  }
}
