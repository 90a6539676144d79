import { migrateConfig } from '#calls/config/version-1'
import { isRecord, UnsupportedConfig } from '#kit'

/** Longest outline that is shown. */
const MAX_CHARACTERS = 400

/** @throws UnsupportedConfig always: configs 1.0 belong to the old routes. Says what to write instead. */
export const refuseVersion1 = (config: Readonly<Record<string, unknown>>): never => {
  const outline = outlineOf(migrateConfig(config).config, 1)
  const text = outline.length > MAX_CHARACTERS ? `${outline.slice(0, MAX_CHARACTERS)}…` : outline
  throw new UnsupportedConfig(
    `Configs 1.0 are not supported on this route. In version 2.0 this one has the form ${text}; ` +
      '`weir config migrate` rewrites it.',
    { param: 'x-gateway-config' },
  )
}

/** Words of the interface, which may be shown. */
const WORDS: readonly unknown[] = ['single', 'loadbalance', 'fallback', 'conditional', 'simple', 'semantic']

/** Objects and lists in one another, at most. */
const MAX_DEPTH = 6

/** The keys of a config without what they hold: that may be the key of a provider, and never goes back. */
const outlineOf = (value: unknown, depth: number): string => {
  if (depth <= MAX_DEPTH && Array.isArray(value)) {
    return `[${value.map((item: unknown) => outlineOf(item, depth + 1)).join(',')}]`
  }
  if (depth <= MAX_DEPTH && isRecord(value)) {
    const fields = Object.entries(value).map(([key, inner]) => {
      const shown = key.endsWith('_params') ? '{…}' : outlineOf(inner, depth + 1)
      return `${JSON.stringify(key)}:${shown}`
    })
    return `{${fields.join(',')}}`
  }
  return typeof value === 'number' || WORDS.includes(value) ? JSON.stringify(value) : '…'
}
