import type { GroupValues, UsedGroup } from '../../limits/rate-limits.ts'
import type { RateLimitPolicy } from '../../store/objects/rate-limit-policies.ts'
import { invalidField } from '../invalid-field.ts'

/** What a group has used, as the interface shows it. */
export const toUsageRow = ({ group, used, releaseMs, resetMs }: UsedGroup, limit: number, nowMs: number) => ({
  group,
  used,
  limit,
  remaining: Math.max(0, limit - used),
  debt: Math.max(0, used - limit),
  release_in_ms: Math.ceil(releaseMs),
  reset_in_ms: Math.ceil(resetMs),
  resets_at: new Date(nowMs + Math.ceil(resetMs)).toISOString(),
})

/** @throws ManagementInvalid unless there is a value for each key of the policy, and no other */
export const checkGroup = ({ groupBy }: RateLimitPolicy, group: GroupValues): void => {
  const missing = groupBy.find((key) => !Object.hasOwn(group, key))
  if (missing !== undefined) throw invalidField(`group.${missing}`, 'is missing: each key of `group_by` needs a value')
  const stranger = Object.keys(group).find((key) => !groupBy.includes(key))
  if (stranger === undefined) return
  throw invalidField(`group.${stranger}`, `is no key of the policy, whose keys are: ${groupBy.join(', ') || 'none'}`)
}
