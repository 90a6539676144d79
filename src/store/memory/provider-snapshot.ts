import type { Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'
import { type ProviderRecord, type ProviderRecords, readStoredProviders } from './stored-providers.ts'
import {
  type ReferenceAccess,
  readStoredReferences,
  type StoredReference,
  type StoredReferences,
} from './stored-references.ts'

/** All stored providers, and the secret references that they name, in memory: finding one needs neither the database nor an await. */
export interface ProviderSnapshot extends Snapshot {
  /** The caller judges `status`, `expiresAt`, `isGranted` and the status of the integration. */
  find(workspaceId: string, slug: string): ProviderRecord | undefined
  /** All of a workspace, usable or not. */
  list(workspaceId: string): readonly ProviderRecord[]
  /** By its id or slug. */
  findReference(organisationId: string, reference: string): ReferenceAccess | undefined
  /** Of all organisations. */
  references(): Iterable<StoredReference>
}

interface Content {
  readonly providers: ProviderRecords
  readonly references: StoredReferences
}

/** @throws StoreUnavailable when the providers cannot be read the first time */
export const createProviderSnapshot = (store: Store, options: SnapshotOptions = {}): Promise<ProviderSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: [
      'integrations',
      'integration_models',
      'integration_workspaces',
      'providers',
      'secret_references',
      'secret_reference_workspaces',
    ],
    read: (before: Content | undefined): Promise<Content> =>
      // As it was at one moment: a provider never names a reference that is not there yet.
      store.db.transaction(
        async (transaction) => ({
          providers: await readStoredProviders(transaction),
          references: await readStoredReferences(transaction, before?.references),
        }),
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      ),
    find: (content) => ({
      find: (workspaceId: string, slug: string) => content()?.providers.get(workspaceId)?.get(slug),
      list: (workspaceId: string) => [...(content()?.providers.get(workspaceId)?.values() ?? [])],
      findReference: (organisationId: string, reference: string) =>
        content()?.references.byName.get(organisationId)?.get(reference),
      references: () => content()?.references.byId.values() ?? [],
    }),
  })
