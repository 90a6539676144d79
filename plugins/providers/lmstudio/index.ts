/**
 * LM Studio, on a machine of the operator's. Sources, read 2026-11-22: lmstudio-ai/docs, "Chat Completions" (parameters) and "API
 * Changelog" (`tool_choice`, `stream_options`, `reasoning`); public reports of its 400: "Invalid tool_choice type: 'object'.
 * Supported string values: none, auto, required" and "'response_format.type' must be 'json_schema' or 'text'". A key is only
 * asked for where the server wants one. Responses since 0.3.29; its `/v1/messages` speaks Anthropic's form as well.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, jsonObjectAsSchema } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'logit_bias',
    'max_tokens',
    'presence_penalty',
    'repeat_penalty',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_p',
  ],
  messages: { system: [], user: [], assistant: ['tool_calls'], tool: ['tool_call_id'] },
}

export default definePlugin({
  name: 'lmstudio',
  config: providerConfig('http://localhost:1234/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'lmstudio',
        ...config,
        needsKey: false,
        developerRole: false,
        allowedTools: false,
        namedTool: false,
        maxCompletionTokens: false,
        takes: TAKES,
        responses: { keeps: false },
        answers: { reasoning: 'reasoning', finishReasons: {} },
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          response_format: jsonObjectAsSchema,
        },
      }),
    ],
  }),
})
