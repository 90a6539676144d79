/**
 * Ollama, on the operator's own machine and without a key. It ignores what it does not know, so a lost parameter would go
 * unseen: those are dropped and named here. Source: Ollama docs, "OpenAI compatibility" (supported request fields), and
 * the types of its server (ollama/ollama, openai/openai.go), read 2026-11-22.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, OPENAI_MESSAGE_FIELDS } from '#kit/provider'
import { adaptMessages } from './messages.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'logprobs',
    'max_tokens',
    'presence_penalty',
    'reasoning',
    'reasoning_effort',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tools',
    'top_logprobs',
    'top_p',
  ],
  messages: { ...OPENAI_MESSAGE_FIELDS, assistant: ['name', 'reasoning', 'tool_calls'] },
  inner: ['index'],
  // Each part becomes a message of its own there, which a result of a tool does not survive.
  stringContent: true,
}

export default definePlugin({
  name: 'ollama',
  config: providerConfig('http://localhost:11434/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'ollama',
        ...config,
        needsKey: false,
        // `/v1/responses`, without state (Ollama docs, "OpenAI compatibility", read 2026-11-22).
        responses: { keeps: false },
        // Chat templates know system, user, assistant and tool, and skip the rest.
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        adaptMessages,
        reasoning: 'reasoning',
        answers: { reasoning: 'reasoning', finishReasons: {} },
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          tool_choice: (choice) => (choice === 'auto' ? {} : undefined),
        },
        completionsParams: {
          n: (choices) => (choices === 1 ? {} : undefined),
          best_of: (tries) => (typeof tries === 'number' && tries <= 1 ? {} : undefined),
          echo: (wanted) => (wanted ? undefined : {}),
          logprobs: null,
          logit_bias: null,
          user: null,
        },
        embeddingsParams: { user: null },
      }),
    ],
  }),
})
