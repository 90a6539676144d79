import { builtInParts, builtInPlugins } from '../../plugins/built-in.ts'
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts'
import { environmentSettings } from './built-ins.ts'
import { inspectConfig } from './inspect-config.ts'
import type { Surroundings } from './own-store.ts'

/**
 * Loads the config of the operator: the one given, the file given, or the one in the folder.
 * @throws ConfigError with all that is wrong with it, plugins and their settings included
 */
export const loadOwnConfig = (
  surroundings: Surroundings,
  given: Pick<LoadOptions, 'config' | 'file'>,
): Promise<LoadedConfig> => {
  const { env, folder } = surroundings
  return loadConfig({
    folder,
    env,
    ...given,
    inspect: async (config, root) => {
      const options = {
        builtIns: { plugins: builtInPlugins, always: builtInParts, onRequest: new Set<string>() },
        extraSettings: environmentSettings(surroundings),
      }
      return (await inspectConfig(config, root, options)).violations
    },
  })
}
