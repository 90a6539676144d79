/**
 * Cohere, in version 2 of its API: chat with tools, documents and citations, embeddings, rerank, models. Sources: cohere-openapi.yaml
 * and the examples below snippets/ of github.com/cohere-ai/cohere-developer-experience, types of cohere-ai 8.1.0 (npm), read
 * 2026-11-22.
 */
import { bearer, defined, definePlugin, providerConfig } from '#kit'
import { openaiFailure } from '#kit/provider'
import { embeddings } from './embeddings.ts'
import { models } from './models.ts'
import { chatParams } from './params.ts'
import { readReply } from './reply.ts'
import { rerank } from './rerank.ts'
import { createStream } from './stream.ts'

export default definePlugin({
  name: 'cohere',
  config: providerConfig('https://api.cohere.com'),
  setup: ({ baseURL, apiKey, models: listed }) => ({
    providers: [
      {
        id: 'cohere',
        baseURL,
        needsKey: true,
        ...defined({ apiKey, models: listed }),
        endpoints: {
          chat: {
            method: 'POST',
            path: '/v2/chat',
            wire: 'own',
            params: chatParams,
            reply: readReply,
            stream: createStream,
          },
          embeddings,
          models,
          rerank,
        },
        authorize: bearer(),
        failure: openaiFailure,
      },
    ],
  }),
})
