import type { Violation } from '../errors/gateway-error.ts'

/** Characters. More than any name that the interface knows, or lets people choose. */
const MAX_KEY_LENGTH = 512
const SHOWN = 32

/**
 * The first key inside a value that is too long to be anybody's name for something. To be asked before the keys are
 * compared with those of a schema, or shown in a refusal: both would cost as much as the key is long.
 */
export const findLongKey = (value: unknown, path = ''): Violation | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const isLong = key.length > MAX_KEY_LENGTH
    const name = isLong ? `${key.slice(0, SHOWN).toWellFormed()}...` : key
    const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    if (isLong) return { path: place, message: `is a key longer than ${MAX_KEY_LENGTH} characters` }
    const found = findLongKey(inner, place)
    if (found !== undefined) return found
  }
  return undefined
}
