import { isRecord } from '../../core/json/record.ts'
import { canonicalKey } from './keys.ts'

/** One field of a config 1.0 that is not the same in 2.0. */
export interface ConfigChange {
  /** Where it stood, as it was written: `options[0].retry`. */
  readonly path: string
  readonly from: unknown
  /** What stands for it now, by its place in the new config; absent when it was left out. */
  readonly to?: { readonly path: string; readonly value: unknown }
}

export interface MigratedConfig {
  /** Version 2.0, not yet read: what was wrong before is wrong still. */
  readonly config: Readonly<Record<string, unknown>>
  readonly changes: readonly ConfigChange[]
}

/** Keys that only version 1.0 has, at the top or in an option: what its clients sent along with a call. */
const EXTRAS: readonly string[] = ['cache_age', 'cache_status', 'cache_force_refresh', 'metadata', 'trace_id']

/** What a virtual key brings itself. */
const OF_VIRTUAL_KEY: readonly string[] = ['provider', 'resource_name', 'deployment_id', 'api_version']

/**
 * Whether a config is of version 1.0: `mode` and `options`, or its short form for one provider, as far as that differs
 * from 2.0.
 */
export const isVersion1 = (value: unknown): boolean => {
  if (!isRecord(value) || 'strategy' in value || 'targets' in value) return false
  return Object.entries(value).some(([key, each]) => {
    const name = canonicalKey(key)
    return (
      name === 'mode' || name === 'options' || EXTRAS.includes(name) || (name === 'retry' && typeof each === 'number')
    )
  })
}

/** Rewrites a config of version 1.0, field by field (behaviour reference, section 2.11). */
export const migrateConfig = (value: Readonly<Record<string, unknown>>): MigratedConfig => {
  const changes: ConfigChange[] = []
  const { mode, options, ...shared } = value
  const config: Record<string, unknown> = {}
  const strategy = newMode(mode, options !== undefined)
  if (strategy !== undefined) {
    config.strategy = { mode: strategy }
    changes.push({ path: 'mode', from: mode, to: { path: 'strategy.mode', value: strategy } })
  }
  Object.assign(config, migrateFields(shared, { from: '', to: '' }, changes, NOT_SHARED))
  const top = cacheOf(shared)
  if (options !== undefined) {
    config.targets = Array.isArray(options)
      ? options.map((option: unknown, index) => {
          const at = { from: `options[${index}].`, to: `targets[${index}].` }
          return isRecord(option) ? migrateFields(option, at, changes, top) : option
        })
      : options
    changes.push({ path: 'options', from: options, to: { path: 'targets', value: config.targets } })
  }
  return { config, changes }
}

/** An A/B test is a load balance by another name. Without options there is nothing to choose among. */
const newMode = (mode: unknown, hasOptions: boolean): unknown => {
  if (mode === 'ab_test') return 'loadbalance'
  if (mode === undefined) return hasOptions ? 'single' : undefined
  return mode
}

interface Prefixes {
  readonly from: string
  readonly to: string
}

/** What stands at the top for the options that do not say it themselves. */
interface SharedCache {
  readonly cache?: unknown
  /** Seconds. */
  readonly age?: number | undefined
}

const NOT_SHARED: SharedCache = {}

const migrateFields = (
  fields: Readonly<Record<string, unknown>>,
  at: Prefixes,
  changes: ConfigChange[],
  shared: SharedCache,
): Record<string, unknown> => {
  const names = new Map<string, string>()
  // What is there twice stays so: only its author can say which one counts.
  for (const key of Object.keys(fields)) names.set(names.has(canonicalKey(key)) ? key : canonicalKey(key), key)
  const hasVirtualKey = names.has('virtual_key')
  const own = cacheOf(fields)
  const cache = own.cache ?? (own.age === undefined ? undefined : shared.cache)
  const age = hasAge(own.cache) ? undefined : (own.age ?? shared.age)
  const migrated: Record<string, unknown> = {}
  for (const [name, key] of names) {
    const from = fields[key]
    const path = `${at.from}${key}`
    if (EXTRAS.includes(name) || (hasVirtualKey && OF_VIRTUAL_KEY.includes(name))) {
      const isKept = name === 'cache_age' && isOn(cache) && age !== undefined && age === own.age
      changes.push({ path, from, ...(isKept ? { to: { path: `${at.to}cache.max_age`, value: age } } : {}) })
      continue
    }
    const to = newValue(name, from, age)
    migrated[name] = to
    if (to !== from || name !== key) changes.push({ path, from, to: { path: `${at.to}${name}`, value: to } })
  }
  // An age alone is one of the cache at the top, which an option of its own would hide.
  if (own.cache === undefined && isOn(cache)) migrated.cache = newValue('cache', cache, age)
  return migrated
}

const newValue = (name: string, value: unknown, age: number | undefined): unknown => {
  if (name === 'retry' && typeof value === 'number') return { attempts: value }
  if (name !== 'cache') return value
  const cache = typeof value === 'string' ? { mode: value } : value
  return isRecord(cache) && age !== undefined ? { ...cache, max_age: age } : cache
}

/** The cache of some fields, and its age as version 1.0 has it, whichever way they are spelt. */
const cacheOf = (fields: Readonly<Record<string, unknown>>): SharedCache => {
  const named = (name: string): unknown =>
    fields[Object.keys(fields).findLast((key) => canonicalKey(key) === name) ?? '']
  return { cache: named('cache'), age: secondsOf(named('cache_age')) }
}

const isOn = (cache: unknown): boolean => typeof cache === 'string' || isRecord(cache)

const hasAge = (cache: unknown): boolean => isRecord(cache) && 'max_age' in cache

/** Seconds of `max-age=N`, `max-age:N` or a number. */
const secondsOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  const [, seconds] = (typeof value === 'string' && /^\s*(?:max-age\s*[=:]\s*)?(\d+)\s*$/.exec(value)) || []
  return seconds === undefined ? undefined : Number(seconds)
}
