import { resolve } from 'node:path'
import { defined } from '../core/defined.ts'
import { loadMasterKeys } from '../secrets/load-master-keys.ts'
import type { MasterKeys } from '../secrets/master-key.ts'
import { openStore, type Store } from '../store/db.ts'
import type { Environment } from './environment.ts'

/** The data folder: WEIR_DATA_DIR, or `.weir` in the folder of the start. */
export const dataDirOf = ({ env, folder }: Environment): string => resolve(folder, env.WEIR_DATA_DIR || '.weir')

/**
 * The database that the environment names.
 * @param onCreate hears that an embedded one is made now, which takes seconds
 * @throws StoreUnavailable
 */
export const openOwnStore = (environment: Environment, onCreate?: (folder: string) => void): Promise<Store> => {
  const { env } = environment
  return openStore({
    dataDir: dataDirOf(environment),
    ...defined({ onCreate }),
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
  })
}

/** The master keys that the environment names, or that the embedded database keeps. @throws MasterKeyRefused */
export const loadOwnMasterKeys = (environment: Environment, store: Store): Promise<MasterKeys> => {
  const { env } = environment
  return loadMasterKeys(store, {
    value: env.WEIR_MASTER_KEY,
    previousValue: env.WEIR_MASTER_KEY_PREVIOUS,
    dataDir: dataDirOf(environment),
  })
}
