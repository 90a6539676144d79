/**
 * Qwen, by Alibaba Cloud's Model Studio (DashScope), in its OpenAI-compatible mode. Sources, read 2026-11-22: "OpenAI compatible
 * - Chat" of its documentation (addresses); @ai-sdk/alibaba 1.0.61 (parameters, `reasoning_content`, which models have
 * `json_schema`); BerriAI/litellm 1.109.1, dashscope/chat/transformation.py (`reasoning_effort`, `cache_control`). Other regions
 * have a `baseURL` of their own.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, jsonObjectOnly } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'audio',
    'enable_search',
    'enable_thinking',
    'logprobs',
    'max_tokens',
    'modalities',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'preserve_thinking',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'search_options',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'thinking_budget',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
  ],
  messages: {
    system: [],
    user: [],
    assistant: ['partial', 'reasoning_content', 'tool_calls'],
    tool: ['tool_call_id'],
  },
  inner: ['cache_control'],
}

const { responseFormat, instruct } = jsonObjectOnly((model) => /^qwen3\.(?:7|8)-(?:plus|flash|max)/.test(model))

export default definePlugin({
  name: 'dashscope',
  config: providerConfig('https://dashscope-intl.aliyuncs.com/compatible-mode/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'dashscope',
        ...config,
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        adaptMessages: instruct,
        answers: { finishReasons: {} },
        params: {
          response_format: responseFormat,
          // `auto`, `none` or one function; "required is sent as auto" (documentation of instructor-php, read 2026-11-22).
          tool_choice: (choice) => (choice === 'required' ? undefined : { tool_choice: choice }),
        },
        embeddingsParams: { user: null },
      }),
    ],
  }),
})
