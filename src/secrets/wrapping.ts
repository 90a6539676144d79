import type { Canary, WrappedDataKey } from '../store/data-keys.ts'
import { open, type SealingKey, seal } from './envelope.ts'
import { MasterKeyRefused } from './errors.ts'
import type { MasterKey, MasterKeys } from './master-key.ts'

const CANARY_TEXT = 'weir'
const CANARY_CONTEXT = ['canary']

const wrappingKey = (master: MasterKey): SealingKey => ({ version: 1, bytes: master.derive('data key wrapping') })

type Identity = Pick<WrappedDataKey, 'id' | 'organisationId' | 'version'>

const contextOf = ({ id, organisationId, version }: Identity) => ['data key', id, organisationId, String(version)]

export const wrapDataKey = (master: MasterKey, identity: Identity, bytes: Uint8Array): WrappedDataKey => ({
  ...identity,
  wrapped: seal(wrappingKey(master), contextOf(identity), bytes),
  masterKeyId: master.id,
})

/** @throws MasterKeyRefused when neither key is the one that wraps it; SecretUnreadable when the row was altered */
export const unwrapDataKey = (keys: MasterKeys, row: WrappedDataKey): Buffer => {
  const master = keyOfId(keys, row.masterKeyId)
  if (master === undefined) {
    throw new MasterKeyRefused(
      `A data key is wrapped by the master key ${row.masterKeyId}, which is not set here: a rotation was not finished. Set that key as WEIR_MASTER_KEY_PREVIOUS and run \`weir rotate-master-key\`.`,
    )
  }
  return open(wrappingKey(master), contextOf(row), row.wrapped)
}

export const sealCanary = (master: MasterKey): Canary => ({
  sealed: seal({ version: 1, bytes: master.derive('canary') }, CANARY_CONTEXT, CANARY_TEXT),
  masterKeyId: master.id,
})

/**
 * The one of our keys that the database is used with.
 * @throws MasterKeyRefused when it is neither; SecretUnreadable when the row was altered
 */
export const keyOfCanary = (keys: MasterKeys, canary: Canary): MasterKey => {
  const master = keyOfId(keys, canary.masterKeyId)
  if (master === undefined) {
    throw new MasterKeyRefused(
      `The master key is not the one of this database: its secrets are sealed with the key ${canary.masterKeyId}, and WEIR_MASTER_KEY is ${keys.current.id}. Set the right one. To replace it, set the old one as WEIR_MASTER_KEY_PREVIOUS as well and run \`weir rotate-master-key\`.`,
    )
  }
  open({ version: 1, bytes: master.derive('canary') }, CANARY_CONTEXT, canary.sealed)
  return master
}

const keyOfId = ({ current, previous }: MasterKeys, id: string): MasterKey | undefined =>
  [current, previous].find((master) => master?.id === id)
