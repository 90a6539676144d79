import { defined, isRecord } from '#kit'
import { type Fields, isAbsent, refuse } from './values.ts'

/**
 * A schema as the provider's grammars take it: closed objects, and none of the words that it refuses with 400. Those move
 * into the description, so that the model still reads them, as the provider's own SDKs do it (`transformJSONSchema` of
 * @anthropic-ai/sdk 2.32, read 2026-11-22). Source of the rest: "Structured outputs", JSON Schema limitations and schema
 * complexity limits, read 2026-11-22.
 */
export interface StrictSchema {
  readonly schema: Fields
  /** Words of JSON Schema that no longer bind the model. */
  readonly moved: ReadonlySet<string>
  /** Properties that may be left out, and those of several types: the provider bounds both for the whole request. */
  readonly optional: number
  readonly unions: number
}

/** What the strict schemas of a request weigh together. */
export interface Load {
  readonly tools: number
  readonly optional: number
  readonly unions: number
}

export const NO_LOAD: Load = { tools: 0, optional: 0, unions: 0 }

/** The most that one request may have ("Schema complexity limits"). */
const LIMITS: Load = { tools: 20, optional: 24, unions: 16 }

export const withLoad = ({ tools, optional, unions }: Load, schema: StrictSchema, addedTools: number): Load => ({
  tools: tools + addedTools,
  optional: optional + schema.optional,
  unions: unions + schema.unions,
})

/** Whether the provider takes one more tool or format with this schema. */
export const fits = (load: Load, { optional, unions }: StrictSchema): boolean =>
  load.tools < LIMITS.tools && load.optional + optional <= LIMITS.optional && load.unions + unions <= LIMITS.unions

/** Nesting of a schema beyond which it is refused. */
const MAX_DEPTH = 128

const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
)

const TYPES: ReadonlySet<unknown> = new Set('object array string integer number boolean null'.split(' '))

/** Words that say nothing about the value. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'examples', 'example', 'deprecated'])

/** Words that bind, for the loss report: names that a client made up are none, and may not even fit into a header. */
const BINDING: ReadonlySet<string> = new Set(
  (
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems ' +
    'uniqueItems contains minContains maxContains prefixItems items minProperties maxProperties patternProperties ' +
    'propertyNames dependentRequired dependentSchemas dependencies additionalProperties additionalItems enum const not ' +
    'if then else unevaluatedItems unevaluatedProperties nullable readOnly writeOnly contentEncoding contentMediaType'
  ).split(' '),
)

/** Where the definitions of a schema stand, and how a reference names them. */
const REFERENCE = /^#\/(\$defs|definitions)\/([^/]+)$/

/** Thrown inside for what no grammar of the provider can say. */
const INEXPRESSIBLE = Symbol('inexpressible')

/** A schema is translated once, however many parameters of a call look at it. */
const known = new WeakMap<Fields, { readonly strict: StrictSchema | undefined }>()

/**
 * The schema for a grammar of the provider.
 * @param path where it stands, for the error.
 * @returns undefined for one that it cannot express: recursive ones, objects with keys of any name, values of any type.
 * @throws InvalidRequest for one that is nested too deep
 */
export const strictSchema = (schema: Fields, path: string): StrictSchema | undefined => {
  const found = known.get(schema)
  if (found !== undefined) return found.strict
  const strict = translate(schema, path)
  known.set(schema, { strict })
  return strict
}

const translate = (root: Fields, path: string): StrictSchema | undefined => {
  const moved = new Set<string>()
  /** Definitions by the one that refers to them; the root is ''. */
  const references = new Map<string, Set<string>>()
  let optional = 0
  let unions = 0

  const each = (value: unknown, depth: number, ownerOf: (name: string) => string): Fields => {
    if (!isRecord(value)) throw INEXPRESSIBLE
    // `fromEntries` defines fields, so a client's `__proto__` stays a name like any other.
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, walk(inner, depth + 2, ownerOf(name))]),
    )
  }

  const walk = (value: unknown, depth: number, owner: string): Fields => {
    if (depth > MAX_DEPTH) return refuse(path, `is nested deeper than ${MAX_DEPTH} levels.`)
    if (!isRecord(value)) throw INEXPRESSIBLE
    const { $defs, definitions, ...rest } = value
    const defs = {
      ...($defs === undefined ? {} : { $defs: each($defs, depth, (name) => `$defs/${name}`) }),
      ...(definitions === undefined ? {} : { definitions: each(definitions, depth, (name) => `definitions/${name}`) }),
    }
    if (rest.$ref !== undefined) {
      const [, place, name] = (typeof rest.$ref === 'string' && REFERENCE.exec(rest.$ref)) || []
      if (place === undefined || name === undefined) throw INEXPRESSIBLE
      const named = references.get(owner) ?? new Set()
      references.set(owner, named.add(`${place}/${unescaped(name)}`))
      for (const word of Object.keys(rest)) if (BINDING.has(word)) moved.add(word)
      return { ...defs, $ref: rest.$ref }
    }
    return { ...defs, ...body(rest, depth, owner) }
  }

  const body = (fields: Fields, depth: number, owner: string): Fields => {
    const { allOf, anyOf = fields.oneOf, oneOf: _, ...rest } = fields
    if (Array.isArray(allOf)) {
      // Closed objects exclude each other, so that several together let nothing through.
      const [only, ...others] = allOf
      if (others.length > 0 || !isRecord(only) || isWrappedOften(only) || (only.$ref !== undefined && shapes(rest)))
        throw INEXPRESSIBLE
      return walk({ ...rest, ...defined({ anyOf }), ...only }, depth + 1, owner)
    }
    if (Array.isArray(anyOf)) {
      if (anyOf.length === 0 || shapes(rest)) throw INEXPRESSIBLE
      const { type: _type, ...words } = rest
      return described({ anyOf: anyOf.map((option) => walk(option, depth + 1, owner)) }, words, ['default'])
    }
    const literals = literalsOf(rest)
    return literals === undefined
      ? typed(rest, depth, owner)
      : described(literals, rest, ['default', 'type', ...Object.keys(literals)])
  }

  const typed = (fields: Fields, depth: number, owner: string): Fields => {
    const types = typesOf(fields)
    const taken = ['type', 'default']
    const made: Record<string, unknown> = { type: fields.type ?? types[0] }
    if (types.includes('object')) {
      Object.assign(made, closedObject(fields, depth, owner))
      taken.push('properties', 'required', 'additionalProperties')
    }
    if (types.includes('string') && FORMATS.has(fields.format)) {
      made.format = fields.format
      taken.push('format')
    }
    if (types.includes('array')) {
      if (isRecord(fields.items)) {
        made.items = walk(fields.items, depth + 1, owner)
        taken.push('items')
      }
      if (fields.minItems === 0 || fields.minItems === 1) {
        made.minItems = fields.minItems
        taken.push('minItems')
      }
    }
    return described(made, fields, taken)
  }

  const closedObject = (fields: Fields, depth: number, owner: string): Fields => {
    const { properties, additionalProperties: others } = fields
    const names = isRecord(properties) ? Object.keys(properties) : []
    // Closed, an object for keys of any name would always be empty.
    const isFree =
      isRecord(others) || (names.length === 0 && (others === true || !isRecord(properties)) && others !== false)
    if (isFree) throw INEXPRESSIBLE
    if (others === true) moved.add('additionalProperties')
    const made = isRecord(properties) ? each(properties, depth, () => owner) : {}
    const needed = new Set<unknown>(Array.isArray(fields.required) ? fields.required : [])
    const required = names.filter((name) => needed.has(name))
    for (const name of names) {
      const property = isRecord(made[name]) ? made[name] : {}
      if (!needed.has(name)) optional++
      if (property.anyOf !== undefined || Array.isArray(property.type)) unions++
    }
    return { properties: made, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
  }

  /** Adds title and description, in which the words stand that the grammar does not take. */
  const described = (made: Fields, fields: Fields, taken: readonly string[]): Fields => {
    const { title, description, default: usual } = fields
    const lost = Object.entries(fields).filter(
      ([word]) => !taken.includes(word) && word !== 'title' && word !== 'description' && !SILENT.has(word),
    )
    for (const [word] of lost) if (BINDING.has(word)) moved.add(word)
    const words = lost.map(([word, value]) => `${word}: ${JSON.stringify(value)}`).join(', ')
    const texts = [typeof description === 'string' ? description : '', words === '' ? '' : `{${words}}`]
    const text = texts.filter((part) => part !== '').join('\n\n')
    return {
      ...made,
      ...(typeof title === 'string' ? { title } : {}),
      ...(text === '' ? {} : { description: text }),
      ...defined({ default: usual }),
    }
  }

  try {
    const schema = walk(root, 0, '')
    const isWhole = [...references.values()].every((names) => [...names].every((name) => isDefined(root, name)))
    return isWhole && !hasCycle(references) ? { schema, moved, optional, unions } : undefined
  } catch (thrown) {
    if (thrown === INEXPRESSIBLE) return undefined
    throw thrown
  }
}

/** Wrappings of one schema, each of which copies what is around it. */
const MAX_WRAPPINGS = 8

/** Whether it stands in `allOf` after `allOf`, more often than anybody writes. */
const isWrappedOften = (schema: Fields): boolean => {
  let inner: unknown = schema
  for (let count = 0; count < MAX_WRAPPINGS; count++) {
    if (!isRecord(inner) || !Array.isArray(inner.allOf)) return false
    inner = inner.allOf[0]
  }
  return true
}

/** Words that say which values there are, which cannot stand beside a choice or a reference. */
const shapes = (fields: Fields): boolean =>
  ['properties', 'items', 'enum', 'const', 'additionalProperties'].some((word) => fields[word] !== undefined)

/** `enum` and `const` stand without a type. Values that are no scalars are refused, and stay words. */
const literalsOf = ({ enum: values, const: value }: Fields): Fields | undefined => {
  const literals = {
    ...(Array.isArray(values) && values.length > 0 && values.every(isScalar) ? { enum: values } : {}),
    ...(value !== undefined && isScalar(value) ? { const: value } : {}),
  }
  return Object.keys(literals).length === 0 ? undefined : literals
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const typesOf = ({ type, properties, items }: Fields): readonly string[] => {
  if (isAbsent(type)) {
    if (isRecord(properties)) return ['object']
    if (isRecord(items)) return ['array']
    throw INEXPRESSIBLE
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (types.length === 0 || !types.every((name) => TYPES.has(name))) throw INEXPRESSIBLE
  return types as readonly string[]
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

const isDefined = (root: Fields, reference: string): boolean => {
  const slash = reference.indexOf('/')
  const place = root[reference.slice(0, slash)]
  return isRecord(place) && Object.hasOwn(place, reference.slice(slash + 1))
}

/** Whether a definition leads back to itself, or too far. Each is looked at once. */
const hasCycle = (references: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  const state = new Map<string, 'open' | 'done'>()
  const leadsBack = (name: string, depth: number): boolean => {
    if (state.has(name)) return state.get(name) === 'open'
    if (depth > MAX_DEPTH) return true
    state.set(name, 'open')
    const found = [...(references.get(name) ?? [])].some((next) => leadsBack(next, depth + 1))
    state.set(name, 'done')
    return found
  }
  return [...references.keys()].some((name) => leadsBack(name, 0))
}
