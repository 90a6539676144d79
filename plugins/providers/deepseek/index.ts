/**
 * DeepSeek. It ignores what it does not know, so a lost parameter would go unseen: those are dropped and named here.
 * Sources: DeepSeek API Docs, "Thinking Mode", public copies of "Create Chat Completion", and the request types of
 * @ai-sdk/deepseek 2.0.69, read 2026-11-22. Going on from a prefix is a feature of the beta base URL only ("Chat Prefix
 * Completion").
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'
import { adaptMessages, responseFormat } from './messages.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'logprobs',
    'max_tokens',
    'presence_penalty',
    'reasoning_effort',
    'response_format',
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
    assistant: ['name', 'prefix', 'reasoning_content', 'tool_calls'],
    tool: ['tool_call_id'],
  },
  // 400, "invalid type: sequence, expected a string" (BerriAI/litellm #6642, read 2026-11-22).
  stringContent: true,
}

export default definePlugin({
  name: 'deepseek',
  config: providerConfig('https://api.deepseek.com/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'deepseek',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        adaptMessages,
        // An answer that was broken off ("Create Chat Completion", `finish_reason`).
        answers: { finishReasons: { insufficient_system_resource: 'error' } },
        assistantPrefix: /\/beta\/?$/.test(config.baseURL),
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          response_format: responseFormat,
        },
      }),
    ],
  }),
})
