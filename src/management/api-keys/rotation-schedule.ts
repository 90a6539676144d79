import type { RotationPolicy } from '../../store/schema/api-keys.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7
/** What every month has. */
const SHORTEST_MONTH_DAYS = 28

/** How long the periods of a policy are; without either it has none. */
export interface RotationPeriod {
  readonly rotationPeriod?: RotationPolicy['rotationPeriod'] | undefined
  readonly rotationPeriodDays?: number | undefined
}

/** The shortest that a period of the policy can be, in milliseconds; undefined for a policy without one. */
export const shortestPeriodMs = ({
  rotationPeriod,
  rotationPeriodDays,
}: Partial<RotationPolicy>): number | undefined =>
  rotationPeriod === 'monthly' ? DAY_MS * SHORTEST_MONTH_DAYS : daysMs({ rotationPeriod, rotationPeriodDays })

/**
 * The first end of a period after a time. Periods are counted in UTC from where the policy began, so that a rotation which
 * came late moves none of them, and a month that began on the 31st ends on the last day of each shorter one.
 * @returns undefined for a policy without a period
 */
export const nextRotation = (policy: RotationPolicy, afterMs: number): Date | undefined => {
  const anchor = new Date(policy.anchorAt)
  if (policy.rotationPeriod === 'monthly') return firstMonthEnd(anchor, afterMs)
  const lengthMs = daysMs(policy)
  if (lengthMs === undefined) return undefined
  const anchorMs = anchor.getTime()
  // The first period ends as a whole, also by a clock that has stepped back to before it.
  const count = Math.max(1, Math.floor((afterMs - anchorMs) / lengthMs) + 1)
  return new Date(anchorMs + count * lengthMs)
}

/**
 * When a key is rotated again that was rotated now. One that came late, since no gateway ran, is not followed by another
 * within half a period.
 */
export const rotationAfter = (policy: RotationPolicy, dueMs: number, nowMs: number): Date | undefined => {
  const lateMs = Math.max(0, nowMs - dueMs)
  return nextRotation(policy, nowMs + Math.min(lateMs, (shortestPeriodMs(policy) ?? 0) / 2))
}

const daysMs = ({ rotationPeriod, rotationPeriodDays }: RotationPeriod): number | undefined => {
  const days = rotationPeriod === 'weekly' ? WEEK_DAYS : rotationPeriodDays
  return days === undefined ? undefined : days * DAY_MS
}

const firstMonthEnd = (anchor: Date, afterMs: number): Date => {
  const after = new Date(afterMs)
  const months = (after.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + after.getUTCMonth() - anchor.getUTCMonth()
  const count = Math.max(1, months)
  const end = addMonths(anchor, count)
  return end.getTime() > afterMs ? end : addMonths(anchor, count + 1)
}

/** The same day and time so many months later, or the last day of a month that is too short. UTC. */
const addMonths = (from: Date, count: number): Date => {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + count]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = new Date(from)
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  return moved
}
