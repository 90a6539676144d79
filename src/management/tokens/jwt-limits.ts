import { type Static, Type as t } from '@sinclair/typebox'
import type { JWTPayload } from 'jose'
import { defined } from '../../core/defined.ts'
import { check } from '../../core/json/check.ts'
import { InvalidApiKey, ManagementInvalid } from '../../errors/gateway-error.ts'
import type { KeyRateLimit, UsageLimits as StoredUsageLimits } from '../../store/schema/own-limits.ts'
import { KeyRateLimit as RateLimit, UsageLimits } from '../fields.ts'
import { toUsageLimitsList } from '../own-budgets/usage-limits.ts'

/** What a foreign token says that its bearer may use: the limits that a key would have. */
export interface JwtLimits {
  readonly usageLimits?: readonly StoredUsageLimits[]
  readonly rateLimits?: readonly KeyRateLimit[]
}

const Claims = t.Object({
  usage_limits: t.Array(UsageLimits, { maxItems: 2 }),
  rate_limits: t.Array(RateLimit, { maxItems: 20 }),
})

/**
 * The claims `usage_limits` and `rate_limits`; a single budget may stand without a list around it, as on keys.
 * @throws InvalidApiKey that says what is wrong with them: a token whose limits cannot be read has no others
 */
export const readLimits = (claims: JWTPayload): JwtLimits => {
  const { usage_limits: budgets, rate_limits: limits } = claims
  if (budgets == null && limits == null) return {}
  const asked = {
    usage_limits: Array.isArray(budgets) ? budgets : budgets == null ? [] : [budgets],
    rate_limits: limits ?? [],
  }
  const checked = check(Claims, asked, 1)
  if (!checked.ok) throw unreadable(checked.violations[0])
  const { usage_limits: usageLimits, rate_limits: rateLimits } = checked.value
  return defined({
    usageLimits: usageLimits.length === 0 ? undefined : toBudgets(usageLimits),
    rateLimits: rateLimits.length === 0 ? undefined : rateLimits,
  })
}

/** Tokens are not stored, so that their periods do not depend on when one was made: days are counted from 1970. */
const toBudgets = (bodies: readonly Static<typeof UsageLimits>[]): readonly StoredUsageLimits[] => {
  try {
    return toUsageLimitsList(bodies, { path: 'usage_limits', before: undefined, nowMs: 0 })
  } catch (thrown) {
    throw thrown instanceof ManagementInvalid ? unreadable(thrown.options.violations?.[0], thrown) : thrown
  }
}

const unreadable = (
  violation: { readonly path: string; readonly message: string } | undefined,
  cause?: unknown,
): InvalidApiKey =>
  new InvalidApiKey(`The token has a claim that is not valid: \`${violation?.path}\` ${violation?.message}.`, { cause })
