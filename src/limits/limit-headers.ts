import type { Verdict } from './ring.ts'
import type { Rule } from './rule.ts'
import { GRIDS } from './units.ts'

/** A rule that was asked, and what it said. */
export interface Asked {
  readonly rule: Rule
  readonly verdict: Pick<Verdict, 'used' | 'releaseMs' | 'resetMs'>
}

/** Policies that the two IETF headers name. */
const MOST_NAMED = 3

/**
 * Response headers of the limits that a call met: `x-ratelimit-*` as OpenAI sends them, from the tightest limit of each
 * type, and `RateLimit-Policy` with `RateLimit` of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10) for the three
 * tightest. The draft has no unit for tokens: they carry `x-unit="tokens"`. Of a call whose tokens are not known yet,
 * `remaining` holds what was set aside for it.
 */
export const toLimitHeaders = (asked: readonly Asked[]): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  const tightest = asked
    .filter(({ rule }) => rule.mode === 'enforce')
    .toSorted((left, right) => share(left) - share(right))
  if (tightest.length === 0) return headers
  for (const type of ['requests', 'tokens'] as const) {
    const found = tightest.find(({ rule }) => rule.type === type)
    if (found === undefined) continue
    headers.set(`x-ratelimit-limit-${type}`, String(found.rule.value))
    headers.set(`x-ratelimit-remaining-${type}`, String(remaining(found)))
    headers.set(`x-ratelimit-reset-${type}`, duration(found.verdict.resetMs))
  }
  const named = tightest.slice(0, MOST_NAMED)
  headers.set(
    'ratelimit-policy',
    named
      .map(({ rule }) => `"${nameOf(rule)}";q=${rule.value};w=${seconds(GRIDS[rule.unit].windowMs)}${unitOf(rule)}`)
      .join(', '),
  )
  headers.set(
    'ratelimit',
    named.map((each) => `"${nameOf(each.rule)}";r=${remaining(each)};t=${seconds(each.verdict.releaseMs)}`).join(', '),
  )
  return headers
}

const remaining = ({ rule, verdict }: Asked): number => Math.max(0, rule.value - verdict.used)

const share = (asked: Asked): number => remaining(asked) / Math.max(1, asked.rule.value)

/** Short and opaque: the first group of a policy's id, or the owner of the limit. */
const nameOf = ({ owner, id, unit, type }: Rule): string =>
  owner === 'policy' ? id.slice(-12) : `${owner}-${type}-${unit}`

const unitOf = ({ type }: Rule): string => (type === 'requests' ? ';qu="requests"' : ';x-unit="tokens"')

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** As OpenAI writes it: `17ms`, `4.2s`, `6m0s`, `1h2m3s`. */
const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 100) / 10}s`
  const whole = seconds(ms)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return `${hours > 0 ? `${hours}h` : ''}${minutes}m${whole % 60}s`
}
