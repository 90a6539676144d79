import { bearer } from './authorize.ts'
import { openaiFailure } from './failure.ts'
import type { ChatRequest } from './openai.ts'
import type { ParamMap } from './params.ts'
import type { Adapter, EndpointName, Provider } from './provider.ts'

export interface OpenAICompatibleOptions {
  readonly id: string
  /** Up to and including the version segment, no trailing slash: `https://api.acme.example/v1`. */
  readonly baseURL: Provider['baseURL']
  readonly apiKey?: string
  /** Default: `Authorization: Bearer`. */
  readonly authorize?: Provider['authorize']
  /** Default: all three. */
  readonly endpoints?: readonly EndpointName[]
  /** Chat parameters that differ from the reference; the others pass through. */
  readonly params?: ParamMap<ChatRequest>
  readonly keyHeader?: string
  readonly needsKey?: boolean
  readonly headers?: readonly string[]
  readonly settings?: Provider['settings']
  readonly defaultSettings?: Provider['defaultSettings']
  readonly models?: readonly string[]
  /** Paths that differ from `/chat/completions`, `/embeddings`, `/models`. */
  readonly paths?: { readonly [E in EndpointName]?: Adapter<E>['path'] }
  /** False for a host that refuses `stream_options`. Default true. */
  readonly streamUsage?: boolean
  readonly failure?: Provider['failure']
}

/**
 * A provider that speaks the reference's own wire format: a base URL, a way to authorize, and the few parameters that
 * differ. Bytes pass through unchanged unless `params` changes one of them.
 */
export const openaiCompatible = (options: OpenAICompatibleOptions): Provider => {
  const endpoints = options.endpoints ?? ['chat', 'embeddings', 'models']
  const chat: Adapter<'chat'> = {
    method: 'POST',
    path: options.paths?.chat ?? '/chat/completions',
    wire: 'openai',
    params: options.params ?? {},
    streamUsage: options.streamUsage ?? true,
  }
  const embeddings: Adapter<'embeddings'> = {
    method: 'POST',
    path: options.paths?.embeddings ?? '/embeddings',
    wire: 'openai',
    params: {},
  }
  const models: Adapter<'models'> = {
    method: 'GET',
    path: options.paths?.models ?? '/models',
    wire: 'openai',
    params: {},
  }
  return {
    id: options.id,
    baseURL: options.baseURL,
    needsKey: options.needsKey ?? true,
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    ...(options.keyHeader === undefined ? {} : { keyHeader: options.keyHeader }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.defaultSettings === undefined ? {} : { defaultSettings: options.defaultSettings }),
    ...(options.models === undefined ? {} : { models: options.models }),
    endpoints: {
      ...(endpoints.includes('chat') ? { chat } : {}),
      ...(endpoints.includes('embeddings') ? { embeddings } : {}),
      ...(endpoints.includes('models') ? { models } : {}),
    },
    authorize: options.authorize ?? bearer(),
    failure: options.failure ?? openaiFailure,
  }
}
