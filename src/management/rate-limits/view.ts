import type { RateLimitPolicy } from '../../store/rate-limit-policies.ts'

/** A policy as lists show it. */
export const toPolicyRow = (policy: RateLimitPolicy) => ({
  id: policy.id,
  name: policy.name,
  description: policy.description,
  conditions: policy.conditions,
  group_by: policy.groupBy.map((key) => ({ key })),
  type: policy.type,
  unit: policy.unit,
  value: policy.value,
  target: policy.target,
  status: policy.status,
  on_store_failure: policy.onStoreFailure,
  reservation: policy.reservation,
  mode: policy.mode,
  workspace_id: policy.workspaceId,
  organisation_id: policy.organisationId,
  created_at: policy.createdAt.toISOString(),
  last_updated_at: policy.lastUpdatedAt.toISOString(),
})

/** A policy by itself. */
export const toPolicyAnswer = (policy: RateLimitPolicy) => ({
  ...toPolicyRow(policy),
  object: 'policy_rate_limits' as const,
})
