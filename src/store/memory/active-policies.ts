import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

/** All active policies of one kind in memory: finding those of a workspace needs neither the database nor an await. */
export interface ActivePolicies<Policy> extends Snapshot {
  /**
   * Policies in order of creation. The same array for as long as no policy of the workspace has changed, so that what is
   * made of it can be kept with it.
   */
  list(workspaceId: string): readonly Policy[]
}

export interface ReadPolicy<Policy> {
  readonly policy: Policy
  /** The transaction that wrote the row: unlike a time, never the same for two of them. */
  readonly writtenBy: string
}

interface Kept<Policy> {
  readonly policies: readonly Policy[]
  /** Equal as long as no row came, went or was written. */
  readonly fingerprint: string
}

/** By workspace. */
type ByWorkspace<Policy> = ReadonlyMap<string, Kept<Policy>>

interface Stored {
  readonly id: string
  readonly workspaceId: string
}

/**
 * @param read all active policies, in order of creation
 * @throws StoreUnavailable when they cannot be read the first time
 */
export const followActivePolicies = <Policy extends Stored>(
  store: Store,
  table: string,
  read: (db: Db) => Promise<readonly ReadPolicy<Policy>[]>,
  options: SnapshotOptions,
): Promise<ActivePolicies<Policy>> => {
  const none: readonly Policy[] = []
  return createSnapshot(store, {
    ...options,
    tables: [table],
    read: async (before: ByWorkspace<Policy> | undefined) => keepUnchanged(toWorkspaces(await read(store.db)), before),
    find: (workspaces) => ({ list: (workspaceId: string) => workspaces()?.get(workspaceId)?.policies ?? none }),
  })
}

const toWorkspaces = <Policy extends Stored>(rows: readonly ReadPolicy<Policy>[]): ByWorkspace<Policy> => {
  const byWorkspace = Map.groupBy(rows, ({ policy }) => policy.workspaceId)
  return new Map(
    [...byWorkspace].map(([workspaceId, its]) => [
      workspaceId,
      {
        policies: its.map(({ policy }) => policy),
        fingerprint: its.map(({ policy, writtenBy }) => `${policy.id} ${writtenBy}`).join(),
      },
    ]),
  )
}

/** What was read, but the arrays of before wherever they hold the same. */
const keepUnchanged = <Policy>(
  read: ByWorkspace<Policy>,
  before: ByWorkspace<Policy> | undefined,
): ByWorkspace<Policy> =>
  new Map(
    [...read].map(([workspaceId, current]) => {
      const earlier = before?.get(workspaceId)
      return [workspaceId, earlier?.fingerprint === current.fingerprint ? earlier : current]
    }),
  )
