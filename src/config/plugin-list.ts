import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { KindGuard } from '@sinclair/typebox'
import { nearest } from '../kit/check.ts'
import type { Placement, Plugin } from '../kit/plugin.ts'
import { ConfigError } from './config-error.ts'
import type { OperatorConfig } from './schema.ts'

/** Stands in the list for every built-in plugin. */
const DEFAULTS = 'defaults'

export interface ListedPlugin {
  readonly plugin: Plugin
  readonly settings: Readonly<Record<string, unknown>>
  readonly placement: Placement
  /** `built-in`, a path or a package. */
  readonly origin: string
}

export interface BuiltIns {
  /** In the order in which they are set up. */
  readonly plugins: readonly Plugin[]
  /** Names that `defaults` leaves out. */
  readonly onRequest: ReadonlySet<string>
}

interface Entry {
  readonly use: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly placement: Placement
}

/**
 * Turns the operator's list into plugins. A later entry for a plugin that is already there replaces its settings, so
 * `defaults` may be followed by the few that need some. `- defaults: { without: [ollama] }` leaves some out.
 * @throws ConfigError for a name that is nothing, a file that is no plugin, or two plugins of one name.
 */
export const listPlugins = async (
  entries: OperatorConfig['plugins'],
  folder: string,
  builtIns: BuiltIns,
): Promise<readonly ListedPlugin[]> => {
  const listed = new Map<string, ListedPlugin>()
  for (const raw of entries) {
    const entry = readEntry(raw)
    if (entry.use === DEFAULTS) {
      for (const plugin of defaultPlugins(entry, builtIns)) {
        listed.set(plugin.name, { plugin, settings: {}, placement: {}, origin: 'built-in' })
      }
      continue
    }
    const { plugin, origin } = await findPlugin(entry.use, folder, builtIns)
    const other = listed.get(plugin.name)
    if (other !== undefined && other.origin !== origin) {
      throw new ConfigError(`plugin '${plugin.name}' comes from both ${other.origin} and ${origin}`)
    }
    listed.set(plugin.name, { plugin, settings: entry.settings, placement: entry.placement, origin })
  }
  return [...listed.values()]
}

const readEntry = (raw: OperatorConfig['plugins'][number]): Entry => {
  if (typeof raw === 'string') return { use: raw, settings: {}, placement: {} }
  if (typeof raw.use === 'string') {
    const { use, with: settings, before, after } = raw as { use: string; with?: Record<string, unknown> } & Placement
    return {
      use,
      settings: settings ?? {},
      placement: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) },
    }
  }
  const [pair] = Object.entries(raw)
  if (pair === undefined) throw new ConfigError('plugins: an entry is empty')
  return { use: pair[0], settings: (pair[1] ?? {}) as Record<string, unknown>, placement: {} }
}

const defaultPlugins = ({ settings }: Entry, { plugins, onRequest }: BuiltIns): readonly Plugin[] => {
  const { without = [], ...unknown } = settings
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined) throw new ConfigError(`plugins: defaults.${stranger}: unknown key; known is: without`)
  if (!Array.isArray(without)) throw new ConfigError('plugins: defaults.without: must be a list of plugin names')
  for (const name of without) {
    if (!plugins.some((plugin) => plugin.name === name))
      throw new ConfigError(`plugins: defaults.without: ${unknownName(String(name), plugins)}`)
  }
  return plugins.filter(({ name }) => !onRequest.has(name) && !without.includes(name))
}

const findPlugin = async (
  use: string,
  folder: string,
  { plugins }: BuiltIns,
): Promise<{ plugin: Plugin; origin: string }> => {
  const builtIn = plugins.find(({ name }) => name === use)
  if (builtIn !== undefined) return { plugin: builtIn, origin: 'built-in' }
  const isPath = use.startsWith('.') || isAbsolute(use)
  const specifier = isPath ? pathToFileURL(resolve(folder, use)).href : packageFile(use, folder, plugins)
  let module: { default?: unknown }
  try {
    module = await import(specifier)
  } catch (cause) {
    throw new ConfigError(
      `plugin '${use}' cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
  if (!isPlugin(module.default)) {
    throw new ConfigError(`plugin '${use}' has no default export made with definePlugin`)
  }
  return { plugin: module.default, origin: use }
}

const packageFile = (name: string, folder: string, plugins: readonly Plugin[]): string => {
  try {
    return pathToFileURL(Bun.resolveSync(name, folder)).href
  } catch {
    throw new ConfigError(`plugins: ${unknownName(name, plugins)}`)
  }
}

const unknownName = (name: string, plugins: readonly Plugin[]): string => {
  const names = plugins.map((plugin) => plugin.name)
  const near = nearest(name, names)
  return `'${name}' is neither a built-in plugin, a path (./…) nor an installed package; ${near === undefined ? `built in are: ${names.join(', ')}` : `did you mean '${near}'?`}`
}

/** A config that was not made with `t` could not be checked. */
const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'setup' in value &&
  typeof value.setup === 'function' &&
  'config' in value &&
  KindGuard.IsObject(value.config)
