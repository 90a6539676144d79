import { isRecord } from '../../core/json/record.ts'
import { mapChanged } from './map-changed.ts'
import type { ChatRequest, ResponseFormat } from './openai.ts'
import type { ParamRule } from './params.ts'

type Fields = Readonly<Record<string, unknown>>
type Report = (part: string) => void

/** What of JSON Schema a host takes where `strict` is true; it refuses the rest with 400. */
export interface StrictSubset {
  /** Words that it refuses: they move into the description, where the model still reads them. */
  readonly refused: ReadonlySet<string>
  /** The formats of strings that it knows. */
  readonly formats: ReadonlySet<string>
}

/**
 * OpenAI: words that its own SDK calls unsupported (openai-node 6.49.0, lib/transform.ts), formats after "Structured
 * outputs", supported properties; both read 2026-11-22.
 */
export const OPENAI_STRICT: StrictSubset = {
  refused: new Set([
    'contains',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
    'dependencies',
    'dependentRequired',
    'dependentSchemas',
    'else',
    'if',
    'maxContains',
    'maxProperties',
    'minContains',
    'minProperties',
    'not',
    'patternProperties',
    'propertyNames',
    'then',
    'unevaluatedItems',
    'unevaluatedProperties',
    'uniqueItems',
  ]),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
}

/** Nesting beyond which a schema is not looked at. */
const MAX_DEPTH = 64

/** Thrown inside for what no strict schema can say. */
const INEXPRESSIBLE = Symbol('inexpressible')

/**
 * Rule for `response_format`: a strict schema in the words that the host takes, or one that is not strict.
 * @param openElsewhere true where the rule does not hold for a host that the call names
 */
export const strictFormatRule =
  (subset: StrictSubset, openElsewhere: boolean): ParamRule<ChatRequest, ResponseFormat> =>
  (format, _request, { customHost }, report) => {
    if (openElsewhere && customHost === true) return { response_format: format }
    if (format.type !== 'json_schema' || !isRecord(format.json_schema)) return { response_format: format }
    const json_schema = strictly(format.json_schema, 'schema', subset, 'response_format', report)
    return { response_format: json_schema === format.json_schema ? format : { ...format, json_schema } }
  }

/** Makes the parameters of a tool strict. */
export const strictTool = (tool: unknown, subset: StrictSubset, report: Report): unknown => {
  if (!isRecord(tool) || !isRecord(tool.function)) return tool
  const made = strictly(tool.function, 'parameters', subset, 'tools[]', report)
  return made === tool.function ? tool : { ...tool, function: made }
}

const strictly = (holder: Fields, field: string, subset: StrictSubset, place: string, report: Report): Fields => {
  const schema = holder[field]
  if (holder.strict !== true || !isRecord(schema)) return holder
  const moved = new Set<string>()
  try {
    // A union at the root is refused, and so is anything but an object.
    if (schema.type !== 'object' || schema.anyOf !== undefined || schema.oneOf !== undefined) throw INEXPRESSIBLE
    const made = strictSchema(schema, subset, moved, 0)
    for (const word of moved) report(`${place}.${word}`)
    return made === schema ? holder : { ...holder, [field]: made }
  } catch (thrown) {
    if (thrown !== INEXPRESSIBLE) throw thrown
    report(`${place}.strict`)
    return { ...holder, strict: false }
  }
}

/** The schema itself where it is already as the host takes it. */
const strictSchema = (schema: unknown, subset: StrictSubset, moved: Set<string>, depth: number): Fields => {
  if (!isRecord(schema) || depth > MAX_DEPTH) throw INEXPRESSIBLE
  const each = (value: unknown): Fields => strictSchema(value, subset, moved, depth + 1)
  const made = new Map<string, unknown>()
  const lost: string[] = []
  for (const [word, value] of Object.entries(schema)) {
    if (subset.refused.has(word) || (word === 'format' && !subset.formats.has(String(value)))) lost.push(word)
    else if (word === 'oneOf') made.set('anyOf', value).set(word, undefined)
    else if (word === 'allOf' || word === 'additionalItems' || word === 'prefixItems') throw INEXPRESSIBLE
  }
  for (const word of ['properties', '$defs', 'definitions']) {
    const named = schema[word]
    if (named === undefined) continue
    if (!isRecord(named)) throw INEXPRESSIBLE
    const changed = mapFields(named, each)
    if (changed !== named) made.set(word, changed)
  }
  const { items } = schema
  if (items !== undefined) {
    const changed = each(items)
    if (changed !== items) made.set('items', changed)
  } else if (schema.type === 'array') throw INEXPRESSIBLE
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) {
    const changed = mapChanged(options as readonly unknown[], each)
    if (changed !== options) made.set('anyOf', changed)
  }
  if (schema.oneOf !== undefined) moved.add('oneOf')
  if (schema.type === 'object' || isRecord(schema.properties)) closeObject(schema, made, moved)
  if (made.size === 0 && lost.length === 0) return schema
  return described(schema, made, lost, moved)
}

/** Objects are closed there and have all of their properties, which is narrower than what was asked for, never wider. */
const closeObject = (schema: Fields, made: Map<string, unknown>, moved: Set<string>): void => {
  const { additionalProperties: others, properties, required } = schema
  // Closed, an object for keys of any name would always be empty.
  if (isRecord(others) || !isRecord(properties)) {
    if (others !== false) throw INEXPRESSIBLE
    return
  }
  if (others !== false) made.set('additionalProperties', false)
  if (others === true) moved.add('additionalProperties')
  const names = Object.keys(properties)
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  if (names.every((name) => needed.has(name))) return
  made.set('required', names)
  moved.add('required')
}

const described = (schema: Fields, made: Map<string, unknown>, lost: readonly string[], moved: Set<string>): Fields => {
  for (const word of lost) moved.add(word)
  const words = lost.map((word) => `${word}: ${JSON.stringify(schema[word])}`).join(', ')
  const texts = [typeof schema.description === 'string' ? schema.description : '', words === '' ? '' : `{${words}}`]
  const description = texts.filter((text) => text !== '').join('\n\n')
  const kept = Object.entries(schema).filter(([word]) => !lost.includes(word) && !made.has(word))
  // `fromEntries` defines fields, so a client's `__proto__` stays a name like any other.
  return Object.fromEntries([
    ...kept.filter(([word]) => word !== 'description'),
    ...[...made].filter(([, value]) => value !== undefined),
    ...(description === '' ? [] : [['description', description] as const]),
  ])
}

const mapFields = (fields: Fields, change: (value: unknown) => unknown): Fields => {
  const entries = Object.entries(fields)
  const changed = mapChanged(entries, (entry): [string, unknown] => {
    const value = change(entry[1])
    return value === entry[1] ? entry : [entry[0], value]
  })
  return changed === entries ? fields : Object.fromEntries(changed)
}
/** Asks a model in words for what no parameter of its provider guarantees: a JSON object, perhaps of a schema. */
export const jsonInstruction = (schema?: unknown): string => {
  const rule = 'Answer with one JSON object and nothing else: no other text and no code fence.'
  return schema === undefined ? rule : `${rule} It must conform to this JSON schema:\n${JSON.stringify(schema)}`
}
