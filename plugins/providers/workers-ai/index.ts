/**
 * Cloudflare Workers AI. Sources, read 2026-11-22: "OpenAI compatible API endpoints" of its documentation (address, chat and
 * embeddings); messages of workers-ai-provider 4.0.0 (`reasoning`); public reports of its 400 ("Type mismatch of
 * '/messages/0/content', 'array' not in 'string'", opencodeschool/opencode.school #174) and of its envelope
 * `{success: false, errors: [{code, message}]}`. Models are listed by `GET …/ai/models/search`. Its `/ai/v1/responses` knows the
 * `gpt-oss` models alone.
 */
import { definePlugin, isRecord, openaiCompatible, type Provider, providerConfig, t } from '#kit'
import { type AdaptMessages, type ChatFields, mapChanged, openaiFailure } from '#kit/provider'
import { ACCOUNT_ID, baseURLOf, SETTINGS } from './account.ts'
import { modelsOf } from './models.ts'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'max_tokens',
    'presence_penalty',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
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
  messages: { system: [], user: [], assistant: ['reasoning', 'tool_calls'], tool: ['name', 'tool_call_id'] },
  stringContent: true,
}

/** A turn of calls alone has no content, which is no string. */
const withContent: AdaptMessages = (messages) =>
  mapChanged(messages, (message) => (message?.content === null ? { ...message, content: '' } : message))

const failure: Provider['failure'] = (status, body) => {
  const errors = isRecord(body) && Array.isArray(body.errors) ? body.errors.filter(isRecord) : []
  const said = errors.flatMap(({ message }) => (typeof message === 'string' ? [message] : [])).join('; ')
  return said === '' ? openaiFailure(status, body) : openaiFailure(status, { message: said, code: errors[0]?.code })
}

const { apiKey, models } = providerConfig('').properties

export default definePlugin({
  name: 'workers-ai',
  config: t.Object({
    apiKey,
    models,
    baseURL: t.Optional(
      t.String({
        description:
          'Base URL of all calls, up to `/ai/v1`: for a proxy or a gateway. Calls cannot choose an account then.',
      }),
    ),
    accountId: t.Optional(
      t.String({
        pattern: ACCOUNT_ID.source,
        description: 'Account of calls that name none. `apiKey` is sent to no other.',
      }),
    ),
  }),
  setup: ({ baseURL, accountId, ...common }) => {
    const provider = openaiCompatible({
      id: 'workers-ai',
      ...common,
      baseURL: baseURL ?? baseURLOf,
      endpoints: ['chat', 'embeddings'],
      developerRole: false,
      allowedTools: false,
      maxCompletionTokens: false,
      takes: TAKES,
      reasoning: 'reasoning',
      adaptMessages: withContent,
      answers: { reasoning: 'reasoning', finishReasons: { model_length: 'length', error: 'error' } },
      params: { n: (choices) => (choices === 1 ? {} : undefined) },
      embeddingsParams: { dimensions: null, user: null },
      settings: SETTINGS,
      ...(accountId === undefined ? {} : { defaultSettings: { workers_ai_account_id: accountId } }),
      failure,
    })
    return {
      providers: [
        {
          ...provider,
          ownKeyIsFor: ({ workers_ai_account_id: asked }) => baseURL !== undefined || asked === accountId,
          endpoints: { ...provider.endpoints, models: modelsOf(baseURL) },
        },
      ],
    }
  },
})
