import type { Integration } from '../../store/integrations.ts'
import type { AuditEntry } from '../route.ts'
import { familyOf, type IntegrationVerb } from './reach.ts'

/** What the audit log says of a change of an integration, or of its models. */
export const entryFor = (
  integration: Integration,
  verb: IntegrationVerb,
  objectKind: 'integration' | 'integration_models',
  changes: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry => ({
  action: `${familyOf(integration)}.${verb}`,
  objectKind,
  objectId: integration.id,
  ...(integration.workspaceId === null ? {} : { workspaceId: integration.workspaceId }),
  ...changes,
})
