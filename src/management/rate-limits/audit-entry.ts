import type { RateLimitPolicy } from '../../store/rate-limit-policies.ts'
import type { AuditEntry } from '../route.ts'

/** What the audit log says of a change of a policy, or of its counts. */
export const entryFor = (
  verb: 'create' | 'update' | 'delete',
  { id, workspaceId }: RateLimitPolicy,
  changes: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry => ({
  action: `policies.${verb}`,
  objectKind: 'policy_rate_limits',
  objectId: id,
  workspaceId,
  ...changes,
})
