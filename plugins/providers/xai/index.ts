/**
 * xAI. Sources, read 2026-11-22: request, answer and error schemas of @ai-sdk/xai 3.0.138; BerriAI/litellm 1.109.1,
 * xai/chat/transformation.py (what Grok 4 refuses, reasoning beside `completion_tokens`, empty finish reasons) and #9720
 * (`name` of a message that is not the user's).
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type AdaptMessages, type ChatFields, type ChatRequest, mapChanged, type ParamRule } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'deferred',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'n',
    'parallel_function_calling',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning_effort',
    'response_format',
    'search_parameters',
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
  messages: { system: ['name'], user: ['name'], assistant: ['name', 'tool_calls'], tool: ['tool_call_id'] },
}

/** All but the first ones, and those that say they do not. */
const reasons = (model: string): boolean => !/non-reasoning|grok-(?:2|beta|vision)|grok-3(?!-mini)/.test(model)

/** "Model … does not support parameter reasoningEffort": these think as they like, or not at all. */
const NO_EFFORT = /non-reasoning|grok-(?:2|beta|vision|code|build)|grok-3(?!-mini)|grok-4(?:$|-|\.20(?!-multi-agent))/

/** `stop` and penalties, which models that reason answer with 400. A penalty of 0 asks for what happens anyway. */
const refusedByReasoning =
  (name: string): ParamRule<ChatRequest, unknown> =>
  (value, _request, { model }) => {
    if (!reasons(model)) return { [name]: value }
    return value === 0 ? {} : undefined
  }

/** 400, "Only messages of role \"user\" can have a name" (BerriAI/litellm #9720). */
const withoutNames: AdaptMessages = (messages, _request, _context, report) =>
  mapChanged(messages, (message) => {
    if (message?.role === 'user' || typeof message?.name !== 'string') return message
    const { name: _, ...rest } = message
    report('messages[].name')
    return rest
  })

export default definePlugin({
  name: 'xai',
  config: providerConfig('https://api.x.ai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'xai',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        takes: TAKES,
        // "Inference API", "Responses" of its documentation, read 2026-11-22: kept for 30 days.
        responses: {},
        // "Voice Agent API" of its documentation, and fal.ai's page of its bridge to it; read 2026-11-24.
        realtime: true,
        adaptMessages: withoutNames,
        answers: { finishReasons: {}, reasoningBeside: true },
        params: {
          frequency_penalty: refusedByReasoning('frequency_penalty'),
          presence_penalty: refusedByReasoning('presence_penalty'),
          stop: refusedByReasoning('stop'),
          reasoning_effort: (effort, _request, { model }) =>
            NO_EFFORT.test(model) ? undefined : { reasoning_effort: effort },
        },
      }),
    ],
  }),
})
