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
import { GRIDS, grainOf, type LimitUnit, leaseMsOf } from '../../../../src/limits/ring/units.ts'
import type { Random } from './random.ts'

export type Operation =
  | { readonly kind: 'admit' | 'peek'; readonly charges: readonly Charge[] }
  | { readonly kind: 'admit-all'; readonly checks: readonly (readonly Charge[])[] }
  | { readonly kind: 'settle'; readonly settlements: readonly Settlement[] }
  | { readonly kind: 'merge'; readonly additions: readonly RingAddition[] }
  | { readonly kind: 'lease'; readonly asks: readonly RingLeaseAsk[]; readonly backs: readonly RingGiveBack[] }
  | { readonly kind: 'reset'; readonly key: RingKey }

/** Makes operations that a gateway could make, and some that only a broken one would. */
export interface Operations {
  next(): Operation
  /** What was charged can be settled later. */
  learn(charges: readonly Charge[], admission: Admission): void
  /** What was leased can be extended and given back later. */
  learnGrants(asks: readonly RingLeaseAsk[], grants: readonly RingGrant[]): void
}

interface Limit {
  readonly limitId: string
  readonly unit: LimitUnit
  value: number
  shadow: boolean
}

const VALUES = [1, 2, 5, 30, 100, 101, 1_000, 50_000, 2 ** 45] as const
const MOST_CHARGED = 200
/** Few, so that most are of now. */
const MOST_LEASED = 12
const HUGE = 2 ** 40

export const createOperations = (
  random: Random,
  workspaceId: string,
  units: readonly [LimitUnit, ...LimitUnit[]],
  now: () => number,
): Operations => {
  // Two limits share an id and differ in their unit alone.
  const limits = units.flatMap((unit): Limit[] =>
    ['first', 'second'].map((limitId) => ({ limitId, unit, value: random.pick(VALUES), shadow: random.once(5) })),
  )
  const charged: Settlement[] = []
  const leased: RingGiveBack[] = []

  const someLimit = (): Limit => {
    const limit = limits[random.below(limits.length)]
    if (limit === undefined) throw new Error('There are no limits')
    if (random.once(150)) limit.value = random.pick(VALUES)
    if (random.once(300)) limit.shadow = !limit.shadow
    return limit
  }

  const keyOf = ({ limitId, unit }: Limit): RingKey => {
    const group = random.pick(['a', 'b'])
    return { workspaceId, limitId, unit, group: group.repeat(22), label: `["${group}","é"]` }
  }

  const weightFor = (value: number): number => {
    const kind = random.below(20)
    if (kind === 0) return 0
    if (kind < 11) return 1
    if (kind < 15) return random.between(1, 3)
    if (kind < 19) return random.between(1, Math.max(1, Math.ceil(value / 4)))
    return random.pick([value, value + 1, HUGE])
  }

  const someCharges = (): Charge[] => {
    const charges = new Map<string, Charge>()
    const count = random.pick([1, 1, 2, 4])
    for (let place = 0; place < count; place += 1) {
      const limit = someLimit()
      const { value, shadow, unit } = limit
      const key = keyOf(limit)
      charges.set(`${key.limitId} ${unit} ${key.group}`, {
        key,
        limit: value,
        weight: weightFor(value),
        grain: grainOf(unit, value, shadow),
        shadow,
      })
    }
    return [...charges.values()]
  }

  const someSettlement = (): Settlement => {
    const made = charged[random.below(charged.length)]
    if (made === undefined || random.once(20)) {
      const limit = someLimit()
      const { unit, value, shadow } = limit
      const grain = grainOf(unit, value, shadow)
      const index = Math.floor(now() / GRIDS[unit].bucketMs) + random.between(-1_000, 20)
      return { key: keyOf(limit), index, delta: random.pick([-1, -3, 1, 5]), grain }
    }
    // `delta` is the weight that was charged: part of it comes back, or all, or more; or more was used.
    const delta = random.pick([
      -random.between(1, made.delta),
      -made.delta,
      -made.delta - 1,
      random.between(1, made.delta),
    ])
    // A bucket that shares its field with the one that was charged.
    const index = random.once(40) ? made.index + random.pick([-4096, 4096]) : made.index
    return { ...made, delta, index }
  }

  const someAddition = (): RingAddition => {
    const limit = someLimit()
    const { unit, value, shadow } = limit
    const grid = GRIDS[unit]
    const grain = grainOf(unit, value, shadow)
    const current = Math.floor(now() / grid.bucketMs)
    const buckets = Array.from({ length: random.between(0, 3) }, (): [number, number] => {
      const bucket = current - random.between(-20, random.pick([3, grid.buckets + 20]))
      return [bucket - (bucket % grain) + grain - 1, random.between(1, 5)]
    })
    return { key: keyOf(limit), grain, buckets }
  }

  /** Most of the time what was leased before, whole or in part; and what nobody leased. */
  const someBack = (): RingGiveBack => {
    const { unit, ...rest } = someLimit()
    const key = keyOf({ unit, ...rest })
    const made = leased[random.below(leased.length)]
    const bucket = Math.floor(now() / GRIDS[unit].bucketMs) + random.between(-2, 20)
    if (made === undefined) return { key, index: bucket, weight: random.between(1, 5), generation: '' }
    const index = random.once(20) ? made.index + random.pick([-4096, 1, 4096]) : made.index
    const generation = random.once(20) ? 'test:1' : made.generation
    return { key: made.key, index, weight: random.between(1, made.weight + 1), generation }
  }

  const someAsk = (): RingLeaseAsk => {
    const limit = someLimit()
    const { unit, value, shadow } = limit
    const grain = grainOf(unit, value, shadow)
    const { key, generation, index, weight } = someBack()
    const isOfRing = key.limitId === limit.limitId && key.unit === unit
    return {
      key: isOfRing ? key : keyOf(limit),
      limit: value,
      grain,
      wanted: random.pick([1, 2, 5, 20, 1_000, HUGE]),
      share: random.pick([1, 8, 64]),
      inHand: isOfRing ? weight : 0,
      last: isOfRing ? { index, weight } : { index: 0, weight: 0 },
      leaseMs: leaseMsOf(unit, grain),
      generation: isOfRing ? generation : '',
    }
  }

  const some = <Item>(make: () => Item): Item[] => Array.from({ length: random.pick([1, 1, 1, 3]) }, make)

  return {
    next() {
      const kind = random.below(1_000)
      if (kind < 520) return { kind: 'admit', charges: someCharges() }
      if (kind < 600) return { kind: 'lease', asks: some(someAsk), backs: random.once(2) ? some(someBack) : [] }
      if (kind < 750) return { kind: 'admit-all', checks: some(someCharges) }
      if (kind < 800) return { kind: 'peek', charges: someCharges() }
      if (kind < 980) return { kind: 'settle', settlements: some(someSettlement) }
      if (kind < 997) return { kind: 'merge', additions: some(someAddition) }
      return { kind: 'reset', key: keyOf(someLimit()) }
    },
    learnGrants(asks, grants) {
      for (const [place, { granted, index, generation }] of grants.entries()) {
        const key = asks[place]?.key
        if (key === undefined || granted === 0) continue
        const back = { key, index, weight: granted, generation }
        if (leased.length < MOST_LEASED) leased.push(back)
        else leased[random.below(MOST_LEASED)] = back
      }
    },
    learn(charges, { admitted, verdicts }) {
      if (!admitted) return
      for (const [place, { key, weight, grain }] of charges.entries()) {
        const index = verdicts[place]?.index
        if (index === undefined || weight === 0) continue
        const settlement = { key, index, delta: weight, grain }
        if (charged.length < MOST_CHARGED) charged.push(settlement)
        // Old ones are kept for long: they come back after their bucket has left, and twice.
        else charged[random.below(MOST_CHARGED)] = settlement
      }
    },
  }
}
