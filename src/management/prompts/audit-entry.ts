import type { Prompt } from '../../store/prompts.ts'
import type { AuditEntry } from '../route.ts'

/** What the audit log says of a change of a prompt. */
export const entryFor = (
  verb: 'create' | 'update' | 'publish' | 'delete',
  { id, workspaceId }: Prompt,
  changes: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry => ({ action: `prompts.${verb}`, objectKind: 'prompt', objectId: id, workspaceId, ...changes })
