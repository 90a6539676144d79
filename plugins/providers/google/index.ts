import { defined, definePlugin, keyInHeader, type Provider, providerConfig } from '#kit'
import { type Adapter, type AnyAdapter, FILE_SETTINGS, type PlaceAsked } from '#kit/provider'
import { batches, files } from './batches.ts'
import { countTokens } from './count-tokens.ts'
import { embeddings } from './embeddings.ts'
import { googleFailure } from './failure.ts'
import { imagen, isImagen } from './imagen.ts'
import { modelInPath, modelPath } from './model.ts'
import { toModel, toModelList } from './models.ts'
import { ownForms } from './native.ts'
import { imageEdits, images } from './pictures.ts'
import { toReply } from './reply.ts'
import { chatParams } from './request.ts'
import { speech } from './speech.ts'
import { createStream } from './stream.ts'

/**
 * The Gemini API of Google AI Studio, at its `generateContent` methods. Sources, read 2026-11-21: the published
 * v1beta definitions (generative_service.proto, content.proto), the reference of the Google Gen AI SDK, and the pages
 * "Gemini thinking", "Thought signatures", "File input methods" and "OpenAI compatibility" of ai.google.dev.
 */
const endpoints: Provider['endpoints'] = {
  chat: {
    method: 'POST',
    path: ({ model, stream }) => `${modelPath(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    wire: 'own',
    params: chatParams,
    reply: toReply,
    stream: createStream,
  },
  embeddings,
  images,
  'image-edits': imageEdits,
  speech,
  'chat-count-tokens': countTokens,
  models: {
    method: 'GET',
    // The default page has 50 models, and 1000 is the most there may be on one.
    path: '/models?pageSize=1000',
    wire: 'own',
    params: {},
    reply: toModelList,
  },
  model: { method: 'GET', path: ({ model }) => modelPath(model), wire: 'own', params: {}, reply: toModel },
  ...ownForms,
  ...files,
  ...batches,
}

const byImagen: Adapter<'images'> = { ...imagen, path: ({ model }) => `${modelPath(model)}:predict` }

/**
 * The Live API, right below the host of the API ("Live API - WebSockets API reference", read 2026-11-24). The model stands in the first
 * message, so a name in the query is only for Weir.
 */
const live = ({ base, path, query }: PlaceAsked): string => {
  const asked = new URLSearchParams(query)
  asked.delete('model')
  return `${base.replace(/\/v\d\w*$/, '')}${path}${asked.size === 0 ? '' : `?${asked}`}`
}

/** Imagen has a method of its own; all other models are asked in one way. */
const adapterFor = (form: string, model: string): AnyAdapter | undefined =>
  form === 'images' && isImagen(model) ? (byImagen as unknown as AnyAdapter) : endpoints[form]

export default definePlugin({
  name: 'google',
  config: providerConfig('https://generativelanguage.googleapis.com/v1beta'),
  setup: ({ baseURL, apiKey, models }) => ({
    providers: [
      defined({
        id: 'google',
        baseURL,
        apiKey,
        models,
        needsKey: true,
        // To Gemini never in the query, where logs and proxies would keep it.
        keyHeader: 'x-goog-api-key',
        keyParameter: 'key',
        places: { live },
        settings: FILE_SETTINGS,
        openSettings: Object.keys(FILE_SETTINGS),
        modelInPath,
        endpoints,
        adapterFor,
        authorize: keyInHeader('x-goog-api-key'),
        failure: googleFailure,
      }),
    ],
  }),
})
