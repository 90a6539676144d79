import { resolve } from 'node:path'
import { defined } from '../core/defined.ts'
import { loadMasterKeys } from '../secrets/load-master-keys.ts'
import type { MasterKeys } from '../secrets/master-key.ts'
import { type CommandStore, openStore, openStoreForCommand, type Store, type StoreOptions } from '../store/db.ts'

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
 * @throws StoreUnavailable
 */
export const openOwnStore = (
  surroundings: Surroundings,
  hear: Pick<StoreOptions, 'onCreate' | 'onUnshared'> = {},
): Promise<Store> => openStore({ ...placeOf(surroundings), ...hear })

/** The same for one command, also while a gateway runs on it. @throws StoreUnavailable */
export const openOwnStoreForCommand = (surroundings: Surroundings): Promise<CommandStore> =>
  openStoreForCommand(placeOf(surroundings))

const placeOf = (surroundings: Surroundings): StoreOptions =>
  defined({ dataDir: dataDirOf(surroundings), databaseUrl: surroundings.env.DATABASE_URL || undefined })

/** The master keys that the environment names, or that the embedded database keeps. @throws MasterKeyRefused */
export const loadOwnMasterKeys = (surroundings: Surroundings, store: CommandStore): Promise<MasterKeys> => {
  const { env } = surroundings
  return loadMasterKeys(store, {
    value: env.WEIR_MASTER_KEY,
    previousValue: env.WEIR_MASTER_KEY_PREVIOUS,
    dataDir: dataDirOf(surroundings),
  })
}
