import type { BodyPolicy, BodyRules } from '#core/log-settings'
import type { Call, Finish } from '#kit'
import { gatewayHeaders, principal } from '#kit/slots'

/**
 * What is kept of the messages of a call. `none` stays `none`, whoever says it; else the word of the key wins over those above it,
 * and `x-gateway-debug` over that: `false` leaves those of failures, `true` adds all others.
 */
export const bodyPolicyOf = (call: Call, { bodies }: BodyRules): BodyPolicy => {
  if (bodies === 'none') return bodies
  const policy = call.find(principal)?.bodies ?? bodies
  if (policy === 'none') return policy
  const debug = call.find(gatewayHeaders)?.get('debug')?.trim().toLowerCase()
  if (debug === 'false') return 'failed'
  return debug === 'true' ? 'all' : policy
}

/** Whether a call counts as failed for the policy. A client that leaves is no failure. */
export const hasFailed = ({ status, outcome }: Pick<Finish, 'status' | 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'truncated' || (outcome === 'completed' && status >= 400)
