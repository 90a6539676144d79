import { Kind, type TSchema } from '@sinclair/typebox'
import type { JsonSchema } from './types.ts'

/**
 * A TypeBox schema as plain JSON Schema. What `check` does with it is written out: an object that does not say otherwise
 * takes no unknown keys. A choice between fixed values becomes an `enum`.
 */
export const toJsonSchema = (schema: TSchema): JsonSchema => convert(schema) as JsonSchema

const convert = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(convert)
  if (typeof node !== 'object' || node === null) return node
  const plain = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, convert(value)]))
  if (Reflect.get(node, Kind) === 'Object') plain.additionalProperties ??= false
  return asEnum(plain)
}

const asEnum = (plain: Record<string, unknown>): Record<string, unknown> => {
  const { anyOf, ...rest } = plain
  if (!Array.isArray(anyOf) || anyOf.length < 2) return plain
  const values = anyOf.map(fixedValue)
  return values.includes(undefined) ? plain : { ...rest, enum: values }
}

const fixedValue = (form: unknown): unknown => {
  if (typeof form !== 'object' || form === null) return undefined
  if ('const' in form) return form.const
  return 'type' in form && form.type === 'null' ? null : undefined
}
