/**
 * Vertex AI: Gemini and its embeddings, Claude, and open models behind an endpoint of OpenAI's form ("Call MaaS APIs for open
 * models" of docs.cloud.google.com, read 2026-11-22). Who made a model decides how it is asked.
 */
import { defined, definePlugin, isRecord, openaiCompatible, type Provider, providerConfig, t } from '#kit'
import {
  type AdapterContext,
  type AnyAdapter,
  FILE_SETTINGS,
  OPENAI_MESSAGE_FIELDS,
  openaiFailure,
} from '#kit/provider'
import { googleFailure } from '../google/failure.ts'
import { isImagen } from '../google/imagen.ts'
import { keptAt } from './batches.ts'
import { claudeAdapters } from './claude.ts'
import { fineTuning } from './fine-tuning.ts'
import { embeddingsAdapter, geminiAdapters, imagesAdapter, modelsAdapter } from './gemini.ts'
import { createGoogleLogin, LOGIN_CONFIG, LOGIN_NAMES } from './login.ts'
import { nameOf, readModel, segmentOf } from './model.ts'
import { OPEN_PARAMS } from './open-params.ts'
import { baseURLOf, PROJECT, projectPath, REGION, SETTINGS } from './place.ts'
import { BUCKET, hasBucket } from './storage.ts'

const { apiKey, models } = providerConfig('').properties

/** Errors of Claude come in Anthropic's envelope, those of the place itself in Google's. */
const isOfClaude = (body: unknown): boolean => isRecord(body) && body.type === 'error'

const ofGoogle = (form: string, name: string): AnyAdapter | undefined => {
  if (form === 'embeddings') return embeddingsAdapter(name)
  if (form === 'images') return isImagen(name) ? imagesAdapter : undefined
  return isImagen(name) ? undefined : geminiAdapters[form]
}

/** Open models: all behind one endpoint, or behind one that the project deployed. */
const openPath = ({ settings, model }: AdapterContext): string => {
  const { maker, name } = readModel(model)
  const endpoint = maker === 'endpoint' ? segmentOf(name) : 'openapi'
  return `${projectPath('v1', settings)}/endpoints/${endpoint}/chat/completions`
}

export default definePlugin({
  name: 'vertex-ai',
  config: t.Object({
    apiKey: {
      ...apiKey,
      description:
        'Access token used for calls that bring none of their own; it ends after an hour, so `login` is better.',
    },
    models,
    baseURL: t.Optional(
      t.String({
        description: 'Base URL of all calls, up to but without the version: for a proxy. Default: that of the region.',
      }),
    ),
    projectId: t.Optional(
      t.String({
        pattern: PROJECT.source,
        description: 'Project of calls that name none. `apiKey` and `login` are for no other.',
      }),
    ),
    region: t.Optional(
      t.String({
        pattern: REGION.source,
        description: 'Region of calls that name none, such as `us-central1` or `global`.',
      }),
    ),
    storageBucket: t.Optional(
      t.String({
        pattern: BUCKET.source,
        description:
          'Bucket of Cloud Storage for the files of calls that name none. `apiKey` and `login` are for no other.',
      }),
    ),
    storageURL: t.Optional(
      t.String({
        pattern: '^https?://[^/?#\\s]+$',
        description: 'Where Cloud Storage is, for a proxy. Default: `https://storage.googleapis.com`.',
      }),
    ),
    maxTokens: t.Optional(
      t.Integer({
        minimum: 1,
        description: 'Output tokens asked of Claude when a call sets no limit. Default: by model family.',
      }),
    ),
    ...LOGIN_CONFIG,
  }),
  needs: ['clock', 'log', 'logins'],
  setup: ({ baseURL, projectId, region, storageBucket, storageURL, maxTokens, login, tokenURL, ...common }, host) => {
    const isOwnPlace = ({ vertex_project_id: asked }: Readonly<Record<string, string>>): boolean => asked === projectId
    const logins = createGoogleLogin({
      provider: 'vertex-ai',
      host,
      isOwnPlace,
      isOwnBucket: ({ vertex_storage_bucket_name: asked }) => asked === storageBucket,
      ...defined({ login, tokenURL, apiKey: common.apiKey }),
    })
    const compatible = openaiCompatible({
      id: 'vertex-ai',
      ...common,
      baseURL: baseURL ?? baseURLOf,
      needsKey: login === undefined,
      endpoints: ['chat'],
      paths: { chat: openPath },
      developerRole: false,
      maxCompletionTokens: false,
      takes: { unknown: 'ignored', params: OPEN_PARAMS, messages: OPENAI_MESSAGE_FIELDS },
      answers: { reasoning: 'reasoning_content' },
      params: { model: (model) => ({ model: nameOf(model) }) },
      settings: SETTINGS,
      defaultSettings: defined({
        vertex_project_id: projectId,
        vertex_region: region,
        vertex_storage_bucket_name: storageBucket,
      }),
      authorize: logins.authorize,
      failure: (status, body) => (isOfClaude(body) ? openaiFailure(status, body) : googleFailure(status, body)),
    })
    const open = compatible.endpoints.chat as unknown as AnyAdapter
    const claude = claudeAdapters(maxTokens)
    /** What is kept there, whoever made the model. Each adapter has the types of its own form; a table of all of them has none. */
    const kept = { ...fineTuning, ...keptAt(storageURL) } as unknown as Readonly<Record<string, AnyAdapter>>
    const endpoints: Readonly<Record<string, AnyAdapter>> = {
      ...claude,
      ...geminiAdapters,
      embeddings: embeddingsAdapter('text-embedding-005'),
      images: imagesAdapter,
      models: modelsAdapter as unknown as AnyAdapter,
      ...kept,
    }
    const adapterFor: NonNullable<Provider['adapterFor']> = (form, model) => {
      if (form === 'models') return endpoints.models
      if (Object.hasOwn(kept, form)) return kept[form]
      const { maker, name } = readModel(model)
      if (maker === 'anthropic') return claude[form]
      if (maker === 'google') return ofGoogle(form, name)
      return form === 'chat' ? open : undefined
    }
    return {
      providers: [
        {
          ...compatible,
          // What some model has; `adapterFor` says which.
          endpoints: endpoints as unknown as Provider['endpoints'],
          adapterFor,
          refused: logins.refused,
          keepsAt: hasBucket,
          openSettings: ['vertex_storage_bucket_name', ...Object.keys(FILE_SETTINGS)],
          headers: ['anthropic-beta'],
          keySettings: LOGIN_NAMES,
          ownKeyIsFor: isOwnPlace,
          modelInPath: (path) => /\/(?:publishers\/[^/]+\/models|endpoints)\/([^/:]+)/.exec(path)?.[1],
        },
      ],
    }
  },
})
