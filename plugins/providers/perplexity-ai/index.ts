/**
 * Perplexity's Sonar models, which search before they answer: `citations` and `search_results` stand beside the choices and
 * pass. Source: types of @perplexity-ai/perplexity_ai 0.38.5 (generated from the API reference) and "OpenAI compatibility" of
 * its documentation, read 2026-11-22. Usage comes in every piece of a stream. There is no list of models; its
 * `/v1/responses` is another service (agents).
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, jsonObjectAsSchema } from '#kit/provider'
import { embeddings } from './embeddings.ts'
import { inTurns } from './turns.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'disable_search',
    'frequency_penalty',
    'image_domain_filter',
    'language_preference',
    'last_updated_after_filter',
    'last_updated_before_filter',
    'logprobs',
    'max_tokens',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning_effort',
    'response_format',
    'return_images',
    'return_related_questions',
    'search_after_date_filter',
    'search_before_date_filter',
    'search_domain_filter',
    'search_language_filter',
    'search_mode',
    'search_recency_filter',
    'stop',
    'stream',
    'stream_mode',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
    'web_search_options',
  ],
  messages: { system: [], user: [], assistant: ['reasoning_steps', 'tool_calls'], tool: ['tool_call_id'] },
}

export default definePlugin({
  name: 'perplexity-ai',
  config: providerConfig('https://api.perplexity.ai'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'perplexity-ai',
      ...config,
      endpoints: ['chat'],
      developerRole: false,
      allowedTools: false,
      namedTool: false,
      maxCompletionTokens: false,
      streamUsage: false,
      takes: TAKES,
      adaptMessages: inTurns,
      answers: { finishReasons: {} },
      // Usage comes unasked.
      params: { response_format: jsonObjectAsSchema, stream_options: () => ({}) },
    })
    return { providers: [{ ...provider, endpoints: { ...provider.endpoints, embeddings } }] }
  },
})
