import type { PromptPartial } from '../../store/prompt-partials.ts'
import type { AuditEntry } from '../route.ts'

export const entryFor = (
  verb: 'create' | 'update' | 'publish' | 'delete',
  { id, workspaceId }: PromptPartial,
): AuditEntry => ({
  action: `prompt_partials.${verb}`,
  objectKind: 'prompt_partial',
  objectId: id,
  workspaceId,
})
