/**
 * DeepInfra. Sources, read 2026-11-22: BerriAI/litellm 1.109.1, deepinfra/chat/transformation.py (parameters, `tool_choice`
 * with `auto` and `none` alone, results of tools as text); @ai-sdk/deepinfra 2.0.84 (address, `{detail: {error}}`, reasoning
 * that is counted beside `completion_tokens`).
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'function_call',
    'functions',
    'logit_bias',
    'max_tokens',
    'min_p',
    'n',
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
    'top_p',
    'user',
  ],
  messages: { system: ['name'], user: ['name'], assistant: ['name', 'tool_calls'], tool: ['tool_call_id'] },
  stringContent: true,
}

export default definePlugin({
  name: 'deepinfra',
  config: providerConfig('https://api.deepinfra.com/v1/openai'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'deepinfra',
        ...config,
        developerRole: false,
        allowedTools: false,
        namedTool: false,
        maxCompletionTokens: false,
        takes: TAKES,
        answers: { reasoning: 'reasoning', finishReasons: {}, reasoningBeside: true },
        params: { tool_choice: (choice) => (choice === 'required' ? undefined : { tool_choice: choice }) },
      }),
    ],
  }),
})
