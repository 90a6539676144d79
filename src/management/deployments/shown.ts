import {
  allowedWorkspaces,
  type Deployment,
  type DeploymentInstance,
  listInstances,
  type NamedWorkspace,
  SEEN_SECONDS,
} from '../../store/objects/deployments.ts'
import { readClock } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'

/** A deployment with what is kept beside it. */
export interface ShownDeployment extends Deployment {
  /** Those that it is allowed by name. */
  readonly workspaces: readonly NamedWorkspace[]
  /** `unknown`: none of its data planes was ever connected. */
  readonly connectionStatus: 'healthy' | 'unhealthy' | 'unknown'
  readonly lastSyncedAt: Date | null
  readonly lastResyncedAt: Date | null
}

/** Adds what is kept beside deployments. */
export const withConnections = async (db: Db, rows: readonly Deployment[]): Promise<readonly ShownDeployment[]> => {
  const ids = rows.map(({ id }) => id)
  const workspaces = await allowedWorkspaces(db, ids)
  const instances = Map.groupBy(await listInstances(db, ids), ({ deploymentId }) => deploymentId)
  const nowMs = instances.size === 0 ? 0 : (await readClock(db)).getTime()
  return rows.map((row) => {
    const own = instances.get(row.id) ?? []
    return {
      ...row,
      workspaces: workspaces.get(row.id) ?? [],
      connectionStatus: own.length === 0 ? 'unknown' : own.some(isConnected(nowMs)) ? 'healthy' : 'unhealthy',
      lastSyncedAt: latest(own, 'syncedAt'),
      lastResyncedAt: latest(own, 'resyncedAt'),
    }
  })
}

/** @param nowMs of the database, which wrote when it was seen */
export const isConnected =
  (nowMs: number) =>
  ({ seenAt }: DeploymentInstance): boolean =>
    nowMs - seenAt.getTime() < SEEN_SECONDS * 1_000

const latest = (instances: readonly DeploymentInstance[], what: 'syncedAt' | 'resyncedAt'): Date | null =>
  instances.reduce<Date | null>(
    (last, { [what]: at }) => (at !== null && (last === null || at > last) ? at : last),
    null,
  )
