import { isRecord } from '#kit'
import {
  type AdaptMessages,
  type ChatRequest,
  jsonInstruction,
  type Message,
  mapChanged,
  type ParamRule,
  type ResponseFormat,
} from '#kit/provider'

/**
 * DeepSeek has no `json_schema` (400, "This response_format type is unavailable now"; public reports, read 2026-11-22): the
 * model is asked for a JSON object, the schema stands in the instructions, and the parameter is named as changed.
 */
export const responseFormat: ParamRule<ChatRequest, ResponseFormat> = (format, _request, _context, report) => {
  if (format.type !== 'json_schema') return { response_format: format }
  report('response_format')
  return { response_format: { type: 'json_object' } }
}

export const adaptMessages: AdaptMessages = (messages, request) => {
  const spoken = thinks(request) ? mapChanged(messages, withReasoning) : messages
  const { response_format: format } = request
  if (format?.type !== 'json_schema') return spoken
  const schema = isRecord(format.json_schema) ? format.json_schema.schema : undefined
  const instruction: Message = { role: 'system', content: jsonInstruction(schema) }
  // Behind the instructions of the caller, so that a prefix which calls have in common stays one.
  const at = spoken.findIndex((message) => message?.role !== 'system')
  return spoken.toSpliced(at === -1 ? spoken.length : at, 0, instruction)
}

/** Models think unless told not to ("Thinking Mode"). */
const thinks = ({ thinking }: ChatRequest): boolean => !isRecord(thinking) || thinking.type !== 'disabled'

/**
 * While the model thinks, each turn with tool calls must bring its reasoning (400, "The `reasoning_content` in the thinking
 * mode must be passed back to the API"; public reports, read 2026-11-22). A turn of another provider has none: it is
 * sent empty, as @ai-sdk/deepseek 2.0.69 does.
 */
const withReasoning = (message: Message): Message =>
  message?.role !== 'assistant' ||
  !Array.isArray(message.tool_calls) ||
  message.tool_calls.length === 0 ||
  typeof message.reasoning_content === 'string'
    ? message
    : { ...message, reasoning_content: '' }
