import { isRecord } from '../json/record.ts'

type Schema = Readonly<Record<string, unknown>>

/** The forms that a value may have, where its schema leaves a choice. */
const choicesOf = (schema: unknown): readonly Schema[] => {
  if (!isRecord(schema)) return []
  const { anyOf } = schema
  return Array.isArray(anyOf) ? anyOf.flatMap(choicesOf) : [schema]
}

const NO_KINDS: ReadonlySet<string> = new Set()

const known = new WeakMap<object, ReadonlySet<string>>()

/** Types of JSON that a value may have: `number`, `array`, … */
export const kindsOf = (schema: unknown): ReadonlySet<string> => {
  if (!isRecord(schema)) return NO_KINDS
  const before = known.get(schema)
  if (before !== undefined) return before
  const kinds = new Set(
    choicesOf(schema).flatMap(({ type, const: only }) =>
      typeof type === 'string' ? [type] : only === undefined ? [] : [typeof only],
    ),
  )
  known.set(schema, kinds)
  return kinds
}

/** The form of one type that a value may have. */
export const schemaOf = (schema: unknown, type: 'array' | 'object'): Schema | undefined =>
  choicesOf(schema).find((each) => each.type === type)
