import { bearer } from './authorize.ts'
import { openaiFailure } from './failure.ts'
import type { ChatRequest, ContentBlock, EmbeddingsRequest, Message, TextCompletionRequest } from './openai.ts'
import type { ParamMap, ParamRule } from './params.ts'
import type { Adapter, EndpointName, Provider } from './provider.ts'

export interface OpenAICompatibleOptions {
  readonly id: string
  /** Up to and including the version segment, no trailing slash: `https://api.acme.example/v1`. */
  readonly baseURL: Provider['baseURL']
  readonly apiKey?: string
  /** Default: `Authorization: Bearer`. */
  readonly authorize?: Provider['authorize']
  /** Default: all four. */
  readonly endpoints?: readonly EndpointName[]
  /** Chat parameters that differ from the reference; the others pass through. */
  readonly params?: ParamMap<ChatRequest>
  /** Parameters of text completions that differ from the reference; the others pass through. */
  readonly completionsParams?: ParamMap<TextCompletionRequest>
  /** Embedding parameters that differ from the reference; the others pass through. */
  readonly embeddingsParams?: ParamMap<EmbeddingsRequest>
  /** False for a host that does not know the role `developer`: it goes as `system`. Default true. */
  readonly developerRole?: boolean
  /** False for a host that only knows `max_tokens`: `max_completion_tokens` goes under that name. Default true. */
  readonly maxCompletionTokens?: boolean
  /** Fields of a message that the host refuses: left out, and named as `messages[].name` when they said something. */
  readonly dropMessageFields?: readonly string[]
  readonly keyHeader?: string
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
  /** True for a host that goes on from a last message of the assistant which says `prefix: true`. Default false. */
  readonly assistantPrefix?: boolean
}

/**
 * A provider that speaks the reference's own wire format: a base URL, a way to authorize, and the few parameters that
 * differ. Bytes pass through unchanged unless a rule changes one of them. `content_blocks` of a message, which is Weir's own
 * (see openai.ts), is never sent: hosts of this format refuse fields they do not know.
 */
export const openaiCompatible = (options: OpenAICompatibleOptions): Provider => {
  const endpoints = options.endpoints ?? ['chat', 'completions', 'embeddings', 'models']
  const chat: Adapter<'chat'> = {
    method: 'POST',
    path: options.paths?.chat ?? '/chat/completions',
    wire: 'openai',
    params: {
      ...(options.maxCompletionTokens === false ? MAX_TOKENS_ONLY : {}),
      messages: messagesRule(options.developerRole ?? true, ['content_blocks', ...(options.dropMessageFields ?? [])]),
      ...options.params,
    },
    streamUsage: options.streamUsage ?? true,
    ...(options.assistantPrefix === true ? { assistantPrefix: withPrefixMessage } : {}),
  }
  const completions: Adapter<'completions'> = {
    method: 'POST',
    path: options.paths?.completions ?? '/completions',
    wire: 'openai',
    params: options.completionsParams ?? {},
    streamUsage: options.streamUsage ?? true,
  }
  const embeddings: Adapter<'embeddings'> = {
    method: 'POST',
    path: options.paths?.embeddings ?? '/embeddings',
    wire: 'openai',
    params: options.embeddingsParams ?? {},
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
      ...(endpoints.includes('completions') ? { completions } : {}),
      ...(endpoints.includes('embeddings') ? { embeddings } : {}),
      ...(endpoints.includes('models') ? { models } : {}),
    },
    authorize: options.authorize ?? bearer(),
    failure: options.failure ?? openaiFailure,
  }
}

/** Some hosts of this kind repeat the prefix in their answer, others do not. */
const withPrefixMessage: NonNullable<Adapter<'chat'>['assistantPrefix']> = (request, text) =>
  request.messages.at(-1)?.role === 'assistant'
    ? undefined
    : {
        request: { ...request, messages: [...request.messages, { role: 'assistant', content: text, prefix: true }] },
        echo: text,
      }

/** When a request has both names of the limit, the newer one counts. */
const MAX_TOKENS_ONLY: ParamMap<ChatRequest> = {
  max_completion_tokens: 'max_tokens',
  max_tokens: (value, request) => (request.max_completion_tokens == null ? { max_tokens: value } : {}),
}

/** Gives the list itself back when no message changes, so that the bytes of the request may pass. */
const messagesRule =
  (developerRole: boolean, dropFields: readonly string[]): ParamRule<ChatRequest, readonly Message[]> =>
  (messages, _request, _context, report) => {
    // Whatever is no list of objects is the host's to refuse, in its own words.
    if (!Array.isArray(messages)) return { messages }
    const adapted = messages.map((message: Message | null) => {
      if (typeof message !== 'object' || message === null) return message
      const asDeveloper = message.role === 'developer' && !developerRole
      const dropped = dropFields.filter((field) => Object.hasOwn(message, field))
      if (!asDeveloper && dropped.length === 0) return message
      const changed: Record<string, unknown> = { ...message }
      if (asDeveloper) changed.role = 'system'
      for (const field of dropped) {
        if (saysSomething(changed[field])) report(`messages[].${field}`)
        delete changed[field]
      }
      if (dropped.includes('content_blocks') && message.content == null && message.tool_calls == null)
        changed.content = textOfBlocks(message.content_blocks)
      return changed
    })
    return { messages: adapted.every((message, index) => message === messages[index]) ? messages : adapted }
  }

/** A client that sends an answer back as it came sends empty fields with it; leaving those out loses nothing. */
const saysSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Text of an assistant message that only came as blocks. */
const textOfBlocks = (blocks: Message['content_blocks']): string =>
  (Array.isArray(blocks) ? blocks : [])
    .flatMap((block: ContentBlock | null) =>
      block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
    )
    .join('')
