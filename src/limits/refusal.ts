import type { OwnedLimits } from '../core/limits.ts'
import { type GatewayErrorOptions, RateLimited, RequestExceedsLimit } from '../errors/gateway-error.ts'
import type { Verdict } from './ring/ring.ts'
import type { LimitUnit } from './ring/units.ts'
import type { Rule } from './rule.ts'

/** A rule that does not let the call through, and what it said. */
export interface Refusing {
  readonly rule: Rule
  readonly verdict: Pick<Verdict, 'fits' | 'used' | 'resetMs' | 'fitMs'>
  /** What the call would have taken. */
  readonly weight: number
}

/** `error.type` of the interface, by what the limit belongs to. */
const OWNER_TYPES: Readonly<Record<OwnedLimits['owner'], string>> = {
  api_key: 'api_key_rate_limit_error',
  workspace: 'workspace_rate_limit_error',
  virtual_key: 'virtual_key_rate_limit_error',
  integration: 'integration_rate_limit_error',
}

const OWNER_NAMES: Readonly<Record<OwnedLimits['owner'], string>> = {
  api_key: 'the API key',
  workspace: 'the workspace',
  virtual_key: 'the stored provider',
  integration: 'the integration',
}

const PER: Readonly<Record<LimitUnit, string>> = {
  rps: 'second',
  rpm: 'minute',
  rph: 'hour',
  rpd: 'day',
  rpw: 'week',
}

/**
 * The error for a call that was refused: it names the first rule, and the time after which all of them have room.
 * A call that one of them can never let through is told so, instead of being sent round in circles.
 */
export const toRefusal = (refusing: readonly [Refusing, ...Refusing[]]): RateLimited | RequestExceedsLimit => {
  // Any target would meet that one.
  const endsCall = refusing.some(({ rule }) => rule.scope === 'call')
  const never = refusing.find(({ rule, verdict }) => verdict.fits === 'never' && rule.value > 0)
  if (never !== undefined) {
    return new RequestExceedsLimit(
      `The request needs ${counted(never.weight, never.rule.type)}, and ${described(never.rule)} lets through ${counted(never.rule.value, never.rule.type)} per ${PER[never.rule.unit]}: it can never be made.`,
      { ...optionsOf(never), endsCall },
    )
  }
  const [first] = refusing
  const { rule, verdict } = first
  if (rule.value === 0)
    return new RateLimited(`The limit of ${described(rule)} is 0: nothing is let through.`, {
      ...optionsOf(first),
      endsCall,
    })
  const retryAfterMs = Math.max(...refusing.map((each) => each.verdict.fitMs))
  return new RateLimited(
    `Rate limit reached for ${described(rule)}: ${counted(rule.value, rule.type)} per ${PER[rule.unit]}, ${verdict.used} used. Try again in ${Math.ceil(retryAfterMs / 100) / 10} s.`,
    { ...optionsOf(first), endsCall, retryAfterMs },
  )
}

/** Characters of a group value in a message. */
const LONGEST_VALUE = 128

const counted = (count: number, type: Rule['type']): string => `${count} ${count === 1 ? type.slice(0, -1) : type}`

/** The policy with its window's values, as the interface writes them: `metadata._user:anna-model:openai.gpt-4o`. */
const described = ({ owner, id, group }: Rule): string => {
  if (owner !== 'policy') return OWNER_NAMES[owner]
  const values = Object.entries(group).map(([key, value]) => `${key}:${value?.slice(0, LONGEST_VALUE) ?? '(absent)'}`)
  return `policy ${id} (${values.length === 0 ? 'default' : values.join('-')})`
}

const optionsOf = ({ rule, verdict, weight }: Refusing): GatewayErrorOptions => ({
  ...(rule.owner === 'policy' ? {} : { type: OWNER_TYPES[rule.owner] }),
  rateLimit: {
    ...(rule.owner === 'policy' ? { policyId: rule.id } : {}),
    group: rule.group,
    type: rule.type,
    unit: rule.unit,
    limit: rule.value,
    used: verdict.used,
    requested: weight,
    resetMs: Math.ceil(verdict.resetMs),
  },
})
