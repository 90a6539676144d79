/**
 * SambaNova Cloud. Source: types of sambanova 1.13.0 (PyPI, generated from the API reference), read 2026-11-22; texts as strings
 * after BerriAI/litellm 1.109.1, sambanova/chat.py. Its SDK makes responses and does not read
 * them again; its `/messages` speaks Anthropic's form as well.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'chat_template_kwargs',
    'do_sample',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
  ],
  messages: { system: [], user: [], assistant: ['channel', 'reasoning', 'tool_calls'], tool: ['tool_call_id'] },
  stringContent: true,
}

export default definePlugin({
  name: 'sambanova',
  config: providerConfig('https://api.sambanova.ai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'sambanova',
        ...config,
        developerRole: false,
        allowedTools: false,
        takes: TAKES,
        responses: { keeps: false },
        reasoning: 'reasoning',
        answers: { reasoning: 'reasoning', finishReasons: {} },
        completionsParams: { best_of: null, echo: null, suffix: null, user: null },
        embeddingsParams: { dimensions: null, user: null },
      }),
    ],
  }),
})
