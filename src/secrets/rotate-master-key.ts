import { findCanary, lockDataKeysOfOthers, replaceCanary, replaceWrapping } from '../store/data-keys.ts'
import type { Db } from '../store/types.ts'
import { MasterKeyRefused } from './errors.ts'
import type { MasterKeys } from './master-key.ts'
import { keyOfCanary, sealCanary, unwrapDataKey, wrapDataKey } from './wrapping.ts'

export interface RotationOptions {
  /** Data keys of one transaction. */
  readonly batchSize?: number
  /** Called after each transaction, with how many data keys this run has wrapped again so far. */
  readonly onProgress?: (rewrapped: number) => void
}

/**
 * Wraps every data key with the current master key in place of the previous one. No secret is sealed again. Gateways
 * that have both keys go on working throughout; a run that was cut off is finished by the next one. Afterwards the old
 * key opens nothing.
 * @returns how many data keys this run has wrapped again: 0 when nothing was left to do
 * @throws MasterKeyRefused without the previous key, unless all is done; StoreUnavailable
 */
export const rotateMasterKey = async (
  db: Db,
  keys: MasterKeys,
  { batchSize = 100, onProgress }: RotationOptions = {},
): Promise<number> => {
  const canary = await findCanary(db)
  if (canary === undefined) throw new MasterKeyRefused('Nothing has been sealed yet: start the gateway once first.')
  // First of all, so that from here on nobody wraps a new data key with the old master key.
  if (keyOfCanary(keys, canary).id !== keys.current.id) await replaceCanary(db, sealCanary(keys.current))

  let rewrapped = 0
  for (;;) {
    const count = await rewrapBatch(db, keys, batchSize)
    if (count === 0) return rewrapped
    rewrapped += count
    onProgress?.(rewrapped)
  }
}

const rewrapBatch = (db: Db, keys: MasterKeys, limit: number): Promise<number> =>
  db.transaction(async (transaction) => {
    const rows = await lockDataKeysOfOthers(transaction, { masterKeyId: keys.current.id, limit })
    for (const row of rows) {
      const { id, organisationId, version } = row
      const bytes = unwrapDataKey(keys, row)
      await replaceWrapping(transaction, wrapDataKey(keys.current, { id, organisationId, version }, bytes))
    }
    return rows.length
  })
