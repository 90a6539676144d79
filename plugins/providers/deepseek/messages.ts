import { isRecord } from '#kit'
import { type AdaptMessages, type ChatRequest, jsonObjectOnly, type Message, mapChanged } from '#kit/provider'

/** 400, "This response_format type is unavailable now" (public reports, read 2026-11-22): DeepSeek has no `json_schema`. */
const { responseFormat, instruct } = jsonObjectOnly()

export { responseFormat }

export const adaptMessages: AdaptMessages = (messages, request, context, report) =>
  instruct(thinks(request) ? mapChanged(messages, withReasoning) : messages, request, context, report)

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
