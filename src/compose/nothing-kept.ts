import { StoreUnavailable } from '../errors/gateway-error.ts'
import type { OwnBatches } from '../kit/own-batches.ts'
import type { OwnFiles } from '../kit/own-files.ts'

/** Capabilities of a gateway without a database: nothing is found, and nothing can be kept. */

export const NO_FILES: OwnFiles = {
  create: async () => {
    throw new StoreUnavailable('This gateway has no place for files: it runs without a database.')
  },
  find: async () => undefined,
  list: async () => ({ files: [], hasMore: false }),
  delete: async () => false,
  open: () => {
    throw new StoreUnavailable('This gateway has no place for files: it runs without a database.')
  },
}

export const NO_BATCHES: OwnBatches = {
  create: async () => {
    throw new StoreUnavailable('This gateway runs no batches: it runs without a database.')
  },
  find: async () => undefined,
  list: async () => ({ batches: [], hasMore: false }),
  cancel: async () => undefined,
}
