/**
 * Moonshot AI (Kimi). Sources, read 2026-11-22: request of @ai-sdk/moonshotai 2.0.61 (parameters, what each family of models
 * knows of thinking, `tool_choice`); BerriAI/litellm 1.109.1, moonshot/chat/transformation.py (temperature, reasoning beside
 * calls); "Use Kimi API's Partial Mode" of its documentation. In China the `baseURL` is `https://api.moonshot.cn/v1`.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields, ChatRequest, ParamRule } from '#kit/provider'
import { adaptMessages } from './messages.ts'
import { fixesSampling, reasoningEffort } from './thinking.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'n',
    'prediction',
    'presence_penalty',
    'prompt_cache_key',
    'reasoning_effort',
    'response_format',
    'safety_identifier',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'thinking',
    'tool_choice',
    'tools',
    'top_logprobs',
    'top_p',
  ],
  messages: {
    system: ['name'],
    user: ['name'],
    assistant: ['name', 'partial', 'reasoning_content', 'tool_calls'],
    tool: ['name', 'tool_call_id'],
  },
}

/** @param usual what happens anyway where the model fixes it */
const sampling =
  (name: string, usual: number): ParamRule<ChatRequest, unknown> =>
  (value, _request, { model }) => {
    if (!fixesSampling(model)) return { [name]: value }
    return value === usual ? {} : undefined
  }

/** 400 for `required`; one function may be named. */
const REFUSES_REQUIRED = /^kimi-k2\.(?:6|7)/

export default definePlugin({
  name: 'moonshot',
  config: providerConfig('https://api.moonshot.ai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'moonshot',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        adaptMessages,
        answers: { finishReasons: {} },
        // "Cannot be combined with JSON object response format".
        assistantPrefix: {
          message: { partial: true },
          fits: ({ response_format: format }) => format?.type !== 'json_object',
        },
        params: {
          frequency_penalty: sampling('frequency_penalty', 0),
          presence_penalty: sampling('presence_penalty', 0),
          top_p: sampling('top_p', 0.95),
          temperature: (value, _request, { model }) => {
            if (fixesSampling(model)) return value === 1 ? {} : undefined
            return { temperature: typeof value === 'number' ? Math.min(value, 1) : value }
          },
          tool_choice: (choice, _request, { model }) =>
            choice === 'required' && REFUSES_REQUIRED.test(model) ? undefined : { tool_choice: choice },
          reasoning_effort: reasoningEffort,
        },
      }),
    ],
  }),
})
