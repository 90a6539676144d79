import { isRecord } from '#kit'
import { isDeeperThan } from '#kit/provider'
import { type Fields, MAX_DEPTH, refuse } from './json.ts'

/**
 * A JSON Schema in the words that Gemini heeds. The others it takes and ignores ("Structured outputs", limitations), so they
 * move into the description, where the model reads them; `const` and `definitions` have a word there that it heeds. A
 * reference may stand beside nothing. Source: `responseJsonSchema` in the types of @google/genai 2.32 and in the published
 * v1beta definitions, read 2026-11-22; the field of function declarations is of the same kind.
 */
export interface HeededSchema {
  readonly schema: Fields
  /** Words of JSON Schema that no longer bind the model. */
  readonly moved: ReadonlySet<string>
}

const HEEDED: ReadonlySet<string> = new Set(
  (
    '$id $anchor type format title minItems maxItems minimum maximum required propertyOrdering ' +
    'items prefixItems anyOf oneOf properties additionalProperties'
  ).split(' '),
)

/** Words whose value is a schema, a list of schemas, or a map of them. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'additionalProperties'])

/** Words that say nothing about the value. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$comment', 'examples', 'example', 'deprecated'])

/** Words that bind, for the loss report: names that a client made up are none, and may not even fit into a header. */
const BINDING: ReadonlySet<string> = new Set(
  (
    'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern uniqueItems contains minContains maxContains ' +
    'minProperties maxProperties patternProperties propertyNames dependentRequired dependentSchemas dependencies ' +
    'additionalItems allOf not if then else unevaluatedItems unevaluatedProperties nullable enum const readOnly writeOnly ' +
    'contentEncoding contentMediaType'
  ).split(' '),
)

/** @param path where it stands, for the error. @throws InvalidRequest for one that is nested too deep. */
export const heededSchema = (schema: Fields, path: string): HeededSchema => {
  // Most schemas have nothing to change, and looking costs a fraction of rebuilding.
  if (isHeeded(schema, MAX_DEPTH)) return { schema, moved: NOTHING }
  if (isDeeperThan(schema, MAX_DEPTH)) throw refuse(path, `\`${path}\` is nested deeper than ${MAX_DEPTH} levels.`)
  const moved = new Set<string>()

  const each = (value: Fields): Fields =>
    // `fromEntries` defines fields, so a client's `__proto__` stays a name like any other.
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]))

  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const fields = unwrapped(value)
    return fields.$ref === undefined ? heeded(fields) : reference(fields)
  }

  const definitionsOf = ({ $defs, definitions }: Fields): Fields => {
    const all = { ...(isRecord(definitions) ? definitions : {}), ...(isRecord($defs) ? $defs : {}) }
    return Object.keys(all).length === 0 ? {} : { $defs: each(all) }
  }

  const reference = (fields: Fields): Fields => {
    for (const word of Object.keys(fields)) if (HEEDED.has(word) || BINDING.has(word)) moved.add(word)
    const { $ref } = fields
    return {
      ...definitionsOf(fields),
      $ref: typeof $ref === 'string' ? $ref.replace(/^#\/definitions\//, '#/$defs/') : $ref,
    }
  }

  const heeded = (fields: Fields): Fields => {
    const { $defs: _, definitions: __, description, ...words } = fields
    const made: Record<string, unknown> = {}
    const lost: string[] = []
    for (const [word, value] of Object.entries(words)) {
      if (word === 'properties' && isRecord(value)) made.properties = each(value)
      else if (SCHEMAS.has(word)) made[word] = walk(value)
      else if (HEEDED.has(word)) made[word] = value
      else if (word === 'enum' && Array.isArray(value) && value.every(isLiteral)) made.enum = value
      else if (word === 'const' && words.enum === undefined && isLiteral(value)) made.enum = [value]
      else if (!SILENT.has(word)) {
        if (BINDING.has(word)) moved.add(word)
        lost.push(`${word}: ${JSON.stringify(value)}`)
      }
    }
    const texts = [typeof description === 'string' ? description : '', lost.length === 0 ? '' : `{${lost.join(', ')}}`]
    const text = texts.filter((part) => part !== '').join('\n\n')
    return { ...definitionsOf(fields), ...made, ...(text === '' ? {} : { description: text }) }
  }

  return { schema: walk(schema) as Fields, moved }
}

/** A schema with the only one of its `allOf` laid over it, and so on: each field is copied once. */
const unwrapped = (schema: Fields): Fields => {
  const layers: Fields[] = []
  let inner: unknown = schema
  while (isRecord(inner)) {
    const { allOf, ...rest } = inner
    const only: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined
    layers.push(isRecord(only) ? rest : inner)
    inner = only
  }
  // As above, `fromEntries` for `__proto__`.
  return Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)))
}

const NOTHING: ReadonlySet<string> = new Set()

/** Whether a schema may go as it is; false too for one that is nested deeper than that. */
const isHeeded = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels <= 0) return false
  if (Array.isArray(value)) return value.every((item) => isHeeded(item, levels - 1))
  const fields = value as Fields
  for (const word in fields) {
    const inner = fields[word]
    if (word === 'properties' || word === '$defs') {
      if (!isRecord(inner)) return false
      for (const name in inner) if (!isHeeded(inner[name], levels - 2)) return false
    } else if (SCHEMAS.has(word)) {
      if (!isHeeded(inner, levels - 1)) return false
    } else if (word === 'enum') {
      if (!Array.isArray(inner) || !inner.every(isLiteral)) return false
    } else if (!HEEDED.has(word) && word !== 'description') return false
  }
  return true
}

/** The values that an `enum` may have. */
const isLiteral = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
