/**
 * Together AI. Sources: Together docs, "Create chat completion", "Create completion", "Parameters" and "OpenAI compatibility"; types of
 * together-py (`logprobs` is a number there); read 2026-11-21. That `/models` is a bare list is known, from no page.
 */
import { definePlugin, isRecord, openaiCompatible, providerConfig, UpstreamInvalid } from '#kit'
import { type Adapter, type ChatFields, type ModelList, OPENAI_MESSAGE_FIELDS } from '#kit/provider'
import { batches } from './batches.ts'
import { files } from './files.ts'
import { fineTuning } from './fine-tuning.ts'
import { media } from './media.ts'
import { rerank } from './rerank.ts'

/** Types of together-ai 0.52.0 (npm), read 2026-11-22; `stream_options` is not among them and gives the usage of a stream. */
const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'chat_template_kwargs',
    'compliance',
    'context_length_exceeded_behavior',
    'echo',
    'frequency_penalty',
    'function_call',
    'logit_bias',
    'logprobs',
    'max_tokens',
    'min_p',
    'n',
    'presence_penalty',
    'reasoning',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'safety_model',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_p',
  ],
  messages: { ...OPENAI_MESSAGE_FIELDS, assistant: ['name', 'function_call', 'tool_calls', 'reasoning'] },
}

export default definePlugin({
  name: 'together-ai',
  config: providerConfig('https://api.together.ai/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'together-ai',
      ...config,
      developerRole: false,
      allowedTools: false,
      maxCompletionTokens: false,
      takes: TAKES,
      reasoning: 'reasoning',
      answers: { reasoning: 'reasoning', finishReasons: { eos: 'stop' } },
      params: {
        // `logprobs: true, top_logprobs: 3` is `logprobs: 3` there.
        logprobs: (wanted: unknown, { top_logprobs: count }) =>
          wanted === true ? { logprobs: typeof count === 'number' && count > 1 ? count : 1 } : numberField(wanted),
        top_logprobs: (_count, { logprobs }) => (logprobs === true ? {} : undefined),
      },
      completionsParams: {
        best_of: (tries, { n }) =>
          typeof tries === 'number' && tries <= (typeof n === 'number' ? n : 1) ? {} : undefined,
        suffix: null,
        user: null,
        metadata: null,
      },
      embeddingsParams: { dimensions: null, encoding_format: null, user: null },
    })
    return {
      providers: [
        {
          ...provider,
          endpoints: { ...provider.endpoints, models, rerank, ...media, ...fineTuning, ...files, ...batches },
        },
      ],
    }
  },
})

const numberField = (wanted: unknown): Readonly<Record<string, unknown>> =>
  wanted === false ? {} : { logprobs: wanted }

const models: Adapter<'models'> = {
  method: 'GET',
  path: '/models',
  wire: 'own',
  params: {},
  reply: (body) => {
    // Together always has models: an empty list is a failure in disguise.
    if (!Array.isArray(body) || body.length === 0) {
      throw new UpstreamInvalid('The answer is no list of models.', { provider: 'together-ai' })
    }
    const data: ModelList['data'] = body.filter(isRecord).map(({ id, created, organization, ...rest }) => ({
      ...rest,
      id: typeof id === 'string' ? id : '',
      object: 'model',
      created: typeof created === 'number' ? created : 0,
      owned_by: typeof organization === 'string' ? organization : 'together-ai',
    }))
    return { reply: { object: 'list', data: data.filter(({ id }) => id !== '') } }
  },
}
