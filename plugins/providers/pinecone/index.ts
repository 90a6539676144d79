/**
 * Pinecone Inference: embeddings, rerank and the list of its models. Source: inference_2026-04.oas.yaml of
 * github.com/pinecone-io/pinecone-api, read 2026-11-22.
 */
import { defined, definePlugin, isRecord, keyInHeader, type Provider, providerConfig, UpstreamInvalid } from '#kit'
import { type Adapter, type ModelList, openaiFailure } from '#kit/provider'
import { embeddings } from './embeddings.ts'
import { rerank } from './rerank.ts'

/** The version that the forms here are of; without the header the newest counts. */
const VERSION = '2026-04'

const setKey = keyInHeader('api-key')

const authorize: Provider['authorize'] = (headers, credentials, request) => {
  if (!headers.has('x-pinecone-api-version')) headers.set('x-pinecone-api-version', VERSION)
  return setKey(headers, credentials, request)
}

const models: Adapter<'models'> = {
  method: 'GET',
  path: '/models',
  wire: 'own',
  params: {},
  reply: (body, { created }) => {
    const listed = isRecord(body) ? body.models : undefined
    if (!Array.isArray(listed)) throw new UpstreamInvalid('The answer is no list of models.', { provider: 'pinecone' })
    const data = listed
      .filter(isRecord)
      .flatMap(({ model, provider_name: owner, ...rest }): ModelList['data'] =>
        typeof model === 'string'
          ? [{ ...rest, id: model, object: 'model', created, owned_by: typeof owner === 'string' ? owner : 'pinecone' }]
          : [],
      )
    return { reply: { object: 'list', data } }
  },
}

export default definePlugin({
  name: 'pinecone',
  config: providerConfig('https://api.pinecone.io'),
  setup: ({ baseURL, apiKey, models: listed }) => ({
    providers: [
      {
        id: 'pinecone',
        baseURL,
        needsKey: true,
        headers: ['x-pinecone-api-version'],
        ...defined({ apiKey, models: listed }),
        endpoints: { embeddings, models, rerank },
        authorize,
        failure: openaiFailure,
      },
    ],
  }),
})
