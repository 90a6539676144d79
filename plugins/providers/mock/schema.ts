import { isRecord } from '#kit'

const MAX_LEVELS = 32
const MAX_VALUES = 10_000
const MAX_ITEMS = 100
const MAX_CHARACTERS = 10_000

/**
 * A small value that fits a JSON schema: the first choice of each `enum` and `anyOf`, the required properties (all, when
 * the schema names none), the fewest items. `pattern` is not looked at; schemas that need too much end in `null`.
 */
export const minimalInstance = (schema: unknown): unknown => new Instances(schema).of(schema, 0)

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  email: 'mock@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

class Instances {
  readonly #root: unknown
  #left = MAX_VALUES

  constructor(root: unknown) {
    this.#root = root
  }

  of(given: unknown, level: number): unknown {
    if (level > MAX_LEVELS || this.#left-- <= 0 || !isRecord(given)) return null
    const schema = this.#merged(given)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices) && choices.length > 0) return this.of(choices[0], level + 1)
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
    if (type === 'object' || (type === undefined && isRecord(schema.properties))) return this.#object(schema, level)
    if (type === 'array') return this.#array(schema, level)
    if (type === 'integer' || type === 'number') return numberFor(schema, type === 'integer')
    if (type === 'boolean') return true
    if (type === 'null') return null
    return textFor(schema)
  }

  /** The schema with its local `$ref` followed and its `allOf` laid over it. */
  #merged(given: Record<string, unknown>): Record<string, unknown> {
    let schema = given
    for (let hops = 0; typeof schema.$ref === 'string' && hops < MAX_LEVELS; hops++) {
      const target = this.#resolve(schema.$ref)
      if (!isRecord(target)) return {}
      schema = target
    }
    if (!Array.isArray(schema.allOf)) return schema
    const parts = schema.allOf.filter(isRecord)
    // A large one that is referred to often would be laid over as often.
    this.#left -= parts.reduce((keys, part) => keys + Object.keys(part.properties ?? part).length, 0)
    return {
      ...Object.assign({}, ...parts),
      ...schema,
      properties: Object.assign({}, schema.properties, ...parts.map((part) => part.properties)),
      required: [schema, ...parts].flatMap((part) => (Array.isArray(part.required) ? part.required : [])),
    }
  }

  #resolve(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined
    let value: unknown = this.#root
    for (const segment of reference.slice(1).split('/').slice(1)) {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    return value
  }

  #object(schema: Record<string, unknown>, level: number): Record<string, unknown> {
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required) ? schema.required : Object.keys(properties)
    const names = required.slice(0, Math.max(0, this.#left)).filter((name): name is string => typeof name === 'string')
    return Object.fromEntries(
      names.map((name) => [name, Object.hasOwn(properties, name) ? this.of(properties[name], level + 1) : null]),
    )
  }

  #array(schema: Record<string, unknown>, level: number): unknown[] {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    const length = Math.min(Math.max(first.length, numberOf(schema.minItems) ?? 0), MAX_ITEMS)
    return Array.from({ length }, (_, index) => this.of(first[index] ?? schema.items, level + 1))
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const numberFor = (schema: Record<string, unknown>, whole: boolean): number => {
  const above = numberOf(schema.exclusiveMinimum)
  const below = numberOf(schema.exclusiveMaximum)
  const step = whole ? 1 : 0.5
  const min = numberOf(schema.minimum) ?? (above === undefined ? undefined : above + step)
  const max = numberOf(schema.maximum) ?? (below === undefined ? undefined : below - step)
  const value = Math.min(Math.max(1, min ?? 1), max ?? Number.POSITIVE_INFINITY)
  if (!whole) return value
  return min !== undefined && value === min ? Math.ceil(value) : Math.floor(value)
}

const textFor = (schema: Record<string, unknown>): string => {
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
  if (format !== undefined) return format
  const text = 'mock'.padEnd(Math.min(numberOf(schema.minLength) ?? 0, MAX_CHARACTERS), 'x')
  return text.slice(0, numberOf(schema.maxLength) ?? text.length)
}
