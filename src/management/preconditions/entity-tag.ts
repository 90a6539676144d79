import type { TSchema } from '@sinclair/typebox'

/** Key of a schema whose field counts for no tag; OpenAPI shows it. */
export const OUTSIDE_TAG = 'x-weir-outside-etag'

/** A field that changes without anybody changing the object, or is only shown when it is asked for. */
export const outsideTag = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, [OUTSIDE_TAG]: true })

/**
 * The strong tag of what is shown (RFC 9110, section 8.8.3): the same from every process, as it is a hash of the answer alone,
 * without the fields that are outside of it.
 * @param schema of the answer
 */
export const tagOf = (schema: TSchema, shown: unknown): string => {
  const text = JSON.stringify(shown)
  const counted = hasOutside(schema) ? JSON.stringify(inside([schema], JSON.parse(text))) : text
  return `"${new Bun.CryptoHasher('sha256').update(counted).digest('base64url')}"`
}

const known = new WeakMap<TSchema, boolean>()

const hasOutside = (schema: TSchema): boolean => {
  const found = known.get(schema) ?? (schema[OUTSIDE_TAG] === true || partsOf(schema).some(hasOutside))
  known.set(schema, found)
  return found
}

const partsOf = ({ anyOf = [], allOf = [], items, properties = {}, patternProperties = {} }: TSchema): TSchema[] => [
  ...anyOf,
  ...allOf,
  ...(items === undefined ? [] : [items].flat()),
  ...Object.values<TSchema>(properties),
  ...Object.values<TSchema>(patternProperties),
]

/** The forms that a value may have: a choice has those of all that it chooses from. */
const formsOf = (schema: TSchema): readonly TSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(formsOf),
]

const inside = (schemas: readonly TSchema[], value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const forms = schemas.flatMap(formsOf)
  if (Array.isArray(value)) {
    const items = forms.flatMap((form): TSchema[] => (form.items === undefined ? [] : [form.items].flat()))
    return value.map((item) => inside(items, item))
  }
  const fields = Object.entries(value).map(([name, inner]) => {
    const found = forms.flatMap((form): TSchema[] => [
      ...(form.properties?.[name] === undefined ? [] : [form.properties[name]]),
      ...Object.values<TSchema>(form.patternProperties ?? {}),
    ])
    return { name, inner, found }
  })
  return Object.fromEntries(
    fields
      .filter(({ found }) => !found.some((schema) => schema[OUTSIDE_TAG] === true))
      .map(({ name, inner, found }) => [name, inside(found, inner)]),
  )
}
