import { createRing, goneAt, type Ring } from './ring.ts'
import type { RingKey } from './ring-store.ts'
import { GRIDS, type LimitUnit, type WindowGrid } from './units.ts'

/** How long a ring is kept once the last bucket that was written has left, in milliseconds, as the shared store does. */
const KEPT_MS = 1_000
/** Rings looked at for each call and each new ring. More than one, so that what is over goes faster than new ones come. */
const STEP = 2
/** Rings looked at for one to drop when there is no more room. */
const CANDIDATES = 16

export interface StoredRing {
  readonly key: RingKey
  readonly grid: WindowGrid
  readonly ring: Ring
  /** Milliseconds since 1970. */
  endsMs: number
  /** In the list of all. */
  place: number
  /** The last call that took part. */
  turn: number
}

export type LimitKey = Pick<RingKey, 'workspaceId' | 'limitId' | 'unit'>

/**
 * Rings by key. Those that are over are dropped a few at a time, by those that come. Beyond `maximumRings` the one that
 * ends first, of a few, makes room: what its group has used is then forgotten, and counted in `forgotten`.
 */
export interface RingTable {
  find(key: RingKey): StoredRing | undefined
  /** A ring for a key that has none. No ring of the current turn is dropped for it. */
  add(key: RingKey, nowMs: number, ring?: Ring): StoredRing
  remove(stored: StoredRing): void
  /** Keeps the ring until the bucket has left. */
  keep(stored: StoredRing, index: number): void
  /** Begins a call. @returns number of the turn */
  begin(): number
  /** Looks at a few rings and drops those that are over, but for those of the current turn. */
  sweep(nowMs: number): void
  /** All rings. The one that is looked at may be removed. */
  all(): Iterable<StoredRing>
  /** All rings of a limit, in the order in which their groups came. */
  of(limit: LimitKey): Iterable<StoredRing>
  readonly size: number
  readonly forgotten: number
}

type Groups = Map<string, StoredRing>
/** By limit, then by unit. */
type Limits = Map<string, Map<LimitUnit, Groups>>

export const createRingTable = (maximumRings: number): RingTable => {
  // One map inside the other: joining the parts to one text would take longer than all the rest of a call.
  const workspaces = new Map<string, Limits>()
  const list: StoredRing[] = []
  let hand = 0
  let turn = 0
  let forgotten = 0

  const groupsOf = ({ workspaceId, limitId, unit }: LimitKey): Groups | undefined =>
    workspaces.get(workspaceId)?.get(limitId)?.get(unit)

  /** The next ring to look at, round and round. */
  const next = (): StoredRing | undefined => {
    if (hand >= list.length) hand = 0
    const stored = list[hand]
    hand += 1
    return stored
  }

  const remove = (stored: StoredRing): void => {
    const last = list.pop()
    if (last !== undefined && last !== stored) {
      list[stored.place] = last
      last.place = stored.place
    }
    const { workspaceId, limitId, unit, group } = stored.key
    const limits = workspaces.get(workspaceId)
    const units = limits?.get(limitId)
    const groups = units?.get(unit)
    groups?.delete(group)
    if (groups?.size === 0) units?.delete(unit)
    if (units?.size === 0) limits?.delete(limitId)
    if (limits?.size === 0) workspaces.delete(workspaceId)
  }

  const sweep = (nowMs: number): void => {
    for (let looked = 0; looked < STEP; looked += 1) {
      const stored = next()
      // A ring of this turn may have been charged and not been kept yet.
      if (stored !== undefined && stored.turn !== turn && stored.endsMs <= nowMs) remove(stored)
    }
  }

  const makeRoom = (nowMs: number): void => {
    let first: StoredRing | undefined
    for (let looked = 0; looked < CANDIDATES; looked += 1) {
      const stored = next()
      if (stored === undefined || stored.turn === turn) continue
      if (first === undefined || stored.endsMs < first.endsMs) first = stored
    }
    if (first === undefined) return
    if (first.endsMs > nowMs) forgotten += 1
    remove(first)
  }

  return {
    find: (key) => groupsOf(key)?.get(key.group),
    add(key, nowMs, ring = createRing()) {
      sweep(nowMs)
      if (list.length >= maximumRings) makeRoom(nowMs)
      const stored: StoredRing = {
        key,
        grid: GRIDS[key.unit],
        ring,
        endsMs: 0,
        place: list.length,
        turn,
      }
      list.push(stored)
      const limits = inside(workspaces, key.workspaceId)
      const units = inside(limits, key.limitId)
      inside(units, key.unit).set(key.group, stored)
      return stored
    },
    remove,
    keep(stored, index) {
      stored.endsMs = Math.max(stored.endsMs, goneAt(index, stored.grid) + KEPT_MS)
    },
    begin() {
      turn += 1
      return turn
    },
    sweep,
    *all() {
      for (let place = 0; place < list.length; ) {
        const stored = list[place]
        if (stored !== undefined) yield stored
        // When it was removed, another stands there now.
        if (list[place] === stored) place += 1
      }
    },
    of: (limit) => groupsOf(limit)?.values() ?? [],
    get size() {
      return list.length
    },
    get forgotten() {
      return forgotten
    },
  }
}

/** The map under a key, put there when there is none. */
const inside = <Outer, Key, Value>(outer: Map<Outer, Map<Key, Value>>, key: Outer): Map<Key, Value> => {
  const held = outer.get(key)
  if (held !== undefined) return held
  const fresh = new Map<Key, Value>()
  outer.set(key, fresh)
  return fresh
}
