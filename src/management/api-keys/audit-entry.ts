import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { AuditEntry } from '../route.ts'
import type { KeyVerb } from './scopes.ts'

/** What a change of a key is called in the audit log, from the interface and from a terminal. */
export const entryFor = (verb: KeyVerb, { id, workspaceId }: ApiKeyRecord): AuditEntry => ({
  action: `api_keys.${verb}`,
  objectKind: 'api_key',
  objectId: id,
  ...(workspaceId === null ? {} : { workspaceId }),
})
