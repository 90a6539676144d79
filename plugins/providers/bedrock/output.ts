import { jsonInstruction } from '#kit/provider'
import { fits, NO_LOAD, type StrictSchema, strictSchema } from '../anthropic/schema.ts'
import { type Fields, isAbsent, recordAt, refuse } from '../anthropic/values.ts'
import { type BedrockModel, hasSchemas } from './models.ts'

export interface OutputFormat {
  /** For `outputConfig.textFormat`. */
  readonly native?: Fields
  /** The schema of the native form. */
  readonly strict?: StrictSchema
  /** What the model is told where it has no native form: a request, not a guarantee. */
  readonly instruction?: string
}

/** Where the schema of a format stands, for errors and the loss report. */
export const SCHEMA_PATH = 'response_format.json_schema.schema'

/** Names that a schema may have; the limits of the service are not documented, those of OpenAI are. */
const FORMAT_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * What `response_format` comes to: `outputConfig.textFormat`, whose schema is a text ("JsonSchemaDefinition" of the API
 * reference, read 2026-11-22). A schema is required there, so `json_object`, like `json_schema` on models without and a schema
 * that the grammars cannot express, becomes an instruction, and the parameter is named as lost.
 * @throws InvalidRequest for a form that does not exist
 */
export const formatOf = (value: unknown, model: BedrockModel): OutputFormat => {
  if (isAbsent(value)) return {}
  const format = recordAt(value, 'response_format')
  if (format.type === 'text') return {}
  if (format.type === 'json_object') return { instruction: jsonInstruction() }
  if (format.type !== 'json_schema') return refuse('response_format.type', 'must be text, json_object or json_schema.')
  const { schema, name, description } = recordAt(format.json_schema, 'response_format.json_schema')
  if (isAbsent(schema)) return { instruction: jsonInstruction() }
  const wanted = recordAt(schema, SCHEMA_PATH)
  const strict = hasSchemas(model) ? strictSchema(wanted, SCHEMA_PATH) : undefined
  if (strict === undefined || !fits(NO_LOAD, strict)) return { instruction: jsonInstruction(wanted) }
  const jsonSchema = {
    schema: JSON.stringify(strict.schema),
    ...(typeof name === 'string' && FORMAT_NAME.test(name) ? { name } : {}),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
  }
  return { native: { type: 'json_schema', structure: { jsonSchema } }, strict }
}
