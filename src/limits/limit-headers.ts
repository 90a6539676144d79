import type { Origin } from './away/limit-store.ts'
import { cached } from './cached.ts'
import type { RuleVerdict } from './refusal.ts'
import { GRIDS } from './ring/units.ts'
import type { Rule } from './rule.ts'

/** A rule that was asked, who was asked for it, and what it said; nothing that counts where it was let through `open`. */
export interface AskedRule extends RuleVerdict {
  readonly origin: Origin
}

/** Policies that the two IETF headers name. */
const MOST_NAMED = 3

/**
 * Response headers of the limits that a call met: `x-ratelimit-*` as OpenAI sends them, from the tightest limit of each
 * type, and `RateLimit-Policy` with `RateLimit` of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10) for the three
 * tightest. The draft has no unit for tokens: they carry `x-unit="tokens"`. Of a call whose tokens are not known yet,
 * `remaining` holds what was set aside for it.
 */
export const toLimitHeaders = (rules: readonly AskedRule[]): Map<string, string> => {
  const headers = new Map<string, string>()
  const tightest: AskedRule[] = []
  for (const asked of rules) if (asked.origin !== 'open' && asked.rule.mode === 'enforce') tightest.push(asked)
  if (tightest.length === 0) return headers
  if (tightest.length > 1) tightest.sort((left, right) => share(left) - share(right))
  for (const type of TYPES) {
    for (const asked of tightest) {
      if (asked.rule.type !== type) continue
      const names = NAMES[type]
      headers.set(names.limit, String(asked.rule.value))
      headers.set(names.remaining, String(remaining(asked)))
      headers.set(names.reset, duration(asked.verdict.resetMs))
      break
    }
  }
  let policies = ''
  let states = ''
  for (let place = 0; place < tightest.length && place < MOST_NAMED; place += 1) {
    const asked = tightest[place]
    if (asked === undefined) continue
    const { name, policy } = textsOf(asked.rule)
    const between = place === 0 ? '' : ', '
    policies += between + policy
    states += `${between}${name};r=${remaining(asked)};t=${seconds(asked.verdict.releaseMs)}`
  }
  headers.set('ratelimit-policy', policies)
  headers.set('ratelimit', states)
  return headers
}

const TYPES = ['requests', 'tokens'] as const

const namesOf = (type: Rule['type']) => ({
  limit: `x-ratelimit-limit-${type}`,
  remaining: `x-ratelimit-remaining-${type}`,
  reset: `x-ratelimit-reset-${type}`,
})
const NAMES = { requests: namesOf('requests'), tokens: namesOf('tokens') }

const remaining = ({ rule, verdict }: AskedRule): number => Math.max(0, rule.value - verdict.used)

const share = (asked: AskedRule): number => remaining(asked) / Math.max(1, asked.rule.value)

/** What is said of a rule in the same words each time. */
const textsOf = cached((rule: Rule) => {
  const name = `"${nameOf(rule)}"`
  return { name, policy: `${name};q=${rule.value};w=${seconds(GRIDS[rule.unit].windowMs)}${unitOf(rule)}` }
})

/** Short and opaque: the first group of a policy's id, or the owner of the limit. */
const nameOf = ({ owner, id, unit, type }: Rule): string =>
  owner === 'policy' ? id.slice(-12) : `${owner}-${type}-${unit}`

const unitOf = ({ type }: Rule): string => (type === 'requests' ? ';qu="requests"' : ';x-unit="tokens"')

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** Writes a duration as OpenAI does: `17ms`, `4.2s`, `6m0s`, `1h2m3s`. */
const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 100) / 10}s`
  const whole = seconds(ms)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return `${hours > 0 ? `${hours}h` : ''}${minutes}m${whole % 60}s`
}
