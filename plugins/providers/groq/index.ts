/**
 * Groq. Source: GroqDocs, "OpenAI Compatibility" (fields that are answered with 400), read 2026-11-21.
 * `n` other than 1 passes on: Groq refuses it, and fewer choices than asked for would look like success.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'

export default definePlugin({
  name: 'groq',
  config: providerConfig('https://api.groq.com/openai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'groq',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        dropMessageFields: ['name'],
        params: { logit_bias: null, logprobs: null, top_logprobs: null },
      }),
    ],
  }),
})
