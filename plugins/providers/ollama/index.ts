/**
 * Ollama, on the operator's own machine and without a key. It ignores what it does not know, so a lost parameter would go
 * unseen: those are dropped and named here. Source: Ollama docs, "OpenAI compatibility" (supported request fields), and
 * the request type of its server (ollama/ollama, openai/openai.go), read 2026-11-21.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'

export default definePlugin({
  name: 'ollama',
  config: providerConfig('http://localhost:11434/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'ollama',
        ...config,
        needsKey: false,
        // Chat templates know system, user, assistant and tool, and skip the rest.
        developerRole: false,
        maxCompletionTokens: false,
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          tool_choice: (choice) => (choice === 'auto' ? {} : undefined),
          parallel_tool_calls: null,
          logit_bias: null,
          user: null,
          metadata: null,
          store: null,
          service_tier: null,
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
