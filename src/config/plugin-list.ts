import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { KindGuard } from '@sinclair/typebox'
import { defined } from '../core/defined.ts'
import { nearest } from '../core/json/check.ts'
import type { Violation } from '../errors/gateway-error.ts'
import type { Parts, Placement, Plugin } from '../kit/plugin.ts'
import type { OperatorConfig } from './schema.ts'
import type { SoundConfig } from './sound-part.ts'

/** Stands in the list for every built-in plugin. */
const DEFAULTS = 'defaults'

export interface ListedPlugin {
  readonly plugin: Plugin
  readonly settings: Readonly<Record<string, unknown>>
  readonly placement: Placement
  /** `built-in`, a path or a package. */
  readonly origin: string
  /** Place of its settings in the config, such as `plugins[1].openai`. Absent: it has none of its own there. */
  readonly path?: string
}

export interface PluginList {
  readonly plugins: readonly ListedPlugin[]
  /** An entry for a name that is nothing, a file that is no plugin, or two plugins of one name; it is left out. */
  readonly violations: readonly Violation[]
}

export interface BuiltIns {
  /** In the order in which they are set up. */
  readonly plugins: readonly Plugin[]
  /** What is there whichever plugins run. */
  readonly always: Parts
  /** Names that `defaults` leaves out. */
  readonly onRequest: ReadonlySet<string>
}

interface Entry {
  readonly use: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly placement: Placement
  /** Place of the settings. */
  readonly path: string
}

/** An entry that cannot be used. */
class EntryRefused extends Error {
  /** Path within the entry. */
  readonly path: string

  constructor(message: string, path = '') {
    super(message)
    this.path = path
  }
}

/**
 * Turns the operator's list into plugins. A later entry for a plugin that is already there replaces its settings, so
 * `defaults` may be followed by the few that need some. `- defaults: { without: [ollama] }` leaves some out.
 */
export const listPlugins = async (
  entries: SoundConfig['plugins'],
  folder: string,
  builtIns: BuiltIns,
): Promise<PluginList> => {
  const listed = new Map<string, ListedPlugin>()
  const violations: Violation[] = []
  for (const [index, raw] of entries.entries()) {
    if (raw === undefined) continue
    try {
      for (const each of await pluginsOf(readEntry(raw, `plugins[${index}]`), folder, builtIns)) {
        const { plugin, origin } = each
        const other = listed.get(plugin.name)
        if (other !== undefined && other.origin !== origin) {
          throw new EntryRefused(`plugin '${plugin.name}' comes from both ${other.origin} and ${origin}`)
        }
        listed.set(plugin.name, each)
      }
    } catch (thrown) {
      if (!(thrown instanceof EntryRefused)) throw thrown
      violations.push({ path: `plugins[${index}]${thrown.path}`, message: thrown.message })
    }
  }
  return { plugins: [...listed.values()], violations }
}

const pluginsOf = async (entry: Entry, folder: string, builtIns: BuiltIns): Promise<readonly ListedPlugin[]> => {
  if (entry.use === DEFAULTS) {
    return defaultPlugins(entry, builtIns).map((plugin) => ({
      plugin,
      settings: {},
      placement: {},
      origin: 'built-in',
    }))
  }
  const { settings, placement, path } = entry
  return [{ ...(await findPlugin(entry.use, folder, builtIns)), settings, placement, path }]
}

const readEntry = (raw: OperatorConfig['plugins'][number], path: string): Entry => {
  if (typeof raw === 'string') return { use: raw, settings: {}, placement: {}, path }
  if (typeof raw.use === 'string') {
    const { use, with: settings, before, after } = raw as { use: string; with?: Record<string, unknown> } & Placement
    return {
      use,
      settings: settings ?? {},
      placement: defined({ before, after }),
      path: `${path}.with`,
    }
  }
  const [pair] = Object.entries(raw)
  if (pair === undefined) throw new EntryRefused('an entry is empty')
  return {
    use: pair[0],
    settings: (pair[1] ?? {}) as Record<string, unknown>,
    placement: {},
    path: `${path}.${pair[0]}`,
  }
}

const defaultPlugins = ({ settings, path }: Entry, { plugins, onRequest }: BuiltIns): readonly Plugin[] => {
  const { without = [], ...unknown } = settings
  const [stranger] = Object.keys(unknown)
  const within = path.replace(/^plugins\[[0-9]+\]/, '')
  if (stranger !== undefined) throw new EntryRefused('unknown key; known is: without', `${within}.${stranger}`)
  if (!Array.isArray(without)) throw new EntryRefused('must be a list of plugin names', `${within}.without`)
  for (const [index, name] of without.entries()) {
    if (!plugins.some((plugin) => plugin.name === name))
      throw new EntryRefused(unknownName(String(name), plugins), `${within}.without[${index}]`)
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
    throw new EntryRefused(
      `plugin '${use}' cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  if (!isPlugin(module.default)) {
    throw new EntryRefused(`plugin '${use}' has no default export made with definePlugin`)
  }
  return { plugin: module.default, origin: use }
}

const packageFile = (name: string, folder: string, plugins: readonly Plugin[]): string => {
  try {
    return pathToFileURL(Bun.resolveSync(name, folder)).href
  } catch {
    throw new EntryRefused(unknownName(name, plugins))
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
  (!('needs' in value) || (Array.isArray(value.needs) && value.needs.every((name) => typeof name === 'string'))) &&
  'config' in value &&
  KindGuard.IsObject(value.config)
