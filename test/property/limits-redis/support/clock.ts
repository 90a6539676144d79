import { GRIDS, type LimitUnit } from '../../../../src/limits/ring/units.ts'
import type { Random } from './random.ts'

/** A clock that goes as a test likes it, on whole milliseconds. */
export interface WorldClock {
  readonly now: () => number
  /** Lets some time pass: often none, seldom more than a window. */
  advance(): void
}

const START_MS = Date.UTC(2026, 0, 15)

/** `steps`: the clock is set back now and then, and forward again. */
export const createWorldClock = (random: Random, unit: LimitUnit, steps: boolean): WorldClock => {
  const { windowMs, bucketMs } = GRIDS[unit]
  let nowMs = START_MS + random.below(windowMs)

  const passed = (): number => {
    const kind = random.below(1_000)
    if (kind < 450) return 0
    if (kind < 800) return random.between(0, Math.ceil(bucketMs / 4))
    if (kind < 960) return random.between(0, bucketMs * 12)
    if (kind < 996) return random.between(0, Math.ceil(windowMs / 5))
    return random.between(0, windowMs * 3)
  }

  return {
    now: () => nowMs,
    advance() {
      if (steps && random.once(60)) nowMs -= random.between(1, random.pick([bucketMs, windowMs / 10, windowMs * 2]))
      else nowMs += passed()
    },
  }
}
