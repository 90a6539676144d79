import { compileConfig } from '#calls/config/compile'
import type { ConfigNode } from '#calls/config/fields'
import { readCallConfig } from '#calls/config/read'
import { isVersion1, migrateConfig } from '#calls/config/version-1'
import { settingNamesOf } from '#calls/passed-headers'
import { createBoundedMap } from '#core/bounded-map'
import type { StoredConfig } from '#core/ports'
import { type Host, InvalidConfig, isRecord, UnsupportedConfig } from '#kit'
import type { Plan } from '#kit/plan'
import type { ConfigSource } from './config-source.ts'
import { refuseVersion1 } from './refuse-version-1.ts'
import { findUnsupported } from './unsupported.ts'

/** A config that calls can be sent through. */
export interface Compiled {
  readonly plan: Plan
  /** `GET /models` lists the workspace's own models, whatever provider is named. */
  readonly listsOwnModels: boolean
}

/** Inline configs that are kept, compiled, by their text. */
const MAX_KEPT = 500
const MAX_KEPT_CHARACTERS = 16 * 1024

/**
 * Compiles each config once: a saved one for as long as its version is the current one, an inline one while it is among
 * those used last.
 */
export class CompiledConfigs {
  readonly #providers: Host['providers']
  readonly #checks: Host['checks']
  readonly #saved = new WeakMap<StoredConfig, Compiled>()
  readonly #inline = createBoundedMap<string, Compiled>(MAX_KEPT)
  /** Configs that calls of old routes bring, which may be of version 1.0. */
  readonly #legacy = createBoundedMap<string, Compiled>(MAX_KEPT)
  readonly #none = compile({ settings: {} })
  #settingNames: ReadonlySet<string> | undefined

  constructor({ providers, checks }: Pick<Host, 'providers' | 'checks'>) {
    this.#providers = providers
    this.#checks = checks
  }

  /** @throws InvalidConfig with every violation; UnsupportedConfig for what is valid but cannot be run. */
  of(source: ConfigSource): Compiled {
    switch (source.kind) {
      case 'headers':
        return this.#none
      case 'inline':
        return this.#ofText(source.text, source.mayBeVersion1)
      case 'saved':
        return this.#ofStored(source.stored)
    }
  }

  #ofStored(stored: StoredConfig): Compiled {
    const known = this.#saved.get(stored)
    if (known !== undefined) return known
    const compiled = this.#compile(stored.config)
    this.#saved.set(stored, compiled)
    return compiled
  }

  #ofText(text: string, mayBeVersion1 = false): Compiled {
    const kept = mayBeVersion1 ? this.#legacy : this.#inline
    const known = kept.get(text)
    const compiled = known ?? this.#compile(mayBeVersion1 ? modern(parseObject(text)) : parseObject(text))
    if (text.length > MAX_KEPT_CHARACTERS) return compiled
    if (known === undefined) kept.set(text, compiled)
    return compiled
  }

  #compile(config: Readonly<Record<string, unknown>>): Compiled {
    if (isVersion1(config)) refuseVersion1(config)
    // Only once the first call is there, all plugins are.
    this.#settingNames ??= new Set(this.#providers.list().flatMap(settingNamesOf))
    const node = readCallConfig(config, { settingNames: this.#settingNames, checks: this.#checks })
    const unsupported = findUnsupported(node, this.#settingNames)
    if (unsupported !== undefined) {
      throw new UnsupportedConfig(`\`${unsupported}\` is valid, but not supported yet.`, { param: unsupported })
    }
    return compile(node)
  }
}

const compile = (node: ConfigNode): Compiled => ({
  plan: compileConfig(node),
  listsOwnModels: node.fetch_integrated_models === true,
})

const modern = (config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  isVersion1(config) ? migrateConfig(config).config : config

const parseObject = (text: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidConfig('The config is neither the slug of a saved config (`pc-…`) nor valid JSON.', {
      param: 'x-gateway-config',
    })
  }
  if (!isRecord(value)) throw new InvalidConfig('The config must be a JSON object.', { param: 'x-gateway-config' })
  return value
}
