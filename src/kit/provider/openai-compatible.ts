import { defined } from '../../core/defined.ts'
import { type AnswerDialect, amendChat } from './amend-chat.ts'
import { type PrefixForm, withPrefixMessage } from './assistant-prefix.ts'
import { bearer } from './authorize.ts'
import { type ChatFields, FOREIGN_CHAT_PARAMS, OPENAI_CHAT_PARAMS } from './chat-fields.ts'
import { type AdaptMessages, type MessageOptions, messagesRule, toolsRule } from './chat-messages.ts'
import { openaiFailure } from './failure.ts'
import { type FineTuningHost, fineTuningAdapters } from './fine-tuning/adapters.ts'
import { nativeBatchOutput } from './kept/native-output.ts'
import { belowModels } from './model-path.ts'
import { nativeAdapters } from './native-adapter.ts'
import type { ChatRequest, EmbeddingsRequest, TextCompletionRequest } from './openai.ts'

import type { ParamMap, ParamRule } from './params.ts'
import type { Adapter, EndpointName, Provider } from './provider.ts'
import { type ResponsesHost, responsesAdapters } from './responses-adapters.ts'
import { type StrictSubset, strictFormatRule } from './strict-schema.ts'
import type { ToolIdForm } from './tool-ids.ts'

export interface OpenAICompatibleOptions {
  readonly id: string
  /** Up to and including the version segment, no trailing slash: `https://api.acme.example/v1`. */
  readonly baseURL: Provider['baseURL']
  readonly apiKey?: string
  /** Default: `Authorization: Bearer`. */
  readonly authorize?: Provider['authorize']
  /** Default: chat, completions, embeddings and models. */
  readonly endpoints?: readonly EndpointName[]
  /** Chat parameters that differ from the reference; the others pass through. */
  readonly params?: ParamMap<ChatRequest>
  /** Parameters of text completions that differ from the reference; the others pass through. */
  readonly completionsParams?: ParamMap<TextCompletionRequest>
  /** Embedding parameters that differ from the reference; the others pass through. */
  readonly embeddingsParams?: ParamMap<EmbeddingsRequest>
  /** True for a host that refuses parameters of embeddings it does not know: those without a rule are dropped and named. */
  readonly embeddingsListed?: boolean
  /** False for a host that does not know the role `developer`: it goes as `system`. Default true. */
  readonly developerRole?: boolean
  /** False for a host without `tool_choice: allowed_tools`: it gets only the tools that are allowed. Default true. */
  readonly allowedTools?: boolean
  /** False for a host whose `tool_choice` names no tool: it gets that tool alone, and `required`. Default true. */
  readonly namedTool?: boolean
  /** False for a host that only knows `max_tokens`: `max_completion_tokens` goes under that name. Default true. */
  readonly maxCompletionTokens?: boolean
  /** What the host takes in a chat; the rest is left out and named. Default: everything. */
  readonly takes?: ChatFields
  /**
   * True for the provider that stands for any server of this format: `takes` holds for its own host only, and `answers` for
   * the hosts that calls name.
   */
  readonly openElsewhere?: boolean
  /** Field of a message that holds the model's reasoning at this host; the others' names for it become this one. */
  readonly reasoning?: string
  /** Ids of tool calls that the host takes; others become such, in call and result alike. Default: all. */
  readonly toolIds?: ToolIdForm
  /** What of JSON Schema the host takes in strict functions and formats. Default: all of it. */
  readonly strictSchemas?: StrictSubset
  /** How the host's answers differ from OpenAI's form. Default: they do not, and pass byte by byte. */
  readonly answers?: AnswerDialect
  /** What else the host needs of the messages; it gives the same list back where nothing changes. */
  readonly adaptMessages?: AdaptMessages
  /** For a host with WebSocket sessions in OpenAI's form: where they are. `true`: where OpenAI has them, right below the base URL. */
  readonly realtime?: true | NonNullable<Provider['places']>[string]
  /** For a host that has Responses of its own. Absent: it is asked for them by way of chat. */
  readonly responses?: ResponsesHost
  /** For a host that has OpenAI's fine-tuning. */
  readonly fineTuning?: FineTuningHost
  readonly keyHeader?: string
  /** What it keeps in the reference form (see Provider). */
  readonly keeps?: Provider['keeps']
  readonly needsKey?: boolean
  readonly headers?: readonly string[]
  readonly settings?: Provider['settings']
  readonly defaultSettings?: Provider['defaultSettings']
  readonly models?: readonly string[]
  /** Paths that differ from `/chat/completions`, `/completions`, `/embeddings`, `/models`. */
  readonly paths?: { readonly [E in EndpointName]?: Adapter<E>['path'] }
  /** False for a host that refuses `stream_options`. Default true. */
  readonly streamUsage?: boolean
  readonly failure?: Provider['failure']
  /**
   * For a host that goes on from a last message of the assistant: how it is asked to. True: the message says `prefix: true`.
   * Default: it does not.
   */
  readonly assistantPrefix?: boolean | PrefixForm
  /** The one of `settings` that is a base URL of its own (see Provider). */
  readonly hostSetting?: string
}

/**
 * A provider that speaks the reference's own wire format: a base URL, a way to authorize, and the few parameters that
 * differ. Bytes pass through unchanged unless a rule changes one of them. `content_blocks` of a message, which is Weir's own
 * (see openai.ts), is never sent: hosts of this format refuse fields they do not know.
 */
export const openaiCompatible = (options: OpenAICompatibleOptions): Provider => {
  const endpoints = options.endpoints ?? ['chat', 'completions', 'embeddings', 'models']
  const { takes, openElsewhere, reasoning, toolIds, adaptMessages, strictSchemas: strict } = options
  const messages: MessageOptions = {
    takes,
    openElsewhere,
    reasoning,
    toolIds,
    adapt: adaptMessages,
    developerRole: options.developerRole ?? true,
  }
  const amendment = options.answers === undefined ? undefined : amendChat(options.answers, options.id)
  const amend: Adapter<'chat'>['amend'] = (context) =>
    openElsewhere === true && context.customHost !== true ? undefined : amendment?.(context)
  const { assistantPrefix: prefix = false } = options
  const chat: Adapter<'chat'> = {
    method: 'POST',
    path: options.paths?.chat ?? '/chat/completions',
    wire: 'native',
    params: {
      ...(takes === undefined ? {} : listedParams(takes, openElsewhere === true)),
      ...(options.maxCompletionTokens === false ? MAX_TOKENS_ONLY : {}),
      messages: messagesRule(messages),
      ...(takes === undefined && strict === undefined ? {} : { tools: toolsRule(messages, strict) }),
      ...(strict === undefined ? {} : { response_format: strictFormatRule(strict, openElsewhere === true) }),
      ...options.params,
    },
    ...(takes?.unknown === 'refused' ? { unlisted: 'drop' as const } : {}),
    streamUsage: options.streamUsage ?? true,
    ...(options.allowedTools === false ? { allowedTools: false as const } : {}),
    ...(amendment === undefined ? {} : { amend }),
    ...(options.namedTool === false ? { namedTool: false as const } : {}),
    ...(prefix === false ? {} : { assistantPrefix: withPrefixMessage(prefix) }),
  }
  const completions: Adapter<'completions'> = {
    method: 'POST',
    path: options.paths?.completions ?? '/completions',
    wire: 'native',
    params: options.completionsParams ?? {},
    streamUsage: options.streamUsage ?? true,
  }
  const embeddings: Adapter<'embeddings'> = {
    method: 'POST',
    path: options.paths?.embeddings ?? '/embeddings',
    wire: 'native',
    params: options.embeddingsParams ?? {},
    ...(options.embeddingsListed === true ? { unlisted: 'drop' as const } : {}),
  }
  const models: Adapter<'models'> = {
    method: 'GET',
    path: options.paths?.models ?? '/models',
    wire: 'native',
    params: {},
  }
  return defined({
    id: options.id,
    baseURL: options.baseURL,
    needsKey: options.needsKey ?? true,
    apiKey: options.apiKey,
    keyHeader: options.keyHeader,
    keeps: options.keeps,
    headers: options.headers,
    settings: options.settings,
    defaultSettings: options.defaultSettings,
    hostSetting: options.hostSetting,
    models: options.models,
    places: options.realtime === undefined ? undefined : { realtime: realtimeOf(options.realtime) },
    endpoints: {
      ...(endpoints.includes('chat') ? { chat } : {}),
      ...(endpoints.includes('completions') ? { completions } : {}),
      ...(endpoints.includes('embeddings') ? { embeddings } : {}),
      ...(endpoints.includes('models') ? { models, ...oneModel(models.path) } : {}),
      ...nativeAdapters(endpoints, options.paths),
      ...(options.responses === undefined ? {} : responsesAdapters(options.responses)),
      ...(options.fineTuning === undefined ? {} : fineTuningAdapters(options.fineTuning)),
      ...(options.keeps?.includes('batches') === true ? nativeBatchOutput() : {}),
    },
    authorize: options.authorize ?? bearer(),
    failure: options.failure ?? openaiFailure,
  })
}

const realtimeOf = (
  place: NonNullable<OpenAICompatibleOptions['realtime']>,
): NonNullable<Provider['places']>[string] =>
  place === true ? ({ base, path, query }) => `${base}${path}${query}` : place

/** Who lists models shows each of them, and deletes those of the caller (API reference, "Models"). */
const oneModel = (list: Adapter<'models'>['path']): Pick<Provider['endpoints'], 'model' | 'model-delete'> => {
  const path = belowModels(list)
  return {
    model: { method: 'GET', path, wire: 'native', params: {} },
    'model-delete': { method: 'DELETE', path, wire: 'native', params: {} },
  }
}

/** When a request has both names of the limit, the newer one counts. */
const MAX_TOKENS_ONLY: ParamMap<ChatRequest> = {
  max_completion_tokens: 'max_tokens',
  max_tokens: (value, request) => (request.max_completion_tokens == null ? { max_tokens: value } : {}),
}

/** Rules for the parameters that no other rule is about. */
const listedParams = ({ unknown, params }: ChatFields, openElsewhere: boolean): ParamMap<ChatRequest> => {
  const listed = new Set(params)
  const foreign = [...OPENAI_CHAT_PARAMS, ...FOREIGN_CHAT_PARAMS].filter((name) => !listed.has(name))
  return Object.fromEntries([
    ...(unknown === 'refused' ? ['model', ...params].map((name) => [name, true]) : []),
    ...foreign.map((name) => [name, openElsewhere ? keptElsewhere(name) : null]),
  ])
}

const keptElsewhere =
  (name: string): ParamRule<ChatRequest, unknown> =>
  (value, _request, { customHost }) =>
    customHost === true ? { [name]: value } : undefined
