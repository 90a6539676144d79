import { ManagementReference } from '../errors/gateway-error.ts'
import type { FoundKey } from '../kit/plugin.ts'
import type { ImaginedCall } from '../management/imagined-call.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../store/scopes.ts'
import type { Db } from '../store/types.ts'
import { findWorkspace } from '../store/workspaces.ts'

export interface CallerOptions {
  readonly db: Db
  /** A stored key by its id. */
  readonly findKey: (id: string) => Promise<FoundKey | undefined>
}

/** Who makes a call that nobody makes. @throws ManagementReference for a key that is none of the workspace */
export const findImaginedCaller = async (call: ImaginedCall, { db, findKey }: CallerOptions): Promise<FoundKey> => {
  const { apiKeyId, workspaceId } = call
  if (apiKeyId === undefined) return withoutKey(db, call)
  const found = await findKey(apiKeyId)
  if (found?.principal.workspaceId === workspaceId) return found
  throw new ManagementReference(`There is no API key '${apiKeyId}' in the workspace.`, { param: 'api_key_id' })
}

/** A caller of the workspace whose key is not known: limits that look at keys do not hold for it. */
const withoutKey = async (db: Db, { organisationId, workspaceId }: ImaginedCall): Promise<FoundKey> => {
  const workspace = await findWorkspace(db, { organisationId, reference: workspaceId })
  const rateLimits = workspace?.rateLimits ?? []
  return {
    principal: {
      keyId: 'dry run',
      keyName: 'dry run',
      kind: 'workspace-service',
      isForeign: true,
      organisationId,
      workspaceId,
      scopes: new Set(WORKSPACE_SERVICE_SCOPES),
    },
    ...(workspace?.defaults === null || workspace?.defaults === undefined ? {} : { defaults: workspace.defaults }),
    ...(rateLimits.length === 0 ? {} : { limits: [{ owner: 'workspace', id: workspaceId, limits: rateLimits }] }),
  }
}
