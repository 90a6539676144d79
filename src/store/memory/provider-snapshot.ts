import type { Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'
import { type ProviderRecord, type ProviderRecords, readStoredProviders } from './stored-providers.ts'

/** All stored providers in memory: finding one needs neither the database nor an await. */
export interface ProviderSnapshot extends Snapshot {
  /** The caller judges `status`, `expiresAt`, `isGranted` and the status of the integration. */
  find(workspaceId: string, slug: string): ProviderRecord | undefined
  /** All of a workspace, usable or not. */
  list(workspaceId: string): readonly ProviderRecord[]
}

/** @throws StoreUnavailable when the providers cannot be read the first time */
export const createProviderSnapshot = (store: Store, options: SnapshotOptions = {}): Promise<ProviderSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: ['integrations', 'integration_models', 'integration_workspaces', 'providers'],
    read: (): Promise<ProviderRecords> => readStoredProviders(store.db),
    find: (providers) => ({
      find: (workspaceId: string, slug: string) => providers()?.get(workspaceId)?.get(slug),
      list: (workspaceId: string) => [...(providers()?.get(workspaceId)?.values() ?? [])],
    }),
  })
