/**
 * Z.AI (GLM). Sources, read 2026-11-22: zai-sdk 0.2.3 (PyPI; parameters, ranges of `temperature` and `top_p`, addresses);
 * BerriAI/litellm 1.109.1, zai/chat/transformation.py (`json_object` alone, `cache_control`); public reports of its finish
 * reasons and errors (sam-dumont/immich-video-memory-generator #919: which models cannot stop thinking). In China the `baseURL` is
 * `https://open.bigmodel.cn/api/paas/v4`.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, type ChatRequest, jsonObjectOnly, type ParamRule } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'do_sample',
    'max_tokens',
    'reasoning_effort',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'thinking',
    'tool_choice',
    'tool_stream',
    'tools',
    'top_p',
    'user',
  ],
  messages: { system: [], user: [], assistant: ['reasoning_content', 'tool_calls'], tool: ['tool_call_id'] },
  inner: ['cache_control'],
}

const { responseFormat, instruct } = jsonObjectOnly()

/** GLM 5.2 and newer are told how much to think, older ones whether to; a level that is lost is named. */
const HAS_LEVELS = /glm-(?:5\.[2-9]|[6-9])/

const reasoningEffort: ParamRule<ChatRequest, string> = (effort, { thinking }, { model }, report) => {
  if (HAS_LEVELS.test(model)) return { reasoning_effort: effort }
  if (thinking !== undefined && thinking !== null) return {}
  if (effort !== 'none') report('reasoning_effort')
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

export default definePlugin({
  name: 'zai',
  config: providerConfig('https://api.z.ai/api/paas/v4'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'zai',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        namedTool: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        adaptMessages: instruct,
        answers: {
          finishReasons: {
            sensitive: 'content_filter',
            network_error: 'error',
            model_context_window_exceeded: 'length',
          },
        },
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          temperature: { clamp: [0, 1] },
          top_p: { clamp: [0.01, 1] },
          user: 'user_id',
          reasoning_effort: reasoningEffort,
          response_format: responseFormat,
          tool_choice: (choice) => (choice === 'auto' ? { tool_choice: choice } : undefined),
        },
      }),
    ],
  }),
})
