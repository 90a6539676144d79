import { keepMsOf } from '../../../../src/limits/redis/redis-keys.ts'
import {
  add,
  commit,
  copyRing,
  createRing,
  debit,
  describe,
  judge,
  lease,
  type Ring,
  refund,
} from '../../../../src/limits/ring/ring.ts'
import type {
  Admission,
  Charge,
  RingAddition,
  RingGiveBack,
  RingGrant,
  RingKey,
  RingLeaseAsk,
  Settlement,
} from '../../../../src/limits/ring/ring-store.ts'
import { GRIDS } from '../../../../src/limits/ring/units.ts'

export interface DrivenRing {
  readonly key: RingKey
  readonly ring: Ring
  /** Its generation, once something was leased. */
  mark: string
  /** When Redis forgets it: its weight has left by then, its generation goes with it. */
  endsMs: number
}

/** What a lease was told of the rings: whether each was the one that was asked for, backs first, and what it is called. */
export interface LeaseNotes {
  readonly known: readonly boolean[]
  readonly generations: readonly string[]
}

/** What every reference does at once, at the time of its clock. */
export interface Reference {
  admit(charges: readonly Charge[]): Admission
  peek(charges: readonly Charge[]): Admission
  settle(settlements: readonly Settlement[]): void
  lease(asks: readonly RingLeaseAsk[], backs: readonly RingGiveBack[]): readonly RingGrant[]
  merge(additions: readonly RingAddition[]): void
  reset(key: RingKey): boolean
}

/** The rings of `ring.ts` and nothing around them: none is ever dropped. */
export interface Driver extends Reference {
  readonly rings: ReadonlyMap<string, DrivenRing>
  /** Of the last lease. */
  readonly notes: LeaseNotes
}

/** Not the key in Redis, which is under test. */
const nameOf = ({ workspaceId, limitId, unit, group }: RingKey): string =>
  JSON.stringify([workspaceId, limitId, unit, group])

const NO_CHUNK = { index: 0, weight: 0 }

/** A claim that no ring refuses and that adds nothing. */
export const NOTHING = { limit: Number.MAX_SAFE_INTEGER, weight: 0, grain: 1, shadow: true }

/** @param expires whether Redis forgets rings that are over */
export const createDriver = (now: () => number, expires: boolean): Driver => {
  const rings = new Map<string, DrivenRing>()
  /** Buckets that a ring had before the current operation. */
  const before = new WeakMap<Ring, ReadonlySet<number>>()
  let notes: LeaseNotes = { known: [], generations: [] }

  const find = (key: RingKey): Ring | undefined => {
    const driven = rings.get(nameOf(key))
    if (driven === undefined) return undefined
    if (expires && now() > driven.endsMs) driven.mark = ''
    before.set(driven.ring, new Set(driven.ring.buckets.keys()))
    return driven.ring
  }
  const keep = (key: RingKey, ring: Ring): void => {
    const known = rings.get(nameOf(key))
    if (known === undefined && ring.buckets.size === 0) return
    const driven = known ?? { key, ring, mark: '', endsMs: 0 }
    rings.set(nameOf(key), driven)
    const had = before.get(ring)
    const isNew = [...ring.buckets.keys()].some((index) => had?.has(index) !== true)
    if (isNew) driven.endsMs = ring.newest * GRIDS[key.unit].bucketMs + keepMsOf(key.unit)
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
    get notes() {
      return notes
    },
    lease(asks, backs) {
      const known: boolean[] = []
      const isKnown = ({ key, generation }: { readonly key: RingKey; readonly generation: string }): boolean => {
        const mark = rings.get(nameOf(key))?.mark ?? ''
        const is = mark !== '' && mark === generation
        known.push(is)
        return is
      }
      for (const back of backs) {
        const ring = find(back.key)
        if (isKnown(back) && ring !== undefined) refund(ring, back.index, back.weight)
      }
      const grants = asks.map((ask): RingGrant => {
        const ring = find(ask.key) ?? createRing()
        const grant = lease(
          ring,
          GRIDS[ask.key.unit],
          isKnown(ask) ? ask : { ...ask, inHand: 0, last: NO_CHUNK },
          now(),
        )
        keep(ask.key, ring)
        const driven = rings.get(nameOf(ask.key))
        if (driven !== undefined && grant.index > 0 && driven.mark === '') driven.mark = `test:${now() * 1_000 + 999}`
        return { ...grant, generation: driven?.mark ?? '' }
      })
      notes = { known, generations: grants.map(({ generation }) => generation) }
      return grants
    },
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
