import { asc, eq, sql } from 'drizzle-orm'
import type { RateLimitPolicy } from '../rate-limit-policies.ts'
import { rateLimitPolicies } from '../schema/rate-limit-policies.ts'
import type { Db, Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'

/** An active policy as calls need it. */
export type StoredPolicy = Pick<
  RateLimitPolicy,
  | 'id'
  | 'organisationId'
  | 'workspaceId'
  | 'name'
  | 'target'
  | 'conditions'
  | 'groupBy'
  | 'type'
  | 'unit'
  | 'value'
  | 'onStoreFailure'
  | 'reservation'
  | 'mode'
>

/** All active rate limits policies in memory: finding those of a workspace needs neither the database nor an await. */
export interface PolicySnapshot {
  /**
   * Of all targets, in order of creation. The same array for as long as no policy of the workspace has changed, so that
   * what is made of it can be kept with it.
   */
  list(workspaceId: string): readonly StoredPolicy[]
  /** The change count of the database when they were read. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

export interface PolicySnapshotOptions {
  /** The policies could not be read again; the last ones stay in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly debounceMs?: number
}

/** @throws StoreUnavailable when the policies cannot be read the first time */
export const createPolicySnapshot = async (
  store: Store,
  options: PolicySnapshotOptions = {},
): Promise<PolicySnapshot> => {
  let workspaces: ReadonlyMap<string, WorkspacePolicies> = new Map()
  const follower = await followChanges(store, {
    ...options,
    tables: ['rate_limit_policies'],
    async refresh() {
      workspaces = keepUnchanged(await readPolicies(store.db), workspaces)
    },
  })
  return {
    list: (workspaceId) => workspaces.get(workspaceId)?.policies ?? NONE,
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}

const NONE: readonly StoredPolicy[] = []

interface WorkspacePolicies {
  readonly policies: readonly StoredPolicy[]
  /** Equal as long as no row came, went or was written. */
  readonly fingerprint: string
}

const readPolicies = async (db: Db): Promise<ReadonlyMap<string, WorkspacePolicies>> => {
  const { id, organisationId, workspaceId, name, target, conditions, groupBy } = rateLimitPolicies
  const { type, unit, value, onStoreFailure, reservation, mode } = rateLimitPolicies
  const limits = { type, unit, value, onStoreFailure, reservation, mode }
  const rows = await db
    .select({
      policy: { id, organisationId, workspaceId, name, target, conditions, groupBy, ...limits },
      // The transaction that wrote the row: unlike a time, never the same for two of them.
      writtenBy: sql<string>`${rateLimitPolicies}.xmin::text`,
    })
    .from(rateLimitPolicies)
    .where(eq(rateLimitPolicies.status, 'active'))
    .orderBy(asc(rateLimitPolicies.createdAt), asc(rateLimitPolicies.id))
  const read = new Map<string, WorkspacePolicies>()
  for (const [workspace, its] of Map.groupBy(rows, ({ policy }) => policy.workspaceId)) {
    read.set(workspace, {
      policies: its.map(({ policy }) => policy),
      fingerprint: its.map(({ policy, writtenBy }) => `${policy.id} ${writtenBy}`).join(),
    })
  }
  return read
}

/** What was read, but the arrays of before wherever they hold the same. */
const keepUnchanged = (
  read: ReadonlyMap<string, WorkspacePolicies>,
  before: ReadonlyMap<string, WorkspacePolicies>,
): ReadonlyMap<string, WorkspacePolicies> =>
  new Map(
    [...read].map(([workspaceId, current]) => {
      const earlier = before.get(workspaceId)
      return [workspaceId, earlier?.fingerprint === current.fingerprint ? earlier : current]
    }),
  )
