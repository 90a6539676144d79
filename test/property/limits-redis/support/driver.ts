import {
  add,
  commit,
  copyRing,
  createRing,
  debit,
  describe,
  judge,
  type Ring,
  refund,
} from '../../../../src/limits/ring/ring.ts'
import type { Admission, Charge, RingAddition, RingKey, Settlement } from '../../../../src/limits/ring/ring-store.ts'
import { GRIDS } from '../../../../src/limits/ring/units.ts'

export interface DrivenRing {
  readonly key: RingKey
  readonly ring: Ring
}

/** What every reference does at once, at the time of its clock. */
export interface Reference {
  admit(charges: readonly Charge[]): Admission
  peek(charges: readonly Charge[]): Admission
  settle(settlements: readonly Settlement[]): void
  merge(additions: readonly RingAddition[]): void
  reset(key: RingKey): boolean
}

/** The rings of `ring.ts` and nothing around them: none is ever dropped. */
export interface Driver extends Reference {
  readonly rings: ReadonlyMap<string, DrivenRing>
}

/** Not the key in Redis, which is under test. */
const nameOf = ({ workspaceId, limitId, unit, group }: RingKey): string =>
  JSON.stringify([workspaceId, limitId, unit, group])

/** A claim that no ring refuses and that adds nothing. */
export const NOTHING = { limit: Number.MAX_SAFE_INTEGER, weight: 0, grain: 1, shadow: true }

export const createDriver = (now: () => number): Driver => {
  const rings = new Map<string, DrivenRing>()
  const find = (key: RingKey): Ring | undefined => rings.get(nameOf(key))?.ring
  const keep = (key: RingKey, ring: Ring): void => {
    if (ring.buckets.size > 0) rings.set(nameOf(key), { key, ring })
  }

  const decide = (
    charges: readonly Charge[],
    take: (key: RingKey) => Ring,
    put: (key: RingKey, ring: Ring) => void,
  ): Admission => {
    const nowMs = now()
    const judged = charges.map((charge) => {
      const ring = take(charge.key)
      return { charge, ring, fits: judge(ring, GRIDS[charge.key.unit], charge, nowMs) }
    })
    const admitted = judged.every(({ charge, fits }) => charge.shadow || fits === 'yes')
    const conclude = admitted ? commit : describe
    const verdicts = judged.map(({ charge, ring, fits }) => {
      const verdict = conclude(ring, GRIDS[charge.key.unit], charge, fits, nowMs)
      put(charge.key, ring)
      return verdict
    })
    return { admitted, verdicts }
  }

  return {
    rings,
    admit: (charges) => decide(charges, (key) => find(key) ?? createRing(), keep),
    peek: (charges) =>
      decide(
        charges,
        (key) => copyRing(find(key) ?? createRing()),
        () => undefined,
      ),
    settle(settlements) {
      for (const { key, index, delta, grain } of settlements) {
        const ring = find(key) ?? createRing()
        if (delta < 0) refund(ring, index, -delta)
        else debit(ring, GRIDS[key.unit], delta, grain, now())
        keep(key, ring)
      }
    },
    merge(additions) {
      for (const { key, grain, buckets } of additions) {
        const ring = find(key) ?? createRing()
        const grid = GRIDS[key.unit]
        judge(ring, grid, NOTHING, now())
        const current = ring.newest - (ring.newest % grain) + grain - 1
        for (const [index, weight] of buckets) {
          if (index >= ring.newest - grid.buckets) add(ring, Math.min(index, current), weight)
        }
        keep(key, ring)
      }
    },
    reset(key) {
      const ring = find(key)
      if (ring === undefined) return false
      rings.delete(nameOf(key))
      judge(ring, GRIDS[key.unit], NOTHING, now())
      return ring.sum > 0
    },
  }
}
