import { builtInParts, builtInPlugins } from '../../plugins/built-in.ts'
import type { LoadedConfig } from '../config/load.ts'
import { listOf } from '../config/load.ts'
import type { BuiltIns } from '../config/plugin-list.ts'
import type { Surroundings } from './own-store.ts'

/**
 * `mock` answers to anybody with a key, so it is there unasked only where nobody is served yet: without a database or Redis of
 * the operator's, and without a file or on an address of this machine alone.
 */
export const builtInsFor = ({ file, config }: LoadedConfig, { env }: Pick<Surroundings, 'env'>): BuiltIns => {
  const isEmbedded = !env.DATABASE_URL && !env.REDIS_URL
  const isTried = isEmbedded && (file === undefined || LOOPBACK.test(config.server.host))
  return { plugins: builtInPlugins, always: builtInParts, onRequest: new Set(isTried ? [] : ['mock']) }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Settings that the environment adds to those of the file. */
export const environmentSettings =
  ({ env }: Pick<Surroundings, 'env'>) =>
  (plugin: string, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const prefixes = listOf(env.WEIR_HEADER_PREFIXES)
    if (plugin !== 'auth' || prefixes.length === 0) return settings
    const own = Array.isArray(settings.headerPrefixes) ? settings.headerPrefixes : []
    return { ...settings, headerPrefixes: [...own, ...prefixes] }
  }
