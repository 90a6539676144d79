import type { PipeMachine } from '../../core/bodies/pipe.ts'
import type { SseEvent } from '../../core/bodies/sse.ts'
import type { HeaderFields } from '../../core/header-fields.ts'
import type { Usage } from '../../core/usage.ts'
import type { Perform } from './exchange.ts'
import type { MediaTypes } from './media.ts'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatRequest,
  EmbeddingsReply,
  EmbeddingsRequest,
  Model,
  ModelDeleted,
  ModelList,
  TextCompletion,
  TextCompletionRequest,
} from './openai.ts'
import type { ParamMap } from './params.ts'
import type { RankTypes } from './rank.ts'

/** Request, reply and stream chunk of each endpoint, in the reference form that clients see. */
export interface EndpointTypes extends RankTypes, MediaTypes {
  chat: { request: ChatRequest; reply: ChatCompletion; chunk: ChatCompletionChunk }
  completions: { request: TextCompletionRequest; reply: TextCompletion; chunk: TextCompletion }
  embeddings: { request: EmbeddingsRequest; reply: EmbeddingsReply; chunk: never }
  models: { request: Record<string, never>; reply: ModelList; chunk: never }
  model: { request: Record<string, never>; reply: Model; chunk: never }
  'model-delete': { request: Record<string, never>; reply: ModelDeleted; chunk: never }
}

export type EndpointName = keyof EndpointTypes
export type RequestOf<E extends string> = E extends EndpointName ? EndpointTypes[E]['request'] : AnyFields
export type ReplyOf<E extends string> = E extends EndpointName ? EndpointTypes[E]['reply'] : AnyFields
export type ChunkOf<E extends string> = E extends EndpointName ? EndpointTypes[E]['chunk'] : AnyFields

/** JSON of a form that is not the reference's. */
type AnyFields = Readonly<Record<string, unknown>>

/** What an adapter may know of the call besides its body. Everything in it is data, so an adapter stays a pure function. */
export interface AdapterContext {
  /** Id of the provider. */
  readonly provider?: string
  /** Model as the provider shall see it. Empty for an endpoint without one. */
  readonly model: string
  readonly stream: boolean
  /** False when the client asked for the provider's extras (`x-gateway-strict-open-ai-compliance: false`). */
  readonly strict: boolean
  /** True when the client asked for the provider's own finish reasons (`x-gateway-finish-reason: provider`). */
  readonly ownFinishReason?: true | undefined
  /** True when the client asked for the usage chunk of a stream. */
  readonly includeUsage: boolean
  /** What the client asks of this target, in its own form: for paths and answers that depend on more than the model. */
  readonly asked?: Readonly<Record<string, unknown>>
  /** For a reply that has no id of its own. */
  readonly callId: string
  /** Seconds since 1970, for a reply that has no time of its own. */
  readonly created: number
  /** True when the call goes to a host that it named itself, or that is stored with its provider. */
  readonly customHost?: true | undefined
  /** The provider's settings of this call (`settings` of Provider), from headers or the target of a config. */
  readonly settings: Readonly<Record<string, string>>
  /** What stands in the client's path for the names of its route: `{response_id: 'resp_1'}`. Absent: nothing. */
  readonly pathParams?: Readonly<Record<string, string>>
  /** The client's query, with its `?` and without a key in it. Empty or absent: none. */
  readonly search?: string
  /** `headers` of the provider that this call has, by their names: for a provider that wants them in the body. */
  readonly passedHeaders?: Readonly<Record<string, string>>
}

/** One server-sent event for the upstream, one decoded event in, any number of chunks out. No clock, randomness or I/O. */
export interface StreamMachine<Out> {
  /**
   * @throws UpstreamError (or another catalogue error) when the event is the provider's word that it failed.
   */
  push(event: SseEvent): readonly Out[]
  /**
   * The upstream closed. Gives what is still owed.
   * @throws StreamTruncated when the answer was not complete: a cut stream must never look like a finished one.
   */
  end(): readonly Out[]
  /** The usage reported so far; read after every event, so it may be a running total. */
  usage(): Usage | undefined
  /** True once the provider said that the answer is complete: what follows is not waited for. */
  complete(): boolean
}

/** How one endpoint of a provider differs from the reference. */
export interface Adapter<E extends string> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Where the provider is asked in this form, where that is another host than its own. A host that a call names goes first. */
  readonly baseURL?: Provider['baseURL']
  /** Appended to the base URL; begins with `/`, may hold a query. Values in it must be percent-encoded. */
  readonly path: string | ((context: AdapterContext) => string)
  /**
   * `native`: request, reply and stream are in the form of the adapter itself, so bytes pass through when no parameter changes
   * and unlisted parameters are kept. `own`: `reply` (and `stream`) translate, and unlisted parameters are dropped and named.
   */
  readonly wire: 'native' | 'own'
  readonly params: ParamMap<RequestOf<E>>
  /** `drop` for a host of wire `native` that refuses parameters it does not know: those without a rule are dropped and named. */
  readonly unlisted?: 'drop'
  /** Fields that the provider always needs, whatever the client sent. */
  readonly always?: (request: RequestOf<E>, context: AdapterContext) => Record<string, unknown>
  /**
   * How the fields that `params` and `always` make go out. `json`: as one object, in which `base64Of` and `dataUrlOf` stand for
   * contents of files. `form`: as `multipart/form-data`, files among them; a list is several parts of one name. `file`: the one
   * file among them, alone and with its own content type; what else there is to say stands in `path`. Missing: the form as it
   * came where the client sent one and the wire is `native`, with other values where a rule changes one; else `json`.
   */
  readonly sends?: 'json' | 'form' | 'file'
  /**
   * Body of a 2xx answer, and what was asked, to the reference form. Missing for wire `native`, and where bytes are the answer and
   * the provider gives them.
   */
  readonly reply?: (
    body: unknown,
    context: AdapterContext,
    request: RequestOf<E>,
  ) => { readonly reply: ReplyOf<E>; readonly usage?: Usage }
  /** Missing for wire `native`, and for an endpoint that does not stream. */
  readonly stream?: (context: AdapterContext) => StreamMachine<ChunkOf<E>>
  /** What is left to do to an answer of bytes, such as another head in front of sound. Missing: they pass as they come. */
  readonly bytes?: (context: AdapterContext) => BytesAnswer | undefined
  /** For a provider whose streams are no server-sent events: makes them such, before anything else reads them. */
  readonly framing?: Framing
  /** Wire `native`: false for a host without `tool_choice: allowed_tools`, which gets only the tools that it allows. */
  readonly allowedTools?: false
  /** Wire `native`: false for a host whose `tool_choice` names no tool: it gets that tool alone, and `required`. */
  readonly namedTool?: false
  /** Wire `native`: what is left to do to an answer that is nearly the reference's own. Missing: it passes byte by byte. */
  readonly amend?: (context: AdapterContext) => Amendment | undefined
  /** Wire `native`: the provider understands `stream_options.include_usage`, so Weir may ask for usage on its own. */
  readonly streamUsage?: boolean
  /**
   * Makes a request whose answer goes on after `text`, which the model is taken to have said already. Missing where the
   * provider's documentation does not say that it can.
   * @returns undefined when this model cannot, or not with such a request
   */
  readonly assistantPrefix?: (
    request: RequestOf<E>,
    text: string,
    context: AdapterContext,
  ) => PrefixedRequest<E> | undefined
  /** For what one request cannot do; made with `performing`. No other part of the adapter is looked at then, but for the next one. */
  readonly perform?: Perform<E>
  /** With `perform`: what of a request the provider cannot be told. Absent: nothing. */
  readonly loses?: (request: RequestOf<E>) => readonly string[]
}

/** What adapters of all forms have in common. */
export type AnyAdapter = Pick<Adapter<string>, 'method' | 'path' | 'wire'> & { readonly params: object } & {
  readonly [Part in keyof Adapter<string>]?: unknown
}

/** What becomes of an answer of bytes. */
export interface BytesAnswer {
  /** Its content type, where the provider's is not right. */
  readonly type?: string
  readonly machine?: PipeMachine
}

/** Another way to send events. */
export interface Framing {
  /** `content-type` of such an answer, without parameters: `application/vnd.amazon.eventstream`. */
  readonly type: string
  /** Reads the bytes as they came, writes server-sent events. One for each answer. */
  machine(): PipeMachine
}

/** Small changes to answers, most of which pass as they came. */
export interface Amendment {
  /** Names of fields: an event of a stream that gives none of them a value is not read, and passes. */
  readonly fields: readonly string[]
  /**
   * Changes the body of an answer, or the data of an event. Gives the body itself back where nothing changes.
   * @throws UpstreamError when it is the provider's word that the answer failed.
   */
  amend(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

export interface PrefixedRequest<E extends string> {
  readonly request: RequestOf<E>
  /** What the answer may repeat at its beginning: all of the text, its end, or nothing. */
  readonly echo: string
}

/** Key and settings of the chosen target. */
export interface Credentials {
  /** The provider's key. Empty string when the call brought none. */
  readonly apiKey: string
  readonly settings: Readonly<Record<string, string>>
  /** Settings and place are those of a stored provider: they may ask for the identity of this machine, as a caller's may not. */
  readonly isStored?: true | undefined
  /** The call goes to a host of its own. Without `isStored`, nothing of the operator's is for it. */
  readonly hasCustomHost?: true | undefined
}

/** What a provider said when it failed, in our words. */
export interface Failure {
  readonly message: string
  readonly type?: string | null
  readonly param?: string | null
  readonly code?: string | null
  /** What else it said that a client needs, by its own names; clients find it in `error` beside the fields above. */
  readonly extra?: Readonly<Record<string, string>>
  /** Milliseconds the provider asks to wait, where it says so in the body; headers are read by the engine. */
  readonly retryAfterMs?: number
}

/** The request as it goes out, for those who sign it. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  /** Absent: there is none, or it is sent as it comes (`isStreamed`). */
  readonly body?: Uint8Array | string | undefined
  readonly isStreamed: boolean
  /** The service that it is for, where that is another one than the provider's own: `s3`. */
  readonly service?: string | undefined
}

/** What calls leave behind at a provider. */
export type KeptKind = 'files' | 'batches'
/** What is asked for at a place of a provider. */
export interface PlaceAsked {
  /** Base URL of the call, without a trailing slash. */
  readonly base: string
  /** What is asked for there: `/realtime/calls`. */
  readonly path: string
  /** Query of the client without its keys, and with the model as the provider knows it: empty, or begins with `?`. */
  readonly query: string
  /** Undefined where the call names none. */
  readonly model: string | undefined
  readonly settings: Readonly<Record<string, string>>
}

export interface Provider {
  /** Unique, kebab-case; what `x-gateway-provider` names. */
  readonly id: string
  /** Without a trailing slash. A function when it depends on the settings of the call; it throws a catalogue error for a missing one. */
  readonly baseURL: string | ((settings: Readonly<Record<string, string>>) => string)
  /** Key from the operator's config, used when the call brings none and no custom host. */
  readonly apiKey?: string
  /** False for a provider that answers without a key, such as one on the operator's own machine. */
  readonly needsKey: boolean
  /** Request header, besides `Authorization: Bearer`, in which callers of this provider carry their key; lower case. */
  readonly keyHeader?: string
  /** Query parameter in which they may carry it; it goes on in the provider's own way, and not in the query. */
  readonly keyParameter?: string
  /**
   * Settings that stand in for the key where they say something: a token, a login. `authorize` judges what they say. They
   * are kept from a host that is not for the key.
   */
  readonly keySettings?: readonly string[]
  /** Whether the operator's key is for the place that these settings name. Absent: for any. */
  readonly ownKeyIsFor?: (settings: Readonly<Record<string, string>>) => boolean
  /**
   * Settings a call may carry: name in a config target (snake_case) to header suffix, so `resource_name:
   * 'azure-resource-name'` is read from `x-gateway-azure-resource-name`.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** Operator's values for `settings`, used where the call has none. */
  readonly defaultSettings?: Readonly<Record<string, string>>
  /**
   * Those of `settings` that a call may say for a stored provider too, where that says nothing of them: they lead its key nowhere
   * else, such as the bucket of its files.
   */
  readonly openSettings?: readonly string[]
  /**
   * Client headers passed on under their own name, read with or without the gateway prefix: `openai-beta`. A config says them
   * as settings: `openai_beta`.
   */
  readonly headers?: readonly string[]
  /**
   * The one of `settings` that is a base URL of its own: it counts as the custom host of a call, and is checked like one.
   */
  readonly hostSetting?: string
  /** Models listed in Weir's own catalogue (`GET /models` without a provider). */
  readonly models?: readonly string[]
  /**
   * Domains that a call may name a host of, with its own key, on the old proxy route: `.openai.azure.com` stands for every
   * name below it. Absent: calls choose no host.
   */
  readonly hostSuffixes?: readonly string[]
  /** What it keeps in the reference form: calls about it go to it as they came, where no adapter of `endpoints` says otherwise. */
  readonly keeps?: readonly KeptKind[]
  /**
   * Whether it can keep files and batches with these settings, where that takes a place that they name: a bucket, an account.
   * Without one Weir keeps them, and runs the batches. Absent: it always can.
   */
  readonly keepsAt?: (settings: Readonly<Record<string, string>>) => boolean
  /**
   * Paths of lines (`/v1/chat/completions`) whose batches it makes of the lines themselves: their input stays with Weir, and is in
   * `ownFiles` of the call that makes a batch.
   */
  readonly inlineBatches?: readonly string[]
  /** `usage.cost` of its answers is what it charges for them, in US dollars. */
  readonly reportsCost?: true
  /** Where a path of the reference's interface, such as `/threads/thread_1`, is below the base URL; may hold a query. Absent: there. */
  readonly referencePath?: (path: string, settings: Readonly<Record<string, string>>) => string
  /**
   * Where it has what passes through but has a place of its own with each provider, by the name of that: `realtime`, `live`.
   * @returns the whole URL, at the host of `base`
   */
  readonly places?: Readonly<Record<string, (asked: PlaceAsked) => string>>
  /** Where a call of the old routes in the provider's own format goes, below the base URL. Default: as its endpoint's adapter. */
  readonly vendorPaths?: { readonly completions?: string; readonly chat?: string; readonly embeddings?: string }
  /**
   * The model that the path of a call names, for calls that pass through as they are; limits and allow lists go by it,
   * before any that the body names. The path comes percent-decoded.
   */
  readonly modelInPath?: (path: string) => string | undefined
  /** Adapters by the form that the provider is asked in: those of the reference, and any that an endpoint has of its own. */
  readonly endpoints: { readonly [E in EndpointName]?: Adapter<E> } & {
    readonly [form: string]: AnyAdapter | undefined
  }
  /**
   * For a provider that asks some models in other ways: the adapter for one of them, in place of that of `endpoints`. Called for each
   * request, so it makes none.
   * @returns undefined where this model cannot be asked in this form, though others may
   */
  readonly adapterFor?: (form: string, model: string) => AnyAdapter | undefined
  /** Adds the credentials to the upstream headers. The one function of a provider that may await (token exchange, signing). */
  authorize(headers: HeaderFields, credentials: Credentials, request: OutgoingRequest): void | Promise<void>
  /** The provider answered 401 to these credentials: a token that was kept for them may have been revoked. */
  refused?(credentials: Credentials): void
  /** Turns the body of a non-2xx reply, or of an error in a 200, into words. `body` is parsed JSON, or the text when it is none. */
  failure(status: number, body: unknown): Failure
}

/** The way to ask a provider for one of its models in a form. */
export const adapterOf = (
  { adapterFor, endpoints }: Pick<Provider, 'adapterFor' | 'endpoints'>,
  form: string,
  model: string,
): AnyAdapter | undefined => (adapterFor === undefined ? endpoints[form] : adapterFor(form, model))
