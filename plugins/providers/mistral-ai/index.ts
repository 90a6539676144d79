/**
 * Mistral AI. It refuses fields it does not know (422, `extra_forbidden`), so the reference's others are dropped here.
 * Source: mistralai/client-python, docs/models/chatcompletionrequest.md (`random_seed`, `max_tokens`, `tool_choice`) and
 * assistantmessage.md (`prefix`), and public copies of the request schema, read 2026-11-21. Refused fields and embeddings
 * as known then, from no page. It completes texts on a path of its own only (fill in the middle, `/fim/completions`).
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'

export default definePlugin({
  name: 'mistral-ai',
  config: providerConfig('https://api.mistral.ai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'mistral-ai',
        ...config,
        endpoints: ['chat', 'embeddings', 'models'],
        developerRole: false,
        maxCompletionTokens: false,
        // What OpenAI's own answers carry and clients send back, and `name`, which no message but a tool's may have.
        dropMessageFields: ['name', 'refusal', 'annotations', 'audio', 'function_call'],
        // Usage comes in the last chunk, asked for or not.
        streamUsage: false,
        assistantPrefix: true,
        params: {
          seed: 'random_seed',
          tool_choice: (choice) => ({ tool_choice: choice === 'required' ? 'any' : choice }),
          stream_options: () => ({}),
          logit_bias: null,
          logprobs: null,
          top_logprobs: null,
          user: null,
          safety_identifier: null,
          prompt_cache_key: null,
          prompt_cache_retention: null,
          service_tier: null,
          store: null,
          verbosity: null,
          modalities: null,
          audio: null,
          web_search_options: null,
          functions: null,
          function_call: null,
        },
        embeddingsParams: { dimensions: 'output_dimension', user: null },
      }),
    ],
  }),
})
