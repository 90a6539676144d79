import { isRecord } from '../../core/json/record.ts'
import type { AdaptMessages } from './chat-messages.ts'
import type { ChatRequest, Message, ResponseFormat } from './openai.ts'
import type { ParamRule } from './params.ts'
import { jsonInstruction } from './strict-schema.ts'

/** For a host that has `json_object`, and no `json_schema`. */
export interface JsonObjectOnly {
  /** Rule for `response_format`: a JSON object is asked for, and the parameter is named as changed. */
  readonly responseFormat: ParamRule<ChatRequest, ResponseFormat>
  /** Puts the schema into the instructions. */
  readonly instruct: AdaptMessages
}

/** @param hasSchema models of the host that do have `json_schema` */
export const jsonObjectOnly = (hasSchema: (model: string) => boolean = () => false): JsonObjectOnly => ({
  responseFormat: (format, _request, { model }, report) => {
    if (format.type !== 'json_schema' || hasSchema(model)) return { response_format: format }
    report('response_format')
    return { response_format: { type: 'json_object' } }
  },
  instruct: (messages, { response_format: format }, { model }) => {
    if (format?.type !== 'json_schema' || hasSchema(model)) return messages
    const schema = isRecord(format.json_schema) ? format.json_schema.schema : undefined
    const instruction: Message = { role: 'system', content: jsonInstruction(schema) }
    // Behind the instructions of the caller, so that a prefix which calls have in common stays one.
    const at = messages.findIndex((message) => message?.role !== 'system')
    return messages.toSpliced(at === -1 ? messages.length : at, 0, instruction)
  },
})

/** Rule for `response_format` of a host that has `json_schema`, and no `json_object`: any object fits the schema. */
export const jsonObjectAsSchema: ParamRule<ChatRequest, ResponseFormat> = (format) => ({
  response_format:
    format.type === 'json_object'
      ? { type: 'json_schema', json_schema: { name: 'object', schema: { type: 'object' } } }
      : format,
})
