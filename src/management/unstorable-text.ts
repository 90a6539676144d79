import type { Violation } from '../errors/gateway-error.ts'

/**
 * The first text inside a value that Postgres cannot keep as it is: one with a NUL character, which it refuses, or with
 * half of a surrogate pair, which would come back as another character. JSON allows both. Undefined when there is none.
 */
export const findUnstorable = (value: unknown, path = ''): Violation | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path, message: MESSAGE }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = isStorable(key) ? findUnstorable(inner, at) : { path, message: MESSAGE }
    if (found !== undefined) return found
  }
  return undefined
}

const MESSAGE = 'holds a character that cannot be stored: NUL, or half of a surrogate pair'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
