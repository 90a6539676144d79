import { expect, test } from 'bun:test'
import { periodAt, reschedule } from '../../../src/budgets/schedule.ts'
import type { ResetSchedule } from '../../../src/core/budgets.ts'
import { createRandom } from '../limits-redis/support/random.ts'

const DAY_MS = 86_400_000
const LAST_MS = Date.UTC(2100, 0, 1)

/** Whether a count begins anew at a midnight, by the calendar and nothing else. */
const beginsAt = ({ every, firstResetMs, since }: ResetSchedule, midnightMs: number): boolean => {
  if (midnightMs <= since.setAtMs || (firstResetMs !== undefined && midnightMs < firstResetMs)) return false
  if (midnightMs === firstResetMs) return true
  const day = new Date(midnightMs)
  if (every === 'week') return day.getUTCDay() === 1
  if (every === 'month') return day.getUTCDate() === 1
  if (every === undefined) return false
  const from = firstResetMs ?? since.setAtMs - (since.setAtMs % DAY_MS)
  return ((midnightMs - from) / DAY_MS) % every === 0
}

/** Looks at each midnight, one after the other. */
const walked = (schedule: ResetSchedule, nowMs: number): { startMs: number; endMs: number | undefined } => {
  let startMs = schedule.since.startMs
  const first = schedule.since.setAtMs - (schedule.since.setAtMs % DAY_MS)
  for (let at = first; at <= nowMs; at += DAY_MS) if (beginsAt(schedule, at)) startMs = at
  let endMs: number | undefined
  const next = Math.max(nowMs, schedule.since.setAtMs)
  const mayEnd = schedule.every !== undefined || (schedule.firstResetMs ?? 0) > next
  for (let at = next - (next % DAY_MS) + DAY_MS; mayEnd && endMs === undefined; at += DAY_MS) {
    if (beginsAt(schedule, at)) endMs = at
  }
  return { startMs, endMs }
}

const shown = ({ startMs, endMs }: { startMs: number; endMs?: number | undefined }) => ({ startMs, endMs })

test('periods are those of the calendar, to the year 2100', () => {
  const random = createRandom(20_261_123)
  for (let run = 0; run < 3_000; run++) {
    const setAtMs = random.below(LAST_MS)
    const chosen = random.pick<ResetSchedule['every']>([undefined, 'week', 'month', random.between(1, 365)])
    // In the past only where days are counted from there.
    const days = random.between(typeof chosen === 'number' ? -200 : 1, 400)
    const firstResetMs = random.once(2) ? undefined : Math.max(0, setAtMs - (setAtMs % DAY_MS) + days * DAY_MS)
    const schedule: ResetSchedule = {
      ...(chosen === undefined ? {} : { every: chosen }),
      ...(firstResetMs === undefined ? {} : { firstResetMs }),
      since: { startMs: random.below(setAtMs), setAtMs },
    }
    const nowMs = setAtMs + random.below(800 * DAY_MS)
    for (const at of [nowMs, nowMs - (nowMs % DAY_MS), nowMs - (nowMs % DAY_MS) + DAY_MS - 1]) {
      expect({ schedule, at, ...shown(periodAt(schedule, at)) }).toEqual({ schedule, at, ...walked(schedule, at) })
    }
  }
})

test('a period that follows begins where the one before ended, over a century of months and leap years', () => {
  for (const every of ['week', 'month', 1, 30, 365] as const) {
    const schedule: ResetSchedule = { every, since: { startMs: 0, setAtMs: 0 } }
    let period = periodAt(schedule, 0)
    while (period.startMs < LAST_MS) {
      const { endMs } = period
      if (endMs === undefined) throw new Error('it never ends')
      expect(periodAt(schedule, endMs - 1)).toEqual(period)
      expect(endMs % DAY_MS).toBe(0)
      period = periodAt(schedule, endMs)
      expect(period.startMs).toBe(endMs)
    }
  }
})

test('a change never ends the period that runs before its next reset, nor begins it anew', () => {
  const random = createRandom(7)
  for (let run = 0; run < 3_000; run++) {
    const setAtMs = random.below(LAST_MS)
    const before: ResetSchedule = { every: 'week', since: { startMs: setAtMs, setAtMs } }
    const changedAt = setAtMs + random.below(60 * DAY_MS)
    const running = periodAt(before, changedAt)
    const after = reschedule(random.once(2) ? { every: 'month' } : { every: random.between(1, 365) }, before, changedAt)
    const goesOn = periodAt(after, changedAt)
    expect(goesOn.startMs).toBe(running.startMs)
    expect(goesOn.endMs ?? 0).toBeGreaterThan(changedAt)
    expect(periodAt(after, (goesOn.endMs ?? 0) - 1)).toEqual(goesOn)
  }
})
