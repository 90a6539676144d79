import { isRecord } from '#kit'
import { isDeeperThan } from '#kit/provider'
import { type Fields, fieldOf, refuse } from './fields.ts'

/** Nesting beyond which a schema is refused. */
const MAX_DEPTH = 64

/**
 * Google's `Schema`, a part of OpenAPI 3.0, as JSON Schema: types in lower case, `nullable` as another type, counts as numbers, which
 * ProtoJSON writes as texts. What is JSON Schema already stays as it is. Form: `Schema` of @google/genai 3.1.0, read 2026-11-22.
 * @throws InvalidRequest naming the field
 */
export const toJsonSchema = (schema: unknown, place: string): Fields => {
  if (!isRecord(schema)) throw refuse(place, 'must be an object')
  if (isDeeperThan(schema, MAX_DEPTH)) throw refuse(place, 'is nested too deep')
  return converted(schema)
}

const converted = (schema: Fields): Fields => {
  const made: [string, unknown][] = []
  for (const [word, value] of Object.entries(schema)) {
    const name = WORDS.get(word) ?? word
    if (value === null || name === 'nullable' || name === 'propertyOrdering') continue
    if (name === 'type') {
      const type = typeOf(value)
      if (type !== undefined) made.push(['type', type])
    } else if (name === 'properties' && isRecord(value)) {
      made.push(['properties', Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inside(inner)]))])
    } else if (name === 'items' || name === 'additionalProperties') made.push([name, inside(value)])
    else if (name === 'anyOf' && Array.isArray(value)) made.push(['anyOf', value.map(inside)])
    else if (name === 'example') made.push(['examples', [value]])
    // Kinds of numbers, and that a text is one of several: JSON Schema says both in other words.
    else if (name === 'format' && FORMATS.has(String(value))) continue
    else made.push([name, COUNTS.has(name) && typeof value === 'string' ? Number(value) : value])
  }
  const fields = Object.fromEntries(made)
  return fieldOf(schema, 'nullable') === true ? orNull(fields) : fields
}

const inside = (value: unknown): unknown => (isRecord(value) ? converted(value) : value)

const typeOf = (type: unknown): unknown => {
  if (Array.isArray(type)) return type.map(typeOf)
  if (typeof type !== 'string') return type
  const lower = type.toLowerCase()
  return lower === 'type_unspecified' ? undefined : lower
}

const orNull = (schema: Fields): Fields => {
  const { type, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (typeof type !== 'string') return schema
  const { enum: values } = schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['max_items', 'maxItems'],
  ['min_items', 'minItems'],
  ['max_length', 'maxLength'],
  ['min_length', 'minLength'],
  ['max_properties', 'maxProperties'],
  ['min_properties', 'minProperties'],
  ['property_ordering', 'propertyOrdering'],
  ['additional_properties', 'additionalProperties'],
])

const COUNTS: ReadonlySet<string> = new Set([
  'maxItems',
  'minItems',
  'maxLength',
  'minLength',
  'maxProperties',
  'minProperties',
])

const FORMATS: ReadonlySet<string> = new Set(['enum', 'int32', 'int64', 'float', 'double'])
