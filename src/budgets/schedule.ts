import type { ResetSchedule } from '../core/budgets.ts'

const DAY_MS = 86_400_000
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export interface Period {
  readonly startMs: number
  /** Absent: it never ends. */
  readonly endMs?: number
}

/** The period of a budget at a time. Days of UTC all have 24 hours, so that whole days are plain arithmetic. */
export const periodAt = (schedule: ResetSchedule, nowMs: number): Period => {
  const { since } = schedule
  const last = lastReset(schedule, nowMs)
  const startMs = last === undefined || last <= since.setAtMs ? since.startMs : last
  const endMs = nextReset(schedule, Math.max(nowMs, since.setAtMs))
  return endMs === undefined ? { startMs } : { startMs, endMs }
}

/** The latest reset at or before a time, whether or not the schedule was set by then. */
const lastReset = ({ every, firstResetMs, since }: ResetSchedule, atMs: number): number | undefined => {
  if (firstResetMs !== undefined && atMs < firstResetMs) return undefined
  const first = firstResetMs ?? Number.NEGATIVE_INFINITY
  switch (every) {
    case undefined:
      return firstResetMs
    case 'week':
      return Math.max(first, weekStart(atMs))
    case 'month':
      return Math.max(first, monthStart(atMs, 0))
    default:
      return stepsFrom(anchorOf(firstResetMs, since.setAtMs), every * DAY_MS, atMs)
  }
}

/** The first reset after a time. */
const nextReset = ({ every, firstResetMs, since }: ResetSchedule, atMs: number): number | undefined => {
  if (firstResetMs !== undefined && atMs < firstResetMs) return firstResetMs
  switch (every) {
    case undefined:
      return undefined
    case 'week':
      return weekStart(atMs) + 7 * DAY_MS
    case 'month':
      return monthStart(atMs, 1)
    default:
      return stepsFrom(anchorOf(firstResetMs, since.setAtMs), every * DAY_MS, atMs) + every * DAY_MS
  }
}

const anchorOf = (firstResetMs: number | undefined, setAtMs: number): number => firstResetMs ?? midnightBefore(setAtMs)

/** The midnight at or before a time. */
export const midnightBefore = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS

const weekStart = (atMs: number): number => stepsFrom(FIRST_MONDAY_MS, 7 * DAY_MS, atMs)

const stepsFrom = (anchorMs: number, stepMs: number, atMs: number): number =>
  anchorMs + Math.floor((atMs - anchorMs) / stepMs) * stepMs

/** @param later months */
const monthStart = (atMs: number, later: number): number => {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later)
}

/**
 * A schedule that takes the place of another: the period that runs goes on with what it has counted, until the first reset
 * of the new schedule.
 */
export const reschedule = (
  next: Pick<ResetSchedule, 'every' | 'firstResetMs'>,
  before: ResetSchedule,
  nowMs: number,
): ResetSchedule => {
  if (next.every === before.every && next.firstResetMs === before.firstResetMs) return before
  return { ...next, since: { startMs: periodAt(before, nowMs).startMs, setAtMs: nowMs } }
}
