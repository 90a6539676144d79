import { isRecord } from '../../core/json/record.ts'
import type { Fields } from './documents.ts'
import { ScimFault } from './fault.ts'

/** Longest name, id or text of a resource. */
const MAX_CHARACTERS = 255

/** A body with the names of its fields in lower case, as SCIM does not tell the cases apart. @throws ScimFault */
export const readFields = (body: unknown, what = 'The body'): Fields => {
  if (!isRecord(body)) throw new ScimFault('invalidSyntax', `${what} must be an object.`)
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]))
}

/** @throws ScimFault for a body that says it is something else */
export const requireSchema = ({ schemas }: Fields, wanted: string): void => {
  if (schemas === undefined) return
  const isWanted = (schema: unknown): boolean => String(schema).toLowerCase() === wanted.toLowerCase()
  if (Array.isArray(schemas) && schemas.some(isWanted)) return
  throw new ScimFault('invalidSyntax', `\`schemas\` must hold \`${wanted}\`.`)
}

/** A text of a resource; null and the empty text mean that it has none. @throws ScimFault */
export const readText = (name: string, value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string') throw new ScimFault('invalidValue', `\`${name}\` must be a string.`)
  if (value.length > MAX_CHARACTERS) {
    throw new ScimFault('invalidValue', `\`${name}\` must have at most ${MAX_CHARACTERS} characters.`)
  }
  if (/\p{Cc}/u.test(value)) throw new ScimFault('invalidValue', `\`${name}\` must not hold control characters.`)
  return value
}

/** A text that a resource cannot be without. @throws ScimFault */
export const readName = (name: string, value: unknown): string => {
  const text = readText(name, value)
  if (text === null || text.trim() === '') throw new ScimFault('invalidValue', `\`${name}\` is missing.`)
  return text
}

/** The values of an attribute with several; one of them may stand alone. */
export const readList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
