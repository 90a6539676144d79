/**
 * Together AI. Sources: Together docs, "Create chat completion", "Create completion", "Parameters" and "OpenAI compatibility"; types of
 * together-py (`logprobs` is a number there); read 2026-11-21. That `/models` is a bare list is known, from no page.
 */
import { type Adapter, definePlugin, type ModelList, openaiCompatible, providerConfig, UpstreamInvalid } from '#kit'

export default definePlugin({
  name: 'together-ai',
  config: providerConfig('https://api.together.ai/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'together-ai',
      ...config,
      developerRole: false,
      maxCompletionTokens: false,
      params: {
        // `logprobs: true, top_logprobs: 3` is `logprobs: 3` there.
        logprobs: (wanted: unknown, { top_logprobs: count }) =>
          wanted === true ? { logprobs: typeof count === 'number' && count > 1 ? count : 1 } : numberField(wanted),
        top_logprobs: (_count, { logprobs }) => (logprobs === true ? {} : undefined),
        parallel_tool_calls: null,
        user: null,
        metadata: null,
        store: null,
        service_tier: null,
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
    return { providers: [{ ...provider, endpoints: { ...provider.endpoints, models } }] }
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

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
