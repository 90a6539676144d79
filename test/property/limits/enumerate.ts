import type { Ring } from '../../../src/limits/ring/ring.ts'
import type { WindowGrid } from '../../../src/limits/ring/units.ts'
import { checkConservation, checkTimes, checkVerdict, clockOf, type State } from './checks.ts'
import { admitted, crashed, type Entry, indebted, type Log, refunded } from './oracle.ts'
import type { RingFunctions } from './subject.ts'

/** A world small enough to be walked through completely. */
export interface SmallWorld {
  readonly buckets: number
  readonly limits: readonly number[]
  readonly grains: readonly number[]
  /** Operations in a row. */
  readonly depth: number
}

export interface Walk {
  /** States that were reached and checked, by one operation each. */
  checked: number
  /** Those that were walked on from: no two are the same as far as anything that may follow can tell. */
  walked: number
}

const BUCKET_MS = 2
const START_MS = 1_200
/** Ages and distances beyond these are as good as these: everything has left by then. */
const OLDEST_MS = 31
const FARTHEST = 7
const HEAVIEST = 2

const gridOf = ({ buckets }: SmallWorld): WindowGrid => ({
  windowMs: buckets * BUCKET_MS,
  buckets,
  bucketMs: BUCKET_MS,
  coarseGrain: 1,
})

/** All that one entry can still do, in 15 bits. */
const codeOf = (entry: Entry, trueMs: number, bucket: number): number => {
  const age = Math.min(trueMs - entry.atMs, OLDEST_MS)
  const distance = Math.max(entry.index - bucket, -FARTHEST) + FARTHEST
  const flags = (entry.kind === 'debt' ? 1 : 0) | (entry.open ? 2 : 0) | (entry.debt << 2)
  return flags | (entry.weight << 4) | (distance << 6) | (age << 10)
}

/** Buckets that have left and that the ring has not forgotten yet. */
const forgettable = ({ ring, grid }: State, bucket: number): number => {
  const first = Math.max(bucket, ring.newest) - grid.buckets
  let count = 0
  for (const index of ring.buckets.keys()) {
    if (index >= first) break
    count += 1
  }
  return count
}

/**
 * Equal for states that cannot be told apart by anything that may happen next. Conservation has been checked: the buckets
 * that count follow from the log.
 */
const keyOf = (state: State, period: number): string => {
  const { ring, log, trueMs, lagMs } = state
  const bucket = Math.floor(clockOf(state) / BUCKET_MS)
  const ahead = Math.max(ring.newest - bucket, -1) + 1
  // In whatever order they came.
  const codes = log.map((entry) => codeOf(entry, trueMs, bucket)).sort((left, right) => left - right)
  const head = (clockOf(state) % period) | (ahead << 6) | (lagMs << 9) | (forgettable(state, bucket) << 11)
  return String.fromCharCode(head, ...codes)
}

/** Without what can never count again. */
const relevant = (log: Log, trueMs: number): Log =>
  log.filter(({ atMs, open, debt, weight }) => open || debt > 0 || (weight > 0 && trueMs - atMs < OLDEST_MS))

/** Every state that one operation leads to, checked. */
const successors = (functions: RingFunctions, world: SmallWorld, state: State): State[] => {
  const { grid, trueMs, lagMs } = state
  const nowMs = clockOf(state)
  const found: State[] = []
  const coarsest = Math.max(...world.grains)

  // Written out: to spread the state takes a tenth of the whole walk.
  const reach = (step: string, ring: Ring, log: Log): State => {
    const next = { grid, ring, log, trueMs, lagMs, path: `${state.path} ${step}` }
    found.push(next)
    return next
  }

  const admit = (weight: number, limit: number, grain: number): void => {
    const ring = functions.copyRing(state.ring)
    const claim = { limit, weight, grain, shadow: false }
    const fits = functions.judge(ring, grid, claim, nowMs)
    const conclude = fits === 'yes' ? functions.commit : functions.describe
    const verdict = conclude(ring, grid, claim, fits, nowMs)
    const log = fits === 'yes' && weight > 0 ? admitted(state.log, trueMs, weight, verdict.index) : state.log
    const next = reach(`admit:${weight}/${limit}~${grain}`, ring, log)
    checkVerdict(functions, next, claim, verdict, coarsest)
    if (weight === 0) checkTimes(functions, next, verdict)
  }

  const refund = (place: number, index: number, weight: number): void => {
    const ring = functions.copyRing(state.ring)
    functions.refund(ring, index, weight)
    reach(`refund:${place}/${weight}`, ring, refunded(state.log, place, weight))
  }

  /** Also a debt that arrives again. */
  const debit = (place: number, grain: number): void => {
    const ring = functions.copyRing(state.ring)
    const index = functions.debit(ring, grid, 1, grain, nowMs)
    reach(`debit:${place}~${grain}`, ring, indebted(state.log, place, trueMs, 1, index))
  }

  const settle = (): void => {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    const seen = new Set<number>()
    for (const [place, entry] of state.log.entries()) {
      const code = codeOf(entry, trueMs, bucket)
      if (entry.kind === 'debt' || !(entry.open || entry.debt > 0) || seen.has(code)) continue
      seen.add(code)
      for (let weight = 1; entry.open && weight <= entry.weight; weight += 1) refund(place, entry.index, weight)
      for (const grain of world.grains) debit(place, grain)
    }
  }

  const pass = (ms: number): void => {
    const laterMs = trueMs + ms
    found.push({ ...state, trueMs: laterMs, log: relevant(state.log, laterMs), path: `${state.path} pass:${ms}` })
  }

  for (const limit of world.limits)
    for (const grain of world.grains) for (let weight = 0; weight <= HEAVIEST; weight += 1) admit(weight, limit, grain)
  settle()
  for (const ms of new Set([1, BUCKET_MS, grid.windowMs - 1, grid.windowMs])) pass(ms)
  if (state.log.some(({ open }) => open)) reach('crash', state.ring, crashed(state.log))
  if (lagMs === 0) found.push({ ...state, lagMs: BUCKET_MS, path: `${state.path} back` })
  for (const next of found) checkConservation(next)
  return found
}

/**
 * Walks through everything that can happen to a ring in a small world: every order of admissions, passing time, refunds,
 * debts, repeated debts, a crash, and a clock put back. Breadth first, so that what is found broken is found in its
 * shortest form. A state that was seen before is checked and not walked on from.
 * @throws Broken
 */
export const enumerate = (functions: RingFunctions, world: SmallWorld): Walk => {
  const grid = gridOf(world)
  const period = BUCKET_MS * Math.max(...world.grains)
  let checked = 0
  const seen = new Set<string>()
  let level: State[] = [{ grid, ring: functions.createRing(), log: [], trueMs: START_MS, lagMs: 0, path: '' }]
  for (let depth = 1; depth <= world.depth; depth += 1) {
    const next: State[] = []
    for (const state of level) {
      const found = successors(functions, world, state)
      checked += found.length
      // Nothing follows the last step: whether one was seen before makes no difference, and to tell takes most of the time.
      if (depth === world.depth) continue
      for (const reached of found) {
        const before = seen.size
        seen.add(keyOf(reached, period))
        if (seen.size > before) next.push(reached)
      }
    }
    level = next
  }
  return { checked, walked: seen.size }
}

/** Walks through one world after the other. No two worlds have a state in common: their limits or buckets differ. */
export const enumerateAll = (functions: RingFunctions, worlds: readonly SmallWorld[]): Walk => {
  const all: Walk = { checked: 0, walked: 0 }
  for (const world of worlds) {
    const { checked, walked } = enumerate(functions, world)
    all.checked += checked
    all.walked += walked
    // Each leaves a million short texts behind.
    Bun.gc(true)
  }
  return all
}
