import { builtInPlugins } from '../../plugins/built-in.ts'
import type { LoadedConfig } from '../config/load.ts'
import { listOf } from '../config/load.ts'
import type { BuiltIns } from '../config/plugin-list.ts'
import type { Environment } from './environment.ts'

/** `mock` answers to anybody with a key, so only the embedded default has it unasked: no file, no database, no Redis of the operator's. */
export const builtInsFor = ({ file }: LoadedConfig, { env }: Environment): BuiltIns => {
  const isEmbedded = file === undefined && !env.DATABASE_URL && !env.REDIS_URL
  return { plugins: builtInPlugins, onRequest: new Set(isEmbedded ? [] : ['mock']) }
}

/** Settings that the environment adds to those of the file. */
export const environmentSettings =
  ({ env }: Environment) =>
  (plugin: string, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const prefixes = listOf(env.WEIR_HEADER_PREFIXES)
    if (plugin !== 'auth' || prefixes.length === 0) return settings
    const own = Array.isArray(settings.headerPrefixes) ? settings.headerPrefixes : []
    return { ...settings, headerPrefixes: [...own, ...prefixes] }
  }
