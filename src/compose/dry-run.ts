import { type DryRun, dryRun } from '../calls/slots.ts'
import { WholeBody } from '../core/bodies/body.ts'
import { Call } from '../core/call.ts'
import { Cancellation } from '../core/cancellation.ts'
import { defined } from '../core/defined.ts'
import type { Pipeline } from '../core/pipeline.ts'
import type { Clock } from '../core/ports.ts'
import { routesOf } from '../core/route.ts'
import { GatewayError, ManagementReference } from '../errors/gateway-error.ts'
import type { FoundKey } from '../kit/plugin.ts'
import type { RouteDryRun } from '../management/configs/deps.ts'
import type { DryRunCall } from '../management/dry-run-call.ts'
import type { LimitDryRun } from '../management/policies/dry-run.ts'
import { workspaceRows } from '../store/objects/workspaces.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../store/scopes.ts'
import type { Db } from '../store/types.ts'
import type { Runtime } from './runtime.ts'

export interface DryRunOptions {
  readonly runtime: Pick<Runtime, 'limitDryRun' | 'routeDryRun' | 'endpoints'>
  readonly basePath: string
  readonly db: Db
  /** A stored key by its id. */
  readonly findKey: (id: string) => Promise<FoundKey | undefined>
  readonly clock: Clock
  readonly randomId: () => string
}

/** What the chain that runs would do with calls that nobody makes. */
export const createDryRuns = (options: DryRunOptions): LimitDryRun & RouteDryRun => {
  const { runtime, basePath, clock, randomId } = options
  /** Sends a call through a part of the chain, which writes its answer into `state`. */
  const goThrough = async (pipeline: Pipeline, described: DryRunCall, state: DryRun): Promise<void> => {
    const endpoint = runtime.endpoints.get(described.endpoint)
    const [route] = routesOf(endpoint)
    const call = new Call({
      id: randomId(),
      endpoint,
      route: 'dry run',
      request: {
        method: 'POST',
        // For conditions that ask for it.
        path: route === undefined ? 'dry run' : `${basePath}${route.path}`,
        search: '',
        query: new URLSearchParams(),
        params: {},
        headers: described.headers,
        body: new WholeBody(new TextEncoder().encode(JSON.stringify(described.body))),
      },
      cancellation: new Cancellation(),
      now: () => clock.monotonicMs(),
      onListenerError: () => undefined,
    })
    call.set(dryRun, state)
    await pipeline(call)
  }
  return {
    async dryRunLimits(call) {
      const state: DryRun = { caller: await findCaller(call, options) }
      await goThrough(runtime.limitDryRun, call, state)
      // Without the plugin nothing is limited.
      return state.limits ?? { allowed: true, status: 200, targets: [] }
    },
    async dryRunRoute(call) {
      const state: DryRun = { caller: await findCaller(call, options) }
      try {
        await goThrough(runtime.routeDryRun, call, state)
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        return { steps: state.route?.steps ?? [], error: thrown }
      }
      return state.route ?? { steps: [] }
    },
  }
}

type CallerOptions = Pick<DryRunOptions, 'db' | 'findKey'>

/** Who makes a call that nobody makes. @throws ManagementReference for a key that is none of the workspace */
const findCaller = async (call: DryRunCall, { db, findKey }: CallerOptions): Promise<FoundKey> => {
  const { apiKeyId, workspaceId } = call
  if (apiKeyId === undefined) return withoutKey(db, call)
  const found = await findKey(apiKeyId)
  if (found?.principal.workspaceId === workspaceId) return found
  throw new ManagementReference(`There is no API key '${apiKeyId}' in the workspace.`, { param: 'api_key_id' })
}

/** A caller of the workspace whose key is not known: limits that look at keys do not hold for it. */
export const withoutKey = async (
  db: Db,
  { organisationId, workspaceId }: Pick<DryRunCall, 'organisationId' | 'workspaceId'>,
): Promise<FoundKey> => {
  const workspace = await workspaceRows.find(db, { organisationId, reference: workspaceId })
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
    ...defined({ defaults: workspace?.defaults ?? undefined }),
    ...(rateLimits.length === 0 ? {} : { limits: [{ owner: 'workspace', id: workspaceId, limits: rateLimits }] }),
  }
}
