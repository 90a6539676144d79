import type { Grant, LeaseAsk, Ring } from '../../../src/limits/ring/ring.ts'
import type { WindowGrid } from '../../../src/limits/ring/units.ts'
import { hold, type RingFunctions } from './subject.ts'

/** A world small enough to be walked through completely: one ring, and processes that lease of it. */
export interface LeaseWorld {
  readonly buckets: number
  readonly limit: number
  readonly grain: number
  readonly share: number
  readonly processes: number
  /** Operations in a row. */
  readonly depth: number
}

/** Every size of ring, and of what is left for a process. */
export const LEASE_WORLDS: readonly LeaseWorld[] = [1, 2, 3].flatMap((buckets) =>
  [1, 2].flatMap((grain) => [
    { buckets, limit: 2, grain, share: 1, processes: 1, depth: 9 },
    { buckets, limit: 3, grain, share: 1, processes: 2, depth: 8 },
    { buckets, limit: 4, grain, share: 2, processes: 2, depth: 8 },
  ]),
)
/** Enough to see a fault, in a moment. */
export const QUICK_LEASE_WORLDS: readonly LeaseWorld[] = [
  { buckets: 1, limit: 2, grain: 1, share: 1, processes: 1, depth: 7 },
  { buckets: 2, limit: 4, grain: 2, share: 1, processes: 2, depth: 5 },
  { buckets: 2, limit: 4, grain: 1, share: 2, processes: 2, depth: 5 },
]

interface Chunk {
  readonly index: number
  readonly weight: number
  readonly untilMs: number
}

interface Use {
  readonly atMs: number
  readonly weight: number
  /** Where it was charged: only conservation looks at it. */
  readonly index: number
}

interface State {
  readonly ring: Ring
  readonly uses: readonly Use[]
  /** What each process has in hand. */
  readonly hands: readonly (readonly Chunk[])[]
  /** Charged, and in nobody's hand any more. */
  readonly stranded: readonly Chunk[]
  readonly trueMs: number
  readonly lagMs: number
  readonly path: string
}

const BUCKET_MS = 2
const START_MS = 1_200

const weightOf = (parts: readonly { readonly weight: number; readonly index: number }[], first: number): number =>
  parts.reduce((sum, { weight, index }) => (index >= first ? sum + weight : sum), 0)

/** What tells two states apart, by anything that may still happen. */
const keyOf = ({ ring, uses, hands, stranded, trueMs, lagMs }: State, grid: WindowGrid, period: number): string => {
  const from = Math.floor(trueMs / period) * period
  const base = from / BUCKET_MS
  const first = Math.floor(trueMs / BUCKET_MS) - grid.buckets - 2
  const inHand = hands.map((chunks) => chunks.map((chunk) => [chunk.index - base, chunk.weight, chunk.untilMs - from]))
  return JSON.stringify([
    trueMs - from,
    lagMs,
    Math.max(ring.newest - base, -9),
    [...ring.buckets].flatMap(([index, weight]) => (index < first ? [] : [index - base, weight])),
    uses.map(({ atMs, weight, index }) => [atMs - from, weight, index - base]).sort(),
    inHand.sort(),
    weightOf(stranded, first),
  ])
}

/**
 * Walks through everything that processes can do to a ring with leases: ask it for each call, lease, use what was leased as
 * late as may be, have it extended, give back what is left, owe more, and die, in every order, with time passing and a clock that is
 * put back once.
 * @throws Broken
 * @returns states that were reached and checked
 */
export const enumerateLeases = (functions: RingFunctions, world: LeaseWorld): number => {
  const { buckets, limit, grain, share, processes, depth } = world
  const grid: WindowGrid = { windowMs: buckets * BUCKET_MS, buckets, bucketMs: BUCKET_MS, coarseGrain: 1 }
  const leaseMs = grain * BUCKET_MS
  const period = BUCKET_MS * grain

  const check = (state: State): void => {
    const { ring, uses, hands, stranded, trueMs, lagMs } = state
    const facts = () => ({ world, ...state, ring: { ...ring, buckets: [...ring.buckets] } })
    const used = uses.reduce((sum, use) => (use.atMs >= trueMs - grid.windowMs ? sum + use.weight : sum), 0)
    hold(used <= limit, 'I1: no window holds more than the limit, whatever was leased', facts)
    const first = Math.max(Math.floor((trueMs - lagMs) / BUCKET_MS), ring.newest) - buckets
    const counted = [...ring.buckets].reduce((sum, [index, weight]) => (index >= first ? sum + weight : sum), 0)
    const charged = weightOf(uses, first) + weightOf(hands.flat(), first) + weightOf(stranded, first)
    hold(counted === charged, 'I4: the buckets hold what was used, leased, and not given back', facts)
  }

  /** It is what there is room for, in the bucket of the end of the lease. */
  const checkGrant = (state: State, { wanted, inHand, last }: LeaseAsk, grant: Grant): void => {
    const { ring, trueMs, lagMs } = state
    const nowMs = trueMs - lagMs
    const facts = () => ({
      world,
      ...state,
      wanted,
      inHand,
      last,
      grant,
      ring: { ...ring, buckets: [...ring.buckets] },
    })
    const bucket = Math.max(Math.floor(nowMs / BUCKET_MS), ring.newest)
    const counted = [...ring.buckets].reduce(
      (sum, [index, weight]) => (index >= bucket - buckets ? sum + weight : sum),
      0,
    )
    const end = Math.max(Math.floor((nowMs + leaseMs) / BUCKET_MS), bucket)
    const index = end + grain - 1 - (end % grain)
    const kept = index === last.index ? last.weight : 0
    const granted = Math.max(0, Math.min(wanted - kept, Math.floor((limit - counted + inHand) / share) - inHand))
    const isLease = granted + kept >= 2 && counted <= limit
    hold(grant.index === (isLease ? index : 0), 'a lease is charged where it ends, where there is room', facts)
    hold(grant.granted === (isLease ? granted : 0), 'a lease is no more than its part of what is left', facts)
  }

  const successors = (state: State): State[] => {
    const { uses, hands, stranded, trueMs, lagMs } = state
    const nowMs = trueMs - lagMs
    const found: State[] = []
    const reach = (step: string, change: Partial<State>): void =>
      void found.push({ ...state, ...change, path: `${state.path} ${step}` })
    const withHand = (process: number, chunks: readonly Chunk[]) =>
      hands.map((hand, place) => (place === process ? chunks.filter(({ weight }) => weight > 0) : hand))

    const ring = functions.copyRing(state.ring)
    const claim = { limit, weight: 1, grain, shadow: false }
    const fits = functions.judge(ring, grid, claim, nowMs)
    if (fits === 'yes') {
      const { index } = functions.commit(ring, grid, claim, fits, nowMs)
      reach('ask', { ring, uses: [...uses, { atMs: trueMs, weight: 1, index }] })
    }

    const owing = functions.copyRing(state.ring)
    const owed = functions.debit(owing, grid, 1, grain, nowMs)
    reach('owe', { ring: owing, stranded: [...stranded, { index: owed, weight: 1, untilMs: 0 }] })

    for (const [process, hand] of hands.entries()) {
      for (const wanted of [2, limit]) {
        const leased = functions.copyRing(state.ring)
        const last = hand.at(-1) ?? { index: 0, weight: 0 }
        const inHand = hand.reduce((sum, { weight }) => sum + weight, 0)
        const ask: LeaseAsk = { limit, grain, wanted, share, inHand, last, leaseMs }
        const grant = functions.lease(leased, grid, ask, nowMs)
        checkGrant(state, ask, grant)
        if (grant.index === 0) continue
        const extends_ = last.index === grant.index
        const kept = extends_ ? hand.slice(0, -1) : hand
        const weight = grant.granted + (extends_ ? last.weight : 0)
        const chunks = [...kept, { index: grant.index, weight, untilMs: trueMs + leaseMs }]
        reach(`lease:${process}/${wanted}`, { ring: leased, hands: withHand(process, chunks) })
      }
      for (const [place, chunk] of hand.entries()) {
        const others = hand.filter((_, at) => at !== place)
        if (trueMs < chunk.untilMs) {
          const used = [...uses, { atMs: trueMs, weight: 1, index: chunk.index }]
          const left = hand.map((each, at) => (at === place ? { ...each, weight: each.weight - 1 } : each))
          reach(`use:${process}/${place}`, { uses: used, hands: withHand(process, left) })
        }
        const given = functions.copyRing(state.ring)
        functions.refund(given, chunk.index, chunk.weight)
        reach(`back:${process}/${place}`, { ring: given, hands: withHand(process, others) })
      }
      if (hand.length > 0) reach(`die:${process}`, { hands: withHand(process, []), stranded: [...stranded, ...hand] })
    }

    for (const ms of new Set([1, BUCKET_MS, grid.windowMs - 1, grid.windowMs])) {
      const laterMs = trueMs + ms
      const recent = uses.filter(({ atMs }) => atMs >= laterMs - grid.windowMs - leaseMs - 3 * BUCKET_MS)
      reach(`pass:${ms}`, { trueMs: laterMs, uses: recent })
    }
    if (lagMs === 0) reach('back', { lagMs: BUCKET_MS })
    for (const next of found) check(next)
    return found
  }

  let checked = 0
  const seen = new Set<string>()
  const nothing: readonly Chunk[] = []
  let level: State[] = [
    {
      ring: functions.createRing(),
      uses: [],
      hands: Array.from({ length: processes }, () => nothing),
      stranded: [],
      trueMs: START_MS,
      lagMs: 0,
      path: '',
    },
  ]
  for (let step = 1; step <= depth; step += 1) {
    const next: State[] = []
    for (const state of level) {
      const found = successors(state)
      checked += found.length
      if (step === depth) continue
      for (const reached of found) {
        const before = seen.size
        seen.add(keyOf(reached, grid, period))
        if (seen.size > before) next.push(reached)
      }
    }
    level = next
  }
  return checked
}
