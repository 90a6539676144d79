import { resolve } from 'node:path'
import { defined } from '../core/defined.ts'
import { loadMasterKeys } from '../secrets/load-master-keys.ts'
import type { MasterKeys } from '../secrets/master-key.ts'
import { openStore, type Store } from '../store/db.ts'

/** What a gateway may know of where it runs. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here, and the config file is looked for. */
  readonly folder: string
}

/** The data folder: WEIR_DATA_DIR, or `.weir` in the folder of the start. */
export const dataDirOf = ({ env, folder }: Surroundings): string => resolve(folder, env.WEIR_DATA_DIR || '.weir')

/**
 * The database that the environment names.
 * @param onCreate hears that an embedded one is made now, which takes seconds
 * @throws StoreUnavailable
 */
export const openOwnStore = (surroundings: Surroundings, onCreate?: (folder: string) => void): Promise<Store> => {
  const { env } = surroundings
  return openStore({
    dataDir: dataDirOf(surroundings),
    ...defined({ onCreate }),
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
  })
}

/** The master keys that the environment names, or that the embedded database keeps. @throws MasterKeyRefused */
export const loadOwnMasterKeys = (surroundings: Surroundings, store: Store): Promise<MasterKeys> => {
  const { env } = surroundings
  return loadMasterKeys(store, {
    value: env.WEIR_MASTER_KEY,
    previousValue: env.WEIR_MASTER_KEY_PREVIOUS,
    dataDir: dataDirOf(surroundings),
  })
}
