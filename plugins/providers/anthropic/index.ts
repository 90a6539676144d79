/**
 * Anthropic, Messages API. Source: Claude Platform docs, read 2026-11-21: "Messages" and "Models" (API reference), "Streaming
 * messages", "Stop reasons and fallback", "Errors", "Effort", "Thinking", "Structured outputs", "Models overview", and the
 * migration guides of Opus 4.7 to Haiku 5.5; wire types as in the official TypeScript SDK (`resources/messages`).
 */
import { defined, definePlugin, isRecord, keyInHeader, type Provider, providerConfig, t } from '#kit'
import { belowModels, messagesParams, nativeAdapter, openaiFailure } from '#kit/provider'
import { batches, INLINE_BATCHES } from './batches.ts'
import { claudeChat } from './chat.ts'
import { files } from './files.ts'
import { readModel, readModels } from './response.ts'

const DEFAULT_VERSION = '2023-06-01'

const setKey = keyInHeader('x-api-key')

const authorize: Provider['authorize'] = (headers, credentials, request) => {
  const { anthropic_version: version, anthropic_beta: beta } = credentials.settings
  if (!headers.has('anthropic-version')) headers.set('anthropic-version', version ?? DEFAULT_VERSION)
  if (beta !== undefined && !headers.has('anthropic-beta')) headers.set('anthropic-beta', beta)
  return setKey(headers, credentials, request)
}

/** The code of an error stands in its details (types of @anthropic-ai/sdk 1.12.0, resources/shared, read 2026-11-22). */
const failure: Provider['failure'] = (status, body) => {
  const words = openaiFailure(status, body)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const code = isRecord(error.details) ? error.details.error_code : undefined
  return typeof code === 'string' ? { ...words, code } : words
}

export default definePlugin({
  name: 'anthropic',
  config: providerConfig('https://api.anthropic.com/v1', {
    maxTokens: t.Optional(
      t.Integer({
        minimum: 1,
        description:
          'Output tokens asked for when a call sets no limit, which the provider requires. Default: by model family, 64000 for Claude 4.5 and newer, 32000 for 3.7 to 4.1, 8192 for 3.5 and for models of other makers, 4096 before.',
      }),
    ),
  }),
  setup: ({ baseURL, apiKey, models, maxTokens }) => ({
    providers: [
      {
        id: 'anthropic',
        baseURL,
        needsKey: true,
        inlineBatches: INLINE_BATCHES,
        keyHeader: 'x-api-key',
        headers: ['anthropic-version', 'anthropic-beta'],
        settings: { anthropic_version: 'anthropic-version', anthropic_beta: 'anthropic-beta' },
        // The text completions of 2023 (API reference, "Create a Text Completion").
        vendorPaths: { completions: '/complete' },
        ...defined({ apiKey, models }),
        endpoints: {
          chat: claudeChat('/messages', maxTokens),
          messages: {
            method: 'POST',
            path: ({ search = '' }) => `/messages${search}`,
            wire: 'native',
            params: messagesParams,
          },
          'messages-count-tokens': {
            method: 'POST',
            path: ({ search = '' }) => `/messages/count_tokens${search}`,
            wire: 'native',
            params: messagesParams,
          },
          // 1000 is the largest page ("List models"), far above the number of models there are.
          models: { method: 'GET', path: '/models?limit=1000', wire: 'own', params: {}, reply: readModels },
          model: { method: 'GET', path: belowModels('/models'), wire: 'own', params: {}, reply: readModel },
          ...files,
          ...batches,
          // With the client's own pages.
          'anthropic-models': nativeAdapter(({ search = '' }) => `/models${search}`, 'GET'),
          'anthropic-model': nativeAdapter(belowModels('/models'), 'GET'),
        },
        authorize,
        failure,
      },
    ],
  }),
})
