import { GRIDS, type LimitUnit } from '../../../../src/limits/ring/units.ts'
import type { Random } from '../../limits-redis/support/random.ts'
import { LeaseWorld } from './lease-world.ts'

export interface Traffic {
  readonly random: Random
  readonly processes: number
  readonly unit: LimitUnit
  readonly limit: number
  readonly heaviest: number
  /** Weight that is asked for, in parts of what the limit lets through. */
  readonly load: number
  readonly slowestMs: number
  /** How long it lasts. */
  readonly windows: number
  /** Processes that die, and connections that break. */
  readonly deaths: number
  readonly cuts: number
  readonly flushAtMs?: number
}

/** So that everything has arrived and is given back. */
const REST_MS = 2_000

/** Calls of all processes by chance; one of four uses less than its weight. */
export const runTraffic = async (traffic: Traffic): Promise<LeaseWorld> => {
  const { random, processes, unit, limit, heaviest, load, windows, deaths, cuts, flushAtMs } = traffic
  const { windowMs } = GRIDS[unit]
  const world = new LeaseWorld(traffic)
  const { clock, timers } = world.time
  const lengthMs = windowMs * windows
  for (let place = 0; place < deaths + cuts; place += 1) {
    const which = random.below(processes)
    timers.after(random.below(lengthMs), () => (place < deaths ? world.die(which) : world.cut(which)))
  }
  if (flushAtMs !== undefined) timers.after(flushAtMs, () => world.server.flush())
  const gapMs = (windowMs * (1 + heaviest)) / 2 / (limit * load)
  let atMs = clock.now()
  while (atMs < world.startMs + lengthMs) {
    atMs += -Math.log(1 - random.below(1e6) / 1e6) * gapMs
    await world.time.advance(Math.max(0, Math.round(atMs) - clock.now()))
    const usedPart = random.once(4) ? random.between(0, 10) / 10 : 1
    world.call(random.below(processes), random.between(1, heaviest), usedPart, random.between(0, 300))
  }
  await world.time.advance(REST_MS)
  return world
}

/** More calls than the limit lets through, from its first one on; each uses its weight. */
export const runOverload = async (
  traffic: Pick<Traffic, 'random' | 'processes' | 'unit' | 'limit'>,
): Promise<LeaseWorld> => {
  const { random, processes, unit, limit } = traffic
  const { windowMs } = GRIDS[unit]
  const world = new LeaseWorld({ ...traffic, heaviest: 1, slowestMs: 1 })
  // Bursts, so that there is something to lease: of an hour all calls come in its first minute.
  const gapMs = Math.min(windowMs, 60_000) / (limit * 1.5)
  for (let sent = 0; sent < limit * 1.4; sent += 1) {
    await world.time.advance(Math.round((sent + 1) * gapMs) - Math.round(sent * gapMs))
    world.call(random.below(processes), 1, 1, 0)
  }
  await world.time.advance(Math.min(REST_MS, windowMs / 100))
  return world
}
