import { loadOwnMasterKeys, openOwnStore } from '../../compose/own-store.ts'
import { rotateMasterKey } from '../../secrets/rotate-master-key.ts'
import { FolderInUse, StoreUnavailable } from '../../store/errors.ts'
import type { Environment, ExitCode } from '../terminal/environment.ts'

/**
 * `weir rotate-master-key`: wraps the data keys with WEIR_MASTER_KEY in the place of WEIR_MASTER_KEY_PREVIOUS, while
 * gateways that have both go on serving. One that was cut off is finished by the next run. With the embedded database the
 * gateway must be stopped.
 * @throws StoreUnavailable, MasterKeyRefused
 */
export const rotateMasterKeyCommand = async (environment: Environment): Promise<ExitCode> => {
  const store = await openOwnStore(environment).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error
    throw new StoreUnavailable(
      `The master key of the embedded database is rotated while the gateway is stopped: one that runs may not have the new key. ${error.message}`,
    )
  })
  try {
    const keys = await loadOwnMasterKeys(environment, store)
    const rewrapped = await rotateMasterKey(store.db, keys)
    await environment.out(
      rewrapped === 0
        ? 'Nothing was left to do: every data key is wrapped with the current master key.\n'
        : `${rewrapped} data key(s) are now wrapped with the current master key; the previous one opens nothing any more.\n`,
    )
    return 0
  } finally {
    await store.close()
  }
}
