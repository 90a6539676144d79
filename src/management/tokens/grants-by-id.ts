import { createRowsById, type RowsById, type RowsByIdOptions } from '../../store/memory/rows-by-id.ts'
import { type AppGrant, readAppGrants } from '../../store/objects/app-grants.ts'
import type { Store } from '../../store/types.ts'

/** What people let apps do for them, in memory: gone as soon as they take it back. */
export type GrantsById = RowsById<AppGrant>

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createGrantsById = (store: Store, options: RowsByIdOptions = {}): Promise<GrantsById> =>
  createRowsById(store, {
    ...options,
    tables: ['app_grants'],
    read: async (ids) => new Map((await readAppGrants(store.db, ids)).map((grant) => [grant.id, grant])),
  })
