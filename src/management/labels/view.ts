import type { Label } from '../../store/labels.ts'
import type { AuditEntry } from '../route.ts'

export const toLabelAnswer = (label: Label) => ({
  id: label.id,
  name: label.name,
  description: label.description,
  color_code: label.colorCode,
  is_universal: label.isUniversal,
  status: 'active' as const,
  organisation_id: label.organisationId,
  workspace_id: label.workspaceId,
  created_at: label.createdAt.toISOString(),
  last_updated_at: label.lastUpdatedAt.toISOString(),
  object: 'label' as const,
})

/** What the audit log says of a change of a label. */
export const entryFor = (
  verb: 'create' | 'update' | 'delete',
  { id, workspaceId }: Label,
  changes: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry => ({ action: `labels.${verb}`, objectKind: 'label', objectId: id, workspaceId, ...changes })
