import { builtInParts, builtInPlugins } from '../../plugins/built-in.ts'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { defined } from '../core/defined.ts'
import { inspectConfig } from '../inspect-config.ts'
import { environmentSettings } from './built-ins.ts'
import type { Environment } from './environment.ts'

/**
 * The config of the operator: the file given, or the one in the folder.
 * @throws ConfigError with all that is wrong with it, plugins and their settings included
 */
export const loadOwnConfig = (environment: Environment, configFile: string | undefined): Promise<LoadedConfig> => {
  const { env, folder } = environment
  return loadConfig({
    folder,
    env,
    ...defined({ file: configFile }),
    inspect: async (config, root) => {
      const options = {
        builtIns: { plugins: builtInPlugins, always: builtInParts, onRequest: new Set<string>() },
        extraSettings: environmentSettings(environment),
      }
      return (await inspectConfig(config, root, options)).violations
    },
  })
}
