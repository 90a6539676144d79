/**
 * DeepSeek. It ignores what it does not know, so a lost parameter would go unseen: those are dropped and named here.
 * Source: DeepSeek API Docs, "Thinking Mode", and public copies of "Create Chat Completion", read 2026-11-21.
 * Going on from a prefix is a feature of the beta base URL only ("Chat Prefix Completion").
 * `reasoning_content` passes both ways. A `json_schema` response format passes on: DeepSeek refuses it in its own words.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'

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
        maxCompletionTokens: false,
        assistantPrefix: /\/beta\/?$/.test(config.baseURL),
        params: {
          n: (choices) => (choices === 1 ? {} : undefined),
          seed: null,
          logit_bias: null,
          parallel_tool_calls: null,
          user: null,
          metadata: null,
          store: null,
          service_tier: null,
        },
      }),
    ],
  }),
})
