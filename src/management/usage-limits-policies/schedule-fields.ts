import { midnightBefore, type Period, periodAt, reschedule } from '../../budgets/schedule.ts'
import type { ResetSchedule } from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import { invalidField } from '../invalid-field.ts'
import { toDate } from '../own-budgets/usage-limits.ts'

/** How a body says when a count begins anew. Null removes. */
export interface ScheduleFields {
  readonly periodic_reset?: 'weekly' | 'monthly' | null
  readonly periodic_reset_days?: number | null
  readonly next_usage_reset_at?: string | null
}

const EVERY = { weekly: 'week', monthly: 'month' } as const

/**
 * The schedule that a body asks for.
 * @param before that of the policy; absent for a new one
 * @throws ManagementInvalid naming the field
 */
export const toSchedule = (body: ScheduleFields, before: ResetSchedule | undefined, nowMs: number): ResetSchedule => {
  if (typeof body.periodic_reset === 'string' && typeof body.periodic_reset_days === 'number') {
    throw invalidField('periodic_reset_days', 'goes not together with `periodic_reset`')
  }
  const next = defined({ every: everyOf(body, before), firstResetMs: firstResetOf(body, before) })
  if (isGiven(body.next_usage_reset_at) && next.every === undefined && (next.firstResetMs ?? 0) <= nowMs) {
    throw invalidField('next_usage_reset_at', 'must be a day to come: it is cut to midnight UTC')
  }
  return before === undefined ? { ...next, since: { startMs: nowMs, setAtMs: nowMs } } : reschedule(next, before, nowMs)
}

const isGiven = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

const everyOf = (body: ScheduleFields, before: ResetSchedule | undefined): ResetSchedule['every'] => {
  const { periodic_reset: word, periodic_reset_days: days } = body
  if (isGiven(word)) return EVERY[word]
  if (isGiven(days)) return days
  const isRemoved = word === null || (days === null && typeof before?.every === 'number')
  return isRemoved ? undefined : before?.every
}

const firstResetOf = (
  { next_usage_reset_at: text }: ScheduleFields,
  before: ResetSchedule | undefined,
): number | undefined => {
  if (text === undefined) return before?.firstResetMs
  return text === null ? undefined : midnightBefore(toDate(text, 'next_usage_reset_at').getTime())
}

/** A schedule as the interface shows it. */
export const shownSchedule = ({ every }: ResetSchedule) => ({
  periodic_reset: every === 'week' ? ('weekly' as const) : every === 'month' ? ('monthly' as const) : null,
  periodic_reset_days: typeof every === 'number' ? every : null,
})

/** When the period that runs began by a reset, and when the next one is; null for never. */
export const shownPeriod = (schedule: ResetSchedule, nowMs: number) => {
  const period = periodAt(schedule, nowMs)
  return { next_usage_reset_at: shownTime(period.endMs), last_reset_at: shownTime(lastResetOf(schedule, period)) }
}

/** The first period begins when the policy is made, which is no reset. */
const lastResetOf = ({ since }: ResetSchedule, { startMs }: Period): number | undefined =>
  startMs === since.setAtMs || startMs !== midnightBefore(startMs) ? undefined : startMs

const shownTime = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
