import type { Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'
import { readStoredProviders, type StoredProvider, type StoredProviders } from './stored-providers.ts'

/** All stored providers in memory: finding one needs neither the database nor an await. */
export interface ProviderSnapshot {
  /** The caller judges `status`, `expiresAt`, `isGranted` and the status of the integration. */
  find(workspaceId: string, slug: string): StoredProvider | undefined
  /** All of a workspace, usable or not. */
  list(workspaceId: string): readonly StoredProvider[]
  /** The change count of the database when they were read. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

export interface ProviderSnapshotOptions {
  /** The providers could not be read again; the last ones stay in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly debounceMs?: number
}

/** @throws StoreUnavailable when the providers cannot be read the first time */
export const createProviderSnapshot = async (
  store: Store,
  options: ProviderSnapshotOptions = {},
): Promise<ProviderSnapshot> => {
  let providers: StoredProviders = new Map()
  const follower = await followChanges(store, {
    ...options,
    tables: ['integrations', 'integration_models', 'integration_workspaces', 'providers'],
    async refresh() {
      providers = await readStoredProviders(store.db)
    },
  })
  return {
    find: (workspaceId, slug) => providers.get(workspaceId)?.get(slug),
    list: (workspaceId) => [...(providers.get(workspaceId)?.values() ?? [])],
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}
