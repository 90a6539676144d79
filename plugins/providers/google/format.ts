import { isRecord } from '#kit'
import { type AdapterContext, type ChatRequest, jsonInstruction } from '#kit/provider'
import { type Fields, refuse, textOf } from './json.ts'
import { takesFormatBesideTools } from './model.ts'
import { heededSchema } from './schema.ts'

/** Where the schema of a format stands, for errors and the loss report. */
export const SCHEMA_PATH = 'response_format.json_schema.schema'

interface Format {
  readonly fields: Fields
  /** Words of the schema that no longer bind the model. */
  readonly moved: Iterable<string>
}

const NOTHING_LOST: readonly string[] = []

/**
 * What `response_format` comes to; undefined where it is only asked for in words.
 * @throws InvalidRequest for a form that does not exist.
 */
export const toFormat = (request: ChatRequest, context: AdapterContext): Format | undefined => {
  const wanted = wantedFormat(request.response_format)
  if (wanted === undefined) return { fields: {}, moved: NOTHING_LOST }
  if (excludesFormat(request, context)) return undefined
  const json = { 'generationConfig.responseMimeType': 'application/json' }
  if (wanted.schema === undefined) return { fields: json, moved: NOTHING_LOST }
  const { schema, moved } = heededSchema(wanted.schema, SCHEMA_PATH)
  return { fields: { ...json, 'generationConfig.responseJsonSchema': schema }, moved }
}

/** The words that ask for the format where no field may. */
export const formatInstruction = (request: ChatRequest, context: AdapterContext): string | undefined => {
  if (!excludesFormat(request, context)) return undefined
  const wanted = wantedFormat(request.response_format)
  return wanted === undefined ? undefined : jsonInstruction(wanted.schema)
}

const excludesFormat = ({ tools }: ChatRequest, { model }: AdapterContext): boolean =>
  Array.isArray(tools) && tools.length > 0 && !takesFormatBesideTools(model)

/** The JSON that is asked for, with its schema if it has one; undefined for text. */
const wantedFormat = (value: unknown): { readonly schema?: Fields } | undefined => {
  if (value === undefined || value === null) return undefined
  const type = isRecord(value) ? textOf(value.type) : undefined
  if (type === 'text') return undefined
  if (type === 'json_object') return {}
  if (type === 'json_schema' && isRecord(value)) return schemaOf(value)
  throw refuse('response_format.type', '`response_format.type` must be text, json_object or json_schema.')
}

const schemaOf = ({ json_schema: definition }: Fields): { readonly schema?: Fields } => {
  if (!isRecord(definition)) throw refuse('response_format.json_schema', '`json_schema` must be an object.')
  const { schema } = definition
  if (schema === undefined || schema === null) return {}
  if (!isRecord(schema)) throw refuse(SCHEMA_PATH, 'The schema of a format must be a JSON Schema object.')
  return { schema }
}
