import type { Clock } from '../core/ports.ts'
import { ManagementReference } from '../errors/gateway-error.ts'
import type { FoundKey } from '../kit/plugin.ts'
import type { DryRun, ImaginedCall } from '../management/rate-limits/deps.ts'
import { rehearseLimits } from '../rehearse.ts'
import type { Runtime } from '../runtime.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../store/scopes.ts'
import type { Db } from '../store/types.ts'
import { findWorkspace } from '../store/workspaces.ts'

export interface DryRunOptions {
  readonly runtime: Runtime
  readonly db: Db
  /** A stored key by its id. */
  readonly findKey: (id: string) => Promise<FoundKey | undefined>
  readonly clock: Clock
  readonly randomId: () => string
}

/** Calls that nobody makes, through the chain that runs. */
export const createDryRun = ({ runtime, db, findKey, clock, randomId }: DryRunOptions): DryRun => ({
  async evaluate(call) {
    const caller =
      call.apiKeyId === undefined ? await withoutKey(db, call) : await withKey(call, call.apiKeyId, findKey)
    const { endpoint, headers, body } = call
    const now = (): number => clock.monotonicMs()
    return rehearseLimits({ caller, endpoint, headers, body }, { pipeline: runtime.rehearsal, randomId, now })
  },
})

const withKey = async (
  { workspaceId }: ImaginedCall,
  id: string,
  findKey: DryRunOptions['findKey'],
): Promise<FoundKey> => {
  const found = await findKey(id)
  if (found?.principal.workspaceId === workspaceId) return found
  throw new ManagementReference(`There is no API key '${id}' in the workspace.`, { param: 'api_key_id' })
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
