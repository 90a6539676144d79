import type { OwnedLimits } from '../core/limits.ts'
import { type GatewayErrorOptions, RateLimited, RequestExceedsLimit } from '../errors/gateway-error.ts'
import type { Verdict } from './ring/ring.ts'
import type { LimitUnit } from './ring/units.ts'
import type { Rule } from './rule.ts'

/** What a rule says to a call. */
export interface RuleVerdict {
  readonly rule: Rule
  /** What the call takes. */
  readonly weight: number
  readonly verdict: Verdict
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
 * @returns undefined when all let it through
 */
export const toRefusal = (verdicts: readonly RuleVerdict[]): RateLimited | RequestExceedsLimit | undefined => {
  const refusing = verdicts.filter(({ rule, verdict }) => verdict.fits !== 'yes' && rule.mode === 'enforce')
  const never = refusing.find(({ rule, verdict }) => verdict.fits === 'never' && rule.value > 0)
  const named = never ?? refusing[0]
  if (named === undefined) return undefined
  const { rule, verdict, weight } = named
  // Any target would meet a limit that looks at the call alone.
  const options = {
    ...optionsOf(named),
    endsCall: refusing.some((each) => each.rule.scope === 'call'),
    refusedBy: refusing.map((each) => each.rule.id),
  }
  const value = counted(rule.value, rule.type)
  if (never !== undefined) {
    return new RequestExceedsLimit(
      `The request needs ${counted(weight, rule.type)}, and ${described(rule)} lets through ${value} per ${PER[rule.unit]}: it can never be made.`,
      options,
    )
  }
  if (rule.value === 0) return new RateLimited(`The limit of ${described(rule)} is 0: nothing is let through.`, options)
  const retryAfterMs = Math.max(...refusing.map((each) => each.verdict.fitMs))
  return new RateLimited(
    `Rate limit reached for ${described(rule)}: ${value} per ${PER[rule.unit]}, ${verdict.used} used. Try again in ${Math.ceil(retryAfterMs / 100) / 10} s.`,
    { ...options, retryAfterMs },
  )
}

/** Characters of a group value in a message. */
const LONGEST_VALUE = 128

const counted = (count: number, type: Rule['type']): string => `${count} ${count === 1 ? type.slice(0, -1) : type}`

/** The policy with its group's values, as the interface writes them: `metadata._user:anna-model:openai.gpt-4o`. */
export const described = ({ owner, id, group }: Pick<Rule, 'owner' | 'id' | 'group'>): string => {
  if (owner !== 'policy') return OWNER_NAMES[owner]
  const values = Object.entries(group).map(([key, value]) => `${key}:${value?.slice(0, LONGEST_VALUE) ?? '(absent)'}`)
  return `policy ${id} (${values.length === 0 ? 'default' : values.join('-')})`
}

const optionsOf = ({ rule, verdict, weight }: RuleVerdict): GatewayErrorOptions => ({
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
