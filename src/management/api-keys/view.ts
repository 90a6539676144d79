import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { RotationPolicy } from '../../store/schema/api-keys.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import { fromUsageLimits } from '../limits.ts'

/** A key as the interface shows it (interface contract, section 3.8); its secret only masked. */
export const showKey = (record: ApiKeyRecord, nowMs: number) => ({
  id: record.id,
  key: record.maskedKey,
  name: record.name,
  description: record.description,
  type: record.kind,
  organisation_id: record.organisationId,
  workspace_id: record.workspaceId,
  user_id: record.userId,
  status: record.expiresAt !== null && record.expiresAt.getTime() <= nowMs ? 'expired' : record.status,
  created_at: record.createdAt.toISOString(),
  last_updated_at: record.lastUpdatedAt.toISOString(),
  creation_mode: record.creationMode,
  rate_limits: record.rateLimits ?? [],
  usage_limits: record.usageLimits === null ? null : fromUsageLimits(record.usageLimits),
  reset_usage: false,
  scopes: record.scopes,
  defaults: record.defaults === null ? null : showDefaults(record.defaults),
  alert_emails: record.alertEmails ?? [],
  expires_at: record.expiresAt?.toISOString() ?? null,
  rotation_policy: record.rotationPolicy === null ? null : showRotationPolicy(record.rotationPolicy),
  key_transition_expires_at: isInTransition(record, nowMs) ? (record.previousExpiresAt?.toISOString() ?? null) : null,
  object: 'api-key' as const,
})

/** Whether the secret before the last rotation still works. */
const isInTransition = ({ previousExpiresAt }: ApiKeyRecord, nowMs: number): boolean =>
  previousExpiresAt !== null && previousExpiresAt.getTime() > nowMs

const showDefaults = ({ metadata, configId, allowConfigOverride = true }: RequestDefaults) => ({
  ...(metadata === undefined ? {} : { metadata }),
  ...(configId === undefined ? {} : { config_id: configId }),
  allow_config_override: allowConfigOverride,
})

const showRotationPolicy = (policy: RotationPolicy) => ({
  ...(policy.rotationPeriod === undefined ? {} : { rotation_period: policy.rotationPeriod }),
  ...(policy.rotationPeriodDays === undefined ? {} : { rotation_period_days: policy.rotationPeriodDays }),
  ...(policy.nextRotationAt === undefined ? {} : { next_rotation_at: policy.nextRotationAt }),
  ...(policy.keyTransitionPeriodMs === undefined ? {} : { key_transition_period_ms: policy.keyTransitionPeriodMs }),
})
