/**
 * Cerebras. Source: types of @cerebras/cerebras_cloud_sdk 1.91.0 (generated from the API reference) and "OpenAI Compatibility"
 * of its documentation, read 2026-11-22: `system` stands where OpenAI has `developer`, which one model alone knows. Errors are
 * bare objects (@ai-sdk/cerebras 2.0.82), in streams with the status as `status_code`.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'clear_thinking',
    'disable_reasoning',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'min_tokens',
    'n',
    'parallel_tool_calls',
    'prediction',
    'presence_penalty',
    'prompt_cache_key',
    'reasoning_effort',
    'reasoning_format',
    'response_format',
    'seed',
    'service_tier',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_logprobs',
    'top_p',
    'user',
  ],
  messages: {
    system: ['name'],
    user: ['name'],
    assistant: ['name', 'reasoning', 'tool_calls'],
    tool: ['name', 'tool_call_id'],
  },
}

export default definePlugin({
  name: 'cerebras',
  config: providerConfig('https://api.cerebras.ai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'cerebras',
        ...config,
        endpoints: ['chat', 'completions', 'models'],
        developerRole: false,
        allowedTools: false,
        takes: TAKES,
        reasoning: 'reasoning',
        answers: { reasoning: 'reasoning', finishReasons: {} },
      }),
    ],
  }),
})
