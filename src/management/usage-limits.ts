import type { Static } from '@sinclair/typebox'
import { defined } from '../core/defined.ts'
import type { UsageLimits as StoredUsageLimits } from '../store/schema/own-limits.ts'
import type { UsageLimits } from './fields.ts'
import { invalidField } from './invalid-field.ts'

type UsageLimitsBody = Static<typeof UsageLimits>

/** Fewer tokens than this are no budget (behaviours, section 4.5). */
const MINIMUM_TOKENS = 100

/**
 * A budget as it is stored.
 * @param path where it stands in the body
 * @throws ManagementInvalid for fields that contradict each other.
 */
export const toUsageLimits = (body: UsageLimitsBody, path: string): StoredUsageLimits => {
  const { type, credit_limit: creditLimit, alert_threshold: alertThreshold } = body
  if (type === 'tokens' && creditLimit < MINIMUM_TOKENS) {
    throw invalidField(`${path}.credit_limit`, `must be at least ${MINIMUM_TOKENS} tokens`)
  }
  if (alertThreshold !== undefined && alertThreshold > creditLimit) {
    throw invalidField(`${path}.alert_threshold`, 'must not be above `credit_limit`')
  }
  const periodicReset = body.periodic_reset ?? undefined
  const periodicResetDays = body.periodic_reset_days ?? undefined
  if (periodicReset !== undefined && periodicResetDays !== undefined) {
    throw invalidField(`${path}.periodic_reset_days`, 'goes not together with `periodic_reset`')
  }
  const nextUsageResetAt = body.next_usage_reset_at ?? undefined
  return defined({
    type,
    creditLimit,
    alertThreshold,
    periodicReset,
    periodicResetDays,
    nextUsageResetAt:
      nextUsageResetAt === undefined
        ? undefined
        : toDate(nextUsageResetAt, `${path}.next_usage_reset_at`).toISOString(),
  })
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
  })

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
