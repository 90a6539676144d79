import { defined } from '#kit'
import { type ChatRequest, jsonInstruction } from '#kit/provider'
import type { ModelTraits } from './models.ts'
import { fits, NO_LOAD, type StrictSchema, strictSchema } from './schema.ts'
import type { Reasoning } from './thinking.ts'
import { type Fields, isAbsent, recordAt, refuse } from './values.ts'

export interface OutputFormat {
  /** For `output_config.format`. */
  readonly native?: Fields
  /** The schema of the native form. */
  readonly strict?: StrictSchema
  /** System instruction where the model has no native form: a request, not a guarantee. */
  readonly instruction?: string
}

/** Where the schema of a format stands, for errors and the loss report. */
export const SCHEMA_PATH = 'response_format.json_schema.schema'

/**
 * What `response_format` comes to. `json_schema` is native since Claude 4.5 ("Structured outputs", no beta header). A
 * schema is required there, so `json_object`, like `json_schema` on older models and a schema that the provider's grammars
 * cannot express, becomes an instruction, and the parameter is named as lost.
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
  const wanted = recordAt(schema, SCHEMA_PATH)
  const strict = traits.structuredOutputs ? strictSchema(wanted, SCHEMA_PATH) : undefined
  return strict === undefined || !fits(NO_LOAD, strict)
    ? { instruction: jsonInstruction(wanted) }
    : { native: { type: 'json_schema', schema: strict.schema }, strict }
}

/** The `output_config` field of native field, `response_format` and effort; what the native field says wins. */
export const outputConfigOf = (
  request: ChatRequest,
  traits: ModelTraits,
  { effort }: Reasoning,
): Fields | undefined => {
  const native = isAbsent(request.output_config) ? {} : recordAt(request.output_config, 'output_config')
  const format = outputFormatOf(request.response_format, traits).native
  const config = {
    ...defined({ format, effort }),
    ...native,
  }
  return Object.keys(config).length === 0 ? undefined : config
}
