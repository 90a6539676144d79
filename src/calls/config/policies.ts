import { defined } from '../../core/defined.ts'
import type { BreakerPolicy, CachePolicy, RetryPolicy, StickyPolicy } from '../../kit/plan.ts'
import type { ConfigNode, ConfigStrategy } from './fields.ts'

/** Most attempts beyond the first. */
const MAX_RETRIES = 5

const RETRIED_CODES = [429, 500, 502, 503, 504, 529] as const

/** Seconds an answer may be kept: from a minute to 90 days, by default a week. */
const MIN_AGE_SECONDS = 60
const MAX_AGE_SECONDS = 7_776_000
const DEFAULT_AGE_SECONDS = 604_800

const DEFAULT_STICKY_SECONDS = 3_600
const DEFAULT_COOLDOWN_MS = 30_000
const DEFAULT_MINIMUM_REQUESTS = 5

export const toRetry = (retry: NonNullable<ConfigNode['retry']>): RetryPolicy => {
  const codes = retry.on_status_codes ?? []
  return defined({
    attempts: Math.min(retry.attempts, MAX_RETRIES),
    onStatusCodes: new Set(codes.length === 0 ? RETRIED_CODES : codes),
    useRetryAfterHeader: retry.use_retry_after_header,
  })
}

/** An age outside its bounds counts as none. */
export const toCache = ({ mode, max_age: age }: NonNullable<ConfigNode['cache']>): CachePolicy => ({
  mode,
  maxAgeSeconds:
    age !== undefined && age >= MIN_AGE_SECONDS && age <= MAX_AGE_SECONDS ? Math.floor(age) : DEFAULT_AGE_SECONDS,
})

export const toSticky = (sticky: ConfigStrategy['sticky']): StickyPolicy | undefined =>
  sticky?.enabled === true
    ? { hashFields: [...new Set(sticky.hash_fields)], ttlSeconds: sticky.ttl ?? DEFAULT_STICKY_SECONDS }
    : undefined

export const toBreaker = (breaker: NonNullable<ConfigStrategy['cb_config']>): BreakerPolicy => {
  const codes = breaker.failure_status_codes ?? []
  return {
    ...defined({
      failureThreshold: breaker.failure_threshold,
      failureThresholdPercentage: breaker.failure_threshold_percentage,
    }),
    minimumRequests: breaker.minimum_requests ?? DEFAULT_MINIMUM_REQUESTS,
    cooldownMs: breaker.cooldown_interval ?? DEFAULT_COOLDOWN_MS,
    ...(codes.length === 0 ? {} : { failureStatusCodes: new Set(codes) }),
  }
}
