import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { RateLimitPolicy } from '../objects/rate-limit-policies.ts'
import { rateLimitPolicies } from '../schema/rate-limit-policies.ts'
import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

const {
  description: _,
  status: __,
  createdAt: ___,
  lastUpdatedAt: ____,
  ...columns
} = getTableColumns(rateLimitPolicies)

/** An active policy as calls need it. */
export type StoredPolicy = Pick<RateLimitPolicy, keyof typeof columns>

/** All active rate limits policies in memory: finding those of a workspace needs neither the database nor an await. */
export interface PolicySnapshot extends Snapshot {
  /**
   * Policies of all targets, in order of creation. The same array for as long as no policy of the workspace has changed,
   * so that what is made of it can be kept with it.
   */
  list(workspaceId: string): readonly StoredPolicy[]
}

/** @throws StoreUnavailable when the policies cannot be read the first time */
export const createPolicySnapshot = (store: Store, options: SnapshotOptions = {}): Promise<PolicySnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: ['rate_limit_policies'],
    read: async (before: WorkspacePolicies | undefined) => keepUnchanged(await readPolicies(store.db), before),
    find: (workspaces) => ({ list: (workspaceId: string) => workspaces()?.get(workspaceId)?.policies ?? NONE }),
  })

const NONE: readonly StoredPolicy[] = []

interface KeptPolicies {
  readonly policies: readonly StoredPolicy[]
  /** Equal as long as no row came, went or was written. */
  readonly fingerprint: string
}

/** By workspace. */
type WorkspacePolicies = ReadonlyMap<string, KeptPolicies>

const readPolicies = async (db: Db): Promise<WorkspacePolicies> => {
  const rows = await db
    .select({
      policy: columns,
      // The transaction that wrote the row: unlike a time, never the same for two of them.
      writtenBy: sql<string>`${rateLimitPolicies}.xmin::text`,
    })
    .from(rateLimitPolicies)
    .where(eq(rateLimitPolicies.status, 'active'))
    .orderBy(asc(rateLimitPolicies.createdAt), asc(rateLimitPolicies.id))
  const read = new Map<string, KeptPolicies>()
  for (const [workspace, its] of Map.groupBy(rows, ({ policy }) => policy.workspaceId)) {
    read.set(workspace, {
      policies: its.map(({ policy }) => policy),
      fingerprint: its.map(({ policy, writtenBy }) => `${policy.id} ${writtenBy}`).join(),
    })
  }
  return read
}

/** What was read, but the arrays of before wherever they hold the same. */
const keepUnchanged = (read: WorkspacePolicies, before: WorkspacePolicies | undefined): WorkspacePolicies =>
  new Map(
    [...read].map(([workspaceId, current]) => {
      const earlier = before?.get(workspaceId)
      return [workspaceId, earlier?.fingerprint === current.fingerprint ? earlier : current]
    }),
  )
