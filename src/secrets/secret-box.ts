import { hkdfSync, randomBytes } from 'node:crypto'
import {
  findCanary,
  findNewestDataKey,
  holdCanary,
  insertCanary,
  insertDataKey,
  readDataKeys,
  type WrappedDataKey,
} from '../store/data-keys.ts'
import { takeOrganisationLock } from '../store/locks.ts'
import { newId } from '../store/objects/rows.ts'
import type { Db } from '../store/types.ts'
import { open, type SealingKey, seal, versionOf } from './envelope.ts'
import { MasterKeyRefused, SecretUnreadable } from './errors.ts'
import type { MasterKeys } from './master-key.ts'
import { keyOfCanary, sealCanary, unwrapDataKey, wrapDataKey } from './wrapping.ts'

/** Seals secrets for the database and opens them again. A sealed text opens for its own organisation, record and field only. */
export interface SecretBox {
  /**
   * @param transaction in which the sealed text is stored; the first secret of an organisation stores its data key too
   * @throws StoreUnavailable; MasterKeyRefused when the master key was replaced and this process has the old one alone
   */
  seal(transaction: Db, organisationId: string, recordId: string, field: string, plaintext: string): Promise<string>
  /**
   * The secret at once; a promise only for the first secret of an organisation that came up after this process started.
   * That promise asks the database: not to be awaited inside a transaction, which the embedded database runs one at a time.
   * @throws SecretUnreadable; StoreUnavailable and MasterKeyRefused by the promise
   */
  open(organisationId: string, recordId: string, field: string, sealed: string): string | Promise<string>
  /**
   * A key of its own for each purpose (HKDF-SHA256), made of the data key of an organisation: the newest, which is stored now
   * where there is none, or that of a version. At once, or by a promise just as `open`.
   * @throws SecretUnreadable for a version that is gone; StoreUnavailable and MasterKeyRefused by the promise
   */
  derive(organisationId: string, purpose: string, version?: number): SealingKey | Promise<SealingKey>
}

/**
 * Checks the master key against the canary (and makes that at the first start), and reads all data keys.
 * @throws MasterKeyRefused for a wrong master key; StoreUnavailable
 */
export const openSecretBox = async (db: Db, keys: MasterKeys): Promise<SecretBox> => {
  keyOfCanary(keys, (await findCanary(db)) ?? (await insertCanary(db, sealCanary(keys.current))))
  const rings = new Map<string, Map<number, SealingKey>>()
  const remember = (rows: readonly WrappedDataKey[]): void => {
    for (const row of rows) {
      const ring = rings.get(row.organisationId) ?? new Map<number, SealingKey>()
      ring.set(row.version, toSealingKey(keys, row))
      rings.set(row.organisationId, ring)
    }
  }
  remember(await readDataKeys(db))
  const find = (organisationId: string, version: number | undefined): SealingKey | undefined => {
    const ring = rings.get(organisationId)
    return version === undefined ? newestOf(ring) : ring?.get(version)
  }
  const read = async (organisationId: string, version: number | undefined): Promise<SealingKey | undefined> => {
    remember(await readDataKeys(db, organisationId))
    return find(organisationId, version)
  }
  const readOrMake = async (organisationId: string, version: number | undefined): Promise<SealingKey> => {
    const stored = await read(organisationId, version)
    if (stored !== undefined) return stored
    if (version !== undefined) throw dataKeyGone()
    await db.transaction((transaction) => findOrMakeDataKey(transaction, keys, organisationId))
    return (await read(organisationId, version)) ?? notMade()
  }

  return {
    async seal(transaction, organisationId, recordId, field, plaintext) {
      // One that this transaction finds is not remembered: the transaction may have made it and be undone.
      const key = newestOf(rings.get(organisationId)) ?? (await findOrMakeDataKey(transaction, keys, organisationId))
      return seal(key, [organisationId, recordId, field], plaintext)
    },
    open(organisationId, recordId, field, sealed) {
      const version = versionOf(sealed)
      const openWith = (key: SealingKey | undefined): string => {
        if (key === undefined) throw dataKeyGone()
        return open(key, [organisationId, recordId, field], sealed).toString()
      }
      const known = find(organisationId, version)
      return known === undefined ? read(organisationId, version).then(openWith) : openWith(known)
    },
    derive(organisationId, purpose, version) {
      const known = find(organisationId, version)
      if (known !== undefined) return derived(known, purpose)
      return readOrMake(organisationId, version).then((key) => derived(key, purpose))
    },
  }
}

const derived = ({ version, bytes }: SealingKey, purpose: string): SealingKey => ({
  version,
  bytes: Buffer.from(hkdfSync('sha256', bytes, '', `weir ${purpose}`, 32)),
})

const dataKeyGone = (): SecretUnreadable =>
  new SecretUnreadable('A stored secret cannot be read: its data key is gone.')

const notMade = (): never => {
  throw new Error('a data key was stored and cannot be found')
}

const toSealingKey = (keys: MasterKeys, row: WrappedDataKey): SealingKey => ({
  version: row.version,
  bytes: unwrapDataKey(keys, row),
})

const newestOf = (ring: ReadonlyMap<number, SealingKey> | undefined): SealingKey | undefined =>
  ring?.get(Math.max(...ring.keys()))

const findOrMakeDataKey = async (transaction: Db, keys: MasterKeys, organisationId: string): Promise<SealingKey> => {
  await takeOrganisationLock(transaction, 'data-key', organisationId)
  const stored = await findNewestDataKey(transaction, organisationId)
  if (stored !== undefined) return toSealingKey(keys, stored)
  // Held until the end, so that a rotation either sees the new row or has told us of the new key.
  const canary = await holdCanary(transaction)
  if (canary === undefined) throw new MasterKeyRefused('The canary of the master key is gone from the database.')
  const identity = { id: newId(), organisationId, version: 1 }
  const bytes = randomBytes(32)
  await insertDataKey(transaction, wrapDataKey(keyOfCanary(keys, canary), identity, bytes))
  return { version: identity.version, bytes }
}
