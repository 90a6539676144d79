import { isRecord } from '../../core/json/record.ts'
import type { SchemaObject } from './reader.ts'

/** Keywords with a schema, an array of them, or an object of them. */
const WITH_SCHEMA = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const WITH_SCHEMAS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
const WITH_NAMED_SCHEMAS = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]

/** Schemas directly inside one, and where. */
const innerSchemas = (schema: SchemaObject): readonly (readonly [path: string, schema: unknown])[] => [
  ...WITH_SCHEMA.map((name) => [name, schema[name]] as const),
  ...WITH_SCHEMAS.flatMap((name) => (Array.isArray(schema[name]) ? below(name, schema[name]) : [])),
  ...WITH_NAMED_SCHEMAS.flatMap((name) => (isRecord(schema[name]) ? below(name, schema[name]) : [])),
]

const below = (path: string, schemas: object): readonly (readonly [path: string, schema: unknown])[] =>
  Object.entries(schemas).map(([key, schema]) => [`${path}.${key}`, schema])

/** The address of a schema that does not say it. */
const HERE = 'https://schema.invalid/'

/** Finds the schema that a reference names, inside one schema alone: nothing is fetched. */
export class References {
  /** By their address, without `#`. */
  readonly #resources = new Map<string, unknown>()
  /** By their address with `#` and name. */
  readonly #anchors = new Map<string, unknown>()
  readonly #bases = new Map<SchemaObject, string>()
  readonly #paths = new Map<unknown, string>()
  /** How many schemas have each dynamic anchor. */
  readonly #dynamic = new Map<string, number>()

  constructor(root: unknown) {
    this.#resources.set(HERE, root)
    this.#register(root, HERE, '')
  }

  /** Undefined where there is none. */
  find(reference: string, from: SchemaObject): unknown {
    const [address = '', fragment = ''] = absolute(reference, this.#baseOf(from)).split('#')
    if (!fragment.startsWith('/')) {
      return fragment === '' ? this.#resources.get(address) : this.#anchors.get(`${address}#${fragment}`)
    }
    let place = this.#resources.get(address)
    const base = address
    for (const segment of fragment.slice(1).split('/')) {
      const key = decoded(segment)
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
      place = Reflect.get(place, key)
    }
    // One where no schema is looked for, such as below a keyword of another's.
    if (isRecord(place) && !this.#bases.has(place)) this.#register(place, base, fragment.slice(1).replaceAll('/', '.'))
    return place
  }

  /** Where a schema that was found stands. */
  pathOf(schema: unknown): string | undefined {
    return this.#paths.get(schema)
  }

  /** Whether several schemas have the dynamic anchor that a reference names. */
  isAmbiguous(reference: string): boolean {
    return (this.#dynamic.get(reference.split('#')[1] ?? '') ?? 0) > 1
  }

  #baseOf(schema: SchemaObject): string {
    return this.#bases.get(schema) ?? HERE
  }

  #register(schema: unknown, outer: string, path: string): void {
    if (!isRecord(schema)) return
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema
    const [base = outer] = typeof id === 'string' && !id.startsWith('#') ? absolute(id, outer).split('#') : [outer]
    if (base !== outer) this.#resources.set(base, schema)
    this.#bases.set(schema, base)
    this.#paths.set(schema, path)
    if (typeof dynamic === 'string') this.#dynamic.set(dynamic, (this.#dynamic.get(dynamic) ?? 0) + 1)
    for (const name of [anchor, dynamic]) {
      if (typeof name === 'string' && !this.#anchors.has(`${base}#${name}`))
        this.#anchors.set(`${base}#${name}`, schema)
    }
    for (const [at, inner] of innerSchemas(schema)) this.#register(inner, base, path === '' ? at : `${path}.${at}`)
  }
}

const absolute = (reference: string, base: string): string => URL.parse(reference, base)?.href ?? reference

/** A segment of a JSON pointer in an address. */
const decoded = (segment: string): string => {
  const text = /%(?![0-9a-fA-F]{2})/.test(segment) ? segment : decodeSafely(segment)
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

const decodeSafely = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
