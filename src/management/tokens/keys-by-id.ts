import { type LiveApiKey, readLiveKeys } from '../../store/memory/live-keys.ts'
import { createRowsById, type RowsById, type RowsByIdOptions } from '../../store/memory/rows-by-id.ts'
import type { Store } from '../../store/types.ts'

/** The keys that access tokens stand for, in memory, whatever their status but revoked. */
export type KeysById = RowsById<LiveApiKey>

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createKeysById = (store: Store, options: RowsByIdOptions = {}): Promise<KeysById> =>
  createRowsById(store, {
    ...options,
    tables: ['api_keys', 'workspaces'],
    read: async (ids) => new Map((await readLiveKeys(store.db, ids)).map(({ record }) => [record.id, record])),
  })
