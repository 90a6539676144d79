import { createRing, goneAt, type Ring } from './ring.ts'
import type { LimitKey, RingKey } from './ring-store.ts'
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
  /** Number of the last call that took part. */
  call: number
  /** Tells it from one of the same key that was here before. */
  readonly generation: string
}

type Groups = Map<string, StoredRing>

/**
 * Rings by key. Those that are over are dropped a few at a time, by those that come. Beyond `maximumRings` the one that
 * ends first, of a few, makes room: what its group has used is then forgotten, and counted in `forgotten`.
 */
export class RingTable {
  // One map inside the other: joining the parts to one text would take longer than all the rest of a call.
  readonly #workspaces = new Map<string, Map<string, Map<LimitUnit, Groups>>>()
  readonly #list: StoredRing[] = []
  readonly #maximumRings: number
  /** Place of the ring to look at next, round and round. */
  #next = 0
  #call = 0
  #generation = 0
  #forgotten = 0

  constructor(maximumRings: number) {
    this.#maximumRings = maximumRings
  }

  get size(): number {
    return this.#list.length
  }

  get forgotten(): number {
    return this.#forgotten
  }

  find(key: RingKey): StoredRing | undefined {
    return this.#groupsOf(key)?.get(key.group)
  }

  /** All rings of a limit, in the order in which their groups came. */
  of(limit: LimitKey): Iterable<StoredRing> {
    return this.#groupsOf(limit)?.values() ?? []
  }

  /** All rings. The one that is looked at may be removed. */
  *all(): Iterable<StoredRing> {
    for (let place = 0; place < this.#list.length; ) {
      const stored = this.#list[place]
      if (stored !== undefined) yield stored
      // When it was removed, another stands there now.
      if (this.#list[place] === stored) place += 1
    }
  }

  /** Begins a call. @returns its number */
  begin(): number {
    this.#call += 1
    return this.#call
  }

  /** Adds a ring for a key that has none. No ring of the current call is dropped for it. */
  add(key: RingKey, nowMs: number, ring = createRing()): StoredRing {
    this.sweep(nowMs)
    if (this.#list.length >= this.#maximumRings) this.#makeRoom(nowMs)
    this.#generation += 1
    const stored: StoredRing = {
      key,
      grid: GRIDS[key.unit],
      ring,
      endsMs: 0,
      place: this.#list.length,
      call: this.#call,
      generation: `${this.#generation}`,
    }
    this.#list.push(stored)
    const units = inside(inside(this.#workspaces, key.workspaceId), key.limitId)
    inside(units, key.unit).set(key.group, stored)
    return stored
  }

  /** Keeps the ring until the bucket has left. */
  keep(stored: StoredRing, index: number): void {
    stored.endsMs = Math.max(stored.endsMs, goneAt(index, stored.grid) + KEPT_MS)
  }

  remove(stored: StoredRing): void {
    const last = this.#list.pop()
    if (last !== undefined && last !== stored) {
      this.#list[stored.place] = last
      last.place = stored.place
    }
    const { workspaceId, limitId, unit, group } = stored.key
    const limits = this.#workspaces.get(workspaceId)
    const units = limits?.get(limitId)
    const groups = units?.get(unit)
    groups?.delete(group)
    if (groups?.size === 0) units?.delete(unit)
    if (units?.size === 0) limits?.delete(limitId)
    if (limits?.size === 0) this.#workspaces.delete(workspaceId)
  }

  /** Looks at a few rings and drops those that are over, but for those of the current call. */
  sweep(nowMs: number): void {
    for (let looked = 0; looked < STEP; looked += 1) {
      const stored = this.#take()
      // A ring of this call may have been charged and not been kept yet.
      if (stored !== undefined && stored.call !== this.#call && stored.endsMs <= nowMs) this.remove(stored)
    }
  }

  #makeRoom(nowMs: number): void {
    let first: StoredRing | undefined
    for (let looked = 0; looked < CANDIDATES; looked += 1) {
      const stored = this.#take()
      if (stored === undefined || stored.call === this.#call) continue
      if (first === undefined || stored.endsMs < first.endsMs) first = stored
    }
    if (first === undefined) return
    if (first.endsMs > nowMs) this.#forgotten += 1
    this.remove(first)
  }

  #take(): StoredRing | undefined {
    if (this.#next >= this.#list.length) this.#next = 0
    this.#next += 1
    return this.#list[this.#next - 1]
  }

  #groupsOf({ workspaceId, limitId, unit }: LimitKey): Groups | undefined {
    return this.#workspaces.get(workspaceId)?.get(limitId)?.get(unit)
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
