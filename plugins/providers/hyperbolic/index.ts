/**
 * Hyperbolic. Source: BerriAI/litellm 1.109.1, hyperbolic/chat/transformation.py (address, and the parameters after its "REST API"
 * documentation), read 2026-11-22.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'max_tokens',
    'n',
    'presence_penalty',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_p',
    'user',
  ],
  messages: { system: ['name'], user: ['name'], assistant: ['name', 'tool_calls'], tool: ['name', 'tool_call_id'] },
}

export default definePlugin({
  name: 'hyperbolic',
  config: providerConfig('https://api.hyperbolic.xyz/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'hyperbolic',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        answers: { reasoning: 'reasoning', finishReasons: {} },
      }),
    ],
  }),
})
