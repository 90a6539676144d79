/** Ids of what Weir keeps itself, told apart from those of providers by their looks. */

const FILE = /^file-weir-[0-9a-f]{32}$/
const BATCH = /^batch_weir_[0-9a-f]{32}$/

/** @param uuid that nobody else has */
export const ownFileId = (uuid: string): string => `file-weir-${plain(uuid)}`

/** @param uuid that nobody else has */
export const ownBatchId = (uuid: string): string => `batch_weir_${plain(uuid)}`

export const isOwnFileId = (id: unknown): id is string => typeof id === 'string' && FILE.test(id)

export const isOwnBatchId = (id: unknown): id is string => typeof id === 'string' && BATCH.test(id)

const plain = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()
