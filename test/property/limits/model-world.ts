import type { MemoryStore } from '../../../src/limits/ring/memory-store.ts'
import type { LimitUnit } from '../../../src/limits/ring/units.ts'
import { clockOf, learnBucket, type ModelLimit, type ModelRing, type Time } from './model-ring.ts'
import type { MemoryStoreFunctions } from './subject.ts'
import type { Tally } from './tally.ts'

/** Rings of one limit: the same groups in both workspaces. */
export const PLACES = [
  { workspaceId: 'v', group: 'g0' },
  { workspaceId: 'v', group: 'g1' },
  { workspaceId: 'w', group: 'g0' },
  { workspaceId: 'w', group: 'g1' },
] as const

/** A call that has not been settled, or whose debt may arrive again. */
export interface Open {
  readonly ring: ModelRing
  readonly place: number
  readonly index: number
  readonly weight: number
  debt: number
}

/** A memory store, and all that is known about it. */
export interface World {
  readonly store: MemoryStore
  readonly time: Time
  readonly limits: readonly ModelLimit[]
  /** Of each limit one for each of `PLACES`. */
  readonly rings: readonly ModelRing[]
  open: Open[]
  readonly tally: Tally
  /** For questions about later: the clock of the store alone is this far ahead. */
  aheadMs: number
}

export interface GivenLimit {
  readonly unit: LimitUnit
  readonly value: number
  readonly shadow: boolean
}

export const createWorld = (
  { createMemoryStore }: MemoryStoreFunctions,
  given: readonly GivenLimit[],
  tally: Tally,
): World => {
  const time: Time = { trueMs: 1_700_000_000_123, lagMs: 0, leapMs: 0 }
  // Limits of different units share an id, as when the unit of a policy is changed.
  const limits = given.map((limit, place): ModelLimit => {
    const before = given.slice(0, place).filter(({ unit }) => unit === limit.unit)
    return { ...limit, id: `limit-${before.length}` }
  })
  const rings = limits.flatMap((limit) =>
    PLACES.map(({ workspaceId, group }): ModelRing => {
      const key = { workspaceId, limitId: limit.id, unit: limit.unit, group, label: `{"in":"${workspaceId}/${group}"}` }
      return { limit, key, log: [], newest: 0, grainMost: 1 }
    }),
  )
  const store = createMemoryStore({ now: () => clockOf(time) + world.aheadMs })
  const world: World = { store, time, limits, rings, open: [], tally, aheadMs: 0 }
  return world
}

/** Asks the ring where it is, before anything else is asked of it. */
export const find = ({ store, time }: World, ring: ModelRing): ModelRing => {
  const nothing = { key: ring.key, limit: 1, weight: 0, grain: 1, shadow: true }
  const [verdict] = store.peek([nothing]).verdicts
  learnBucket(ring, verdict?.index ?? 0, time)
  return ring
}

/** One number tells a whole operation: takes its digits, smallest first, each in the base that is asked for. */
export type Digits = (base: number) => number

export const digitsOf = (number: number): Digits => {
  let rest = number
  return (base) => {
    const digit = rest % base
    rest = Math.floor(rest / base)
    return digit
  }
}

export const pick = <Item>(items: readonly Item[], digit: number): Item | undefined => items[digit % items.length]
