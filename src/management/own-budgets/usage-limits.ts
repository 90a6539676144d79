import type { Static } from '@sinclair/typebox'
import { midnightBefore, periodAt, reschedule } from '../../budgets/schedule.ts'
import type { ResetSchedule } from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import type { UsageLimits as StoredUsageLimits } from '../../store/schema/own-limits.ts'
import type { UsageLimits } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { largestLimit, scheduleOf } from './own-budgets.ts'

export type UsageLimitsBody = Static<typeof UsageLimits>

/** Fewer tokens than this are no budget (behaviours, section 4.5). */
const MINIMUM_TOKENS = 100

/** What a budget is stored beside. */
export interface UsageLimitsPlace {
  /** Where it stands in the body. */
  readonly path: string
  /** What the owner has now; the count of a budget of the same type goes on. */
  readonly before: readonly StoredUsageLimits[] | null | undefined
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * A budget as it is stored. Its count goes on through a raised limit, and through a changed schedule until the first reset of
 * the new one.
 * @throws ManagementInvalid for fields that contradict each other, or that are beyond what can be counted.
 */
export const toUsageLimits = (body: UsageLimitsBody, { path, before, nowMs }: UsageLimitsPlace): StoredUsageLimits => {
  const { type } = body
  const stored: StoredUsageLimits = {
    type,
    creditLimit: checkLimit(body, path),
    ...defined({
      alertThreshold: checkThreshold(body, path),
      ...checkReset(body, path),
      enforcement: body.enforcement,
    }),
  }
  const earlier = before?.find((other) => other.type === type)
  const { every, firstResetMs } = scheduleOf(stored)
  const isRepeated = earlier !== undefined && scheduleOf(earlier).firstResetMs === firstResetMs
  if (firstResetMs !== undefined && every === undefined && firstResetMs <= nowMs && !isRepeated) {
    throw invalidField(`${path}.next_usage_reset_at`, 'must be a day to come: it is cut to midnight UTC')
  }
  if (earlier === undefined) return { ...stored, since: { startMs: nowMs, setAtMs: nowMs } }
  const schedule = scheduleOf(stored)
  const running = scheduleOf(earlier)
  if (repeatsWhatWasShown(schedule, running, nowMs)) {
    const { nextUsageResetAt: _, ...rest } = stored
    return { ...rest, since: running.since, ...defined({ nextUsageResetAt: earlier.nextUsageResetAt }) }
  }
  return { ...stored, since: reschedule(schedule, running, nowMs).since }
}

/** The budgets of an owner that may have one of each type. @throws as `toUsageLimits`; ManagementInvalid for two of one type */
export const toUsageLimitsList = (
  bodies: readonly UsageLimitsBody[],
  place: UsageLimitsPlace,
): readonly StoredUsageLimits[] =>
  bodies.map((body, index) => {
    const path = `${place.path}[${index}]`
    if (bodies.findIndex(({ type }) => type === body.type) < index) {
      throw invalidField(`${path}.type`, 'is that of the budget before it')
    }
    return toUsageLimits(body, { ...place, path })
  })

const checkLimit = ({ type, credit_limit: limit }: UsageLimitsBody, path: string): number => {
  if (type === 'tokens' && limit < MINIMUM_TOKENS) {
    throw invalidField(`${path}.credit_limit`, `must be at least ${MINIMUM_TOKENS} tokens`)
  }
  const largest = largestLimit(type)
  if (limit > largest) {
    throw invalidField(`${path}.credit_limit`, `must be at most ${largest} ${type === 'cost' ? 'dollars' : 'tokens'}`)
  }
  return limit
}

const checkThreshold = (body: UsageLimitsBody, path: string): number | undefined => {
  const threshold = body.alert_threshold ?? undefined
  if (threshold !== undefined && threshold > body.credit_limit) {
    throw invalidField(`${path}.alert_threshold`, 'must not be above `credit_limit`')
  }
  return threshold
}

/** Resets come at midnight, so that a later time of day means that midnight. */
const checkReset = (
  body: UsageLimitsBody,
  path: string,
): Pick<StoredUsageLimits, 'periodicReset' | 'periodicResetDays' | 'nextUsageResetAt'> => {
  const periodicReset = body.periodic_reset ?? undefined
  const periodicResetDays = body.periodic_reset_days ?? undefined
  if (periodicReset !== undefined && periodicResetDays !== undefined) {
    throw invalidField(`${path}.periodic_reset_days`, 'goes not together with `periodic_reset`')
  }
  const next = body.next_usage_reset_at ?? undefined
  const at = next === undefined ? undefined : toDate(next, `${path}.next_usage_reset_at`).getTime()
  const nextUsageResetAt = at === undefined ? undefined : new Date(midnightBefore(at)).toISOString()
  return defined({ periodicReset, periodicResetDays, nextUsageResetAt })
}

/** A client that writes back what it has read gives the next reset that was computed, which is no other schedule. */
const repeatsWhatWasShown = ({ every, firstResetMs }: ResetSchedule, running: ResetSchedule, nowMs: number): boolean =>
  firstResetMs !== undefined && every === running.every && firstResetMs === periodAt(running, nowMs).endMs

/** @throws ManagementInvalid for text that looks like a time and is none, such as one of 31 February. */
export const toDate = (text: string, path: string): Date => {
  const date = new Date(text)
  const day = Number(text.slice(8, 10))
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  if (Number.isNaN(date.getTime()) || day > lastDay) throw invalidField(path, 'is no time that exists')
  return date
}

/** @throws ManagementInvalid for a time that has passed, or that does not exist. */
export const toFutureDate = (text: string, path: string, nowMs: number): Date => {
  const date = toDate(text, path)
  if (date.getTime() <= nowMs) throw invalidField(path, 'must be in the future')
  return date
}

/** A stored budget as the interface shows it. */
export const fromUsageLimits = (limits: StoredUsageLimits): UsageLimitsBody =>
  defined({
    credit_limit: limits.creditLimit,
    type: limits.type,
    alert_threshold: limits.alertThreshold,
    periodic_reset: limits.periodicReset,
    periodic_reset_days: limits.periodicResetDays,
    next_usage_reset_at: limits.nextUsageResetAt,
    enforcement: limits.enforcement ?? 'soft',
  })
