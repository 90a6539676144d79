import type { ChatRequest } from '#kit'
import type { ModelTraits } from './models.ts'
import type { Reasoning } from './thinking.ts'
import { type Fields, isAbsent, isRecord, recordAt, refuse } from './values.ts'

/** Nesting of a schema beyond which it is refused. */
const MAX_SCHEMA_DEPTH = 128

/** Schema keywords whose value is a map of schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])

/** Schema keywords whose value is a schema or a list of them. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'allOf', 'oneOf', 'not'])

export interface OutputFormat {
  /** For `output_config.format`. */
  readonly native?: Fields
  /** System instruction where the model has no native form: a request, not a guarantee. */
  readonly instruction?: string
}

/**
 * What `response_format` comes to. `json_schema` is native since Claude 4.5 ("Structured outputs", no beta header). A
 * schema is required there, so `json_object`, like `json_schema` on older models, becomes an instruction, and the
 * parameter is named as lost.
 * @throws InvalidRequest for a form that does not exist.
 */
export const outputFormatOf = (value: unknown, traits: ModelTraits): OutputFormat => {
  if (isAbsent(value)) return {}
  const format = recordAt(value, 'response_format')
  if (format.type === 'text') return {}
  if (format.type === 'json_object') return { instruction: jsonInstruction() }
  if (format.type !== 'json_schema') {
    return refuse('response_format.type', 'must be text, json_object or json_schema.')
  }
  const { schema } = recordAt(format.json_schema, 'response_format.json_schema')
  if (isAbsent(schema)) return { instruction: jsonInstruction() }
  const closed = closedSchema(recordAt(schema, 'response_format.json_schema.schema'))
  return traits.structuredOutputs
    ? { native: { type: 'json_schema', schema: closed } }
    : { instruction: jsonInstruction(closed) }
}

const jsonInstruction = (schema?: unknown): string => {
  const rule = 'Answer with one JSON object and nothing else: no other text and no code fence.'
  return schema === undefined ? rule : `${rule} It must conform to this JSON schema:\n${JSON.stringify(schema)}`
}

/** Anthropic takes only objects that say `additionalProperties: false`; the client may leave it out. */
const closedSchema = (schema: unknown, depth = 0): unknown => {
  if (depth > MAX_SCHEMA_DEPTH) {
    return refuse('response_format.json_schema.schema', `is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`)
  }
  if (Array.isArray(schema)) return schema.map((item) => closedSchema(item, depth + 1))
  if (!isRecord(schema)) return schema
  const closed = mapFields(schema, (value, keyword) => {
    if (SCHEMA_MAPS.has(keyword) && isRecord(value)) return mapFields(value, (inner) => closedSchema(inner, depth + 2))
    return SCHEMAS.has(keyword) ? closedSchema(value, depth + 1) : value
  })
  const isObject = closed.type === 'object' || (Array.isArray(closed.type) && closed.type.includes('object'))
  return isObject && !Object.hasOwn(closed, 'additionalProperties')
    ? { ...closed, additionalProperties: false }
    : closed
}

/** `fromEntries` defines fields, so a client's `__proto__` stays a name like any other. */
const mapFields = (fields: Fields, change: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))

/** The `output_config` field of native field, `response_format` and effort; what the native field says wins. */
export const outputConfigOf = (
  request: ChatRequest,
  traits: ModelTraits,
  { effort }: Reasoning,
): Fields | undefined => {
  const native = isAbsent(request.output_config) ? {} : recordAt(request.output_config, 'output_config')
  const format = outputFormatOf(request.response_format, traits).native
  const config = {
    ...(format === undefined ? {} : { format }),
    ...(effort === undefined ? {} : { effort }),
    ...native,
  }
  return Object.keys(config).length === 0 ? undefined : config
}
