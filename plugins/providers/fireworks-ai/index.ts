/**
 * Fireworks AI. Source: types of fireworks-ai 1.2.30 (PyPI, generated from the API reference), read 2026-11-22; error schema of
 * @ai-sdk/fireworks 2.0.90. `max_tokens` and `max_completion_tokens` "cannot be specified together". Rerank after
 * BerriAI/litellm 1.109.1, fireworks_ai/rerank/transformation.py. Its `/messages` speaks Anthropic's form as well.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type AdapterContext, type ChatFields, textRerank } from '#kit/provider'
import { accountOf, modelOf, SETTINGS } from './account.ts'
import { keptAt } from './batches.ts'
import { fineTuningAt } from './fine-tuning.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'context_length_exceeded_behavior',
    'echo',
    'frequency_penalty',
    'function_call',
    'functions',
    'logit_bias',
    'logprobs',
    'max_tokens',
    'metadata',
    'min_p',
    'n',
    'parallel_tool_calls',
    'prediction',
    'presence_penalty',
    'prompt_cache_key',
    'reasoning_effort',
    'reasoning_history',
    'repetition_penalty',
    'response_format',
    'seed',
    'service_tier',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'thinking',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
    'user',
  ],
  messages: { system: [], user: [], assistant: ['reasoning_content', 'tool_calls'], tool: ['tool_call_id'] },
}

/** As elsewhere, models have their account in front. */
const model = (name: string, _request: unknown, context: AdapterContext) => ({ model: modelOf(name, context) })

const rerank = { ...textRerank, params: { ...textRerank.params, model } }

export default definePlugin({
  name: 'fireworks-ai',
  config: providerConfig('https://api.fireworks.ai/inference/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'fireworks-ai',
      ...config,
      developerRole: false,
      allowedTools: false,
      maxCompletionTokens: false,
      takes: TAKES,
      // "Responses API" of its documentation and its OpenAPI document, read 2026-11-22: kept unless `store` is false.
      responses: { params: { model } },
      settings: SETTINGS,
      reasoning: 'reasoning_content',
      answers: { finishReasons: { error: 'error' } },
      params: { model },
      completionsParams: {
        model,
        best_of: (tries, { n }) =>
          typeof tries === 'number' && tries <= (typeof n === 'number' ? n : 1) ? {} : undefined,
        suffix: null,
      },
      embeddingsParams: {
        model,
        user: null,
        // Vectors come as numbers (BerriAI/litellm 1.109.1, fireworks_ai/embed/fireworks_ai_transformation.py).
        encoding_format: (format) => (format === 'float' ? {} : undefined),
      },
    })
    return {
      providers: [
        {
          ...provider,
          openSettings: Object.keys(SETTINGS),
          keepsAt: (settings) => accountOf(settings) !== undefined,
          endpoints: {
            ...provider.endpoints,
            rerank,
            ...fineTuningAt(config.baseURL),
            ...keptAt(config.baseURL),
          },
        },
      ],
    }
  },
})
