import { GRIDS } from '../../../src/limits/ring/units.ts'
import { admit } from './model-admit.ts'
import { countedNow, type ModelRing } from './model-ring.ts'
import { settle } from './model-settle.ts'
import { type Digits, digitsOf, find, PLACES, pick, type World } from './model-world.ts'
import { hold } from './subject.ts'

/** All steps of a clock put back, together. Less than a ring is kept beyond its end. */
const MOST_LAG_MS = 900
const VALUES = [1, 2, 3, 10, 100, 101, 5_000] as const

const pass = ({ limits, time }: World, next: Digits): void => {
  const { windowMs, bucketMs } = GRIDS[pick(limits, next(8))?.unit ?? 'rpm']
  const steps = [
    1,
    bucketMs - 1,
    bucketMs,
    7 * bucketMs,
    windowMs / 2,
    windowMs - 1,
    windowMs,
    windowMs + 20 * bucketMs,
  ]
  time.trueMs += (next(2) === 0 ? steps.slice(0, 4)[next(4)] : steps[next(8)]) ?? 1
}

/** Lists the groups of a limit. */
const look = (world: World, next: Digits): void => {
  const { store, time, limits, rings } = world
  const limit = pick(limits, next(8))
  if (limit === undefined) return
  const workspaceId = next(2) === 0 ? 'v' : 'w'
  const page = store.groups({ workspaceId, limitId: limit.id, unit: limit.unit }, { offset: 0, limit: PLACES.length })
  const expected = rings
    .filter((ring) => ring.limit === limit && ring.key.workspaceId === workspaceId)
    .filter((ring) => countedNow(find(world, ring), time) > 0)
    .map((ring) => `${ring.key.group} ${ring.key.label} ${countedNow(ring, time)}`)
  const listed = page.groups.map(({ group, label, used }) => `${group} ${label} ${used}`).toSorted()
  hold(listed.join() === expected.join() && page.total === expected.length, 'groups are those in use', () => ({
    page,
    expected,
  }))
}

const reset = (world: World, ring: ModelRing): void => {
  const { store, time } = world
  const counted = countedNow(find(world, ring), time)
  hold(store.reset(ring.key) === counted > 0, 'reset says whether there was anything', () => ({ ring, time }))
  ring.log = []
  ring.newest = 0
  world.open = world.open.filter((other) => other.ring !== ring)
}

/** The rest: limits and clocks that change, a reset, a crash, a look. */
const rarely = (world: World, next: Digits, leaps: boolean): void => {
  const { time, limits, rings, tally } = world
  const limit = pick(limits, next(8))
  const ring = pick(rings, next(16))
  if (limit === undefined || ring === undefined) return
  const kind = next(6)
  if (kind === 0) {
    limit.value = VALUES[next(VALUES.length)] ?? 1
    tally.changes += 1
  } else if (kind === 1) {
    time.lagMs = Math.min(time.lagMs + 1 + next(200), MOST_LAG_MS)
    tally.back += 1
  } else if (kind === 2 && leaps) {
    time.leapMs += 1 + next(200)
    tally.leaps += 1
  } else if (kind === 3) {
    reset(world, ring)
    tally.resets += 1
  } else if (kind === 4) {
    tally.lost += world.open.length
    world.open = []
  } else look(world, next)
}

/**
 * Does to the store and to the model what the number says, and checks the invariants.
 * @param leaps whether the clock may be put forward
 * @throws Broken
 */
export const apply = (world: World, number: number, leaps: boolean): void => {
  const next = digitsOf(number)
  const kind = next(16)
  if (kind < 8) admit(world, next)
  else if (kind < 11) pass(world, next)
  else if (kind < 14) settle(world, next)
  else rarely(world, next, leaps)
}
