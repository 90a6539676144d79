/**
 * The wire types of the reference provider, as far as Weir reads them. Unknown fields are kept, so each has an index
 * signature. Source: OpenAI API reference, "Chat" and "Models", read 2026-11.
 */

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly [extra: string]: unknown
}

export interface ImagePart {
  readonly type: 'image_url'
  /** `url` is an http(s) URL or a `data:` URL; the short form is the bare URL. */
  readonly image_url: string | { readonly url: string; readonly detail?: string }
  readonly [extra: string]: unknown
}

export interface OtherPart {
  readonly type: string
  readonly [extra: string]: unknown
}

export type ContentPart = TextPart | ImagePart | OtherPart

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly [extra: string]: unknown
}

/**
 * Content of an assistant message in Anthropic's block form, thinking and its signature included. Answers carry it when
 * strict compliance is off; a client that sends it back keeps the reasoning of the turn alive.
 */
export interface ContentBlock {
  readonly type: string
  readonly [extra: string]: unknown
}

export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function'
  readonly content?: string | readonly ContentPart[] | null
  readonly name?: string
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
  readonly refusal?: string | null
  readonly content_blocks?: readonly ContentBlock[]
  readonly [extra: string]: unknown
}

export interface FunctionTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters?: Record<string, unknown>
    readonly strict?: boolean | null
  }
}

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | {
      readonly type: 'allowed_tools'
      readonly allowed_tools: { readonly mode: 'auto' | 'required'; readonly tools: readonly Record<string, unknown>[] }
    }

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly description?: string
        readonly schema?: Record<string, unknown>
        readonly strict?: boolean | null
      }
    }

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly stream?: boolean | null
  readonly stream_options?: { readonly include_usage?: boolean } | null
  readonly tools?: readonly FunctionTool[] | null
  readonly tool_choice?: ToolChoice | null
  readonly parallel_tool_calls?: boolean | null
  readonly response_format?: ResponseFormat | null
  readonly max_tokens?: number | null
  readonly max_completion_tokens?: number | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly n?: number | null
  readonly stop?: string | readonly string[] | null
  readonly presence_penalty?: number | null
  readonly frequency_penalty?: number | null
  readonly seed?: number | null
  readonly user?: string | null
  readonly reasoning_effort?: string | null
  readonly [extra: string]: unknown
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

export interface OpenAIUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens?: number; readonly [extra: string]: unknown }
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number; readonly [extra: string]: unknown }
  readonly [extra: string]: unknown
}

export interface ReplyMessage {
  readonly role: 'assistant'
  readonly content: string | null
  /** What the model thought, as far as the provider shows it. Not of the reference: the name that DeepSeek gave it. */
  readonly reasoning_content?: string
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCall[]
  readonly content_blocks?: readonly ContentBlock[]
  readonly [extra: string]: unknown
}

export interface Choice {
  readonly index: number
  readonly message: ReplyMessage
  readonly logprobs: unknown
  /** One of FinishReason; the provider's own word where the client asked for that (`x-gateway-finish-reason`). */
  readonly finish_reason: FinishReason | (string & {}) | null
}

export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly choices: readonly Choice[]
  readonly usage?: OpenAIUsage
  readonly [extra: string]: unknown
}

export interface ToolCallDelta {
  /** Position of the call in the message: pieces of one call share it. */
  readonly index: number
  readonly id?: string
  readonly type?: 'function'
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly [extra: string]: unknown
}

export interface Delta {
  readonly role?: 'assistant'
  readonly content?: string | null
  readonly reasoning_content?: string
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCallDelta[]
  /** A piece of a content block, with strict compliance off: `{index, delta}` or `{index, ...block}`. */
  readonly content_blocks?: readonly Record<string, unknown>[]
  readonly [extra: string]: unknown
}

export interface ChunkChoice {
  readonly index: number
  readonly delta: Delta
  readonly logprobs?: unknown
  readonly finish_reason: FinishReason | (string & {}) | null
}

export interface ChatCompletionChunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  readonly created: number
  readonly model: string
  /** Empty in the last chunk, which only carries usage. */
  readonly choices: readonly ChunkChoice[]
  readonly usage?: OpenAIUsage | null
  readonly [extra: string]: unknown
}

/** A text to go on from. `object` of the answer is `text_completion`, in a stream too. */
export interface TextCompletionRequest {
  readonly model: string
  /** One prompt or several, as text or as tokens. */
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[]
  readonly stream?: boolean | null
  readonly stream_options?: { readonly include_usage?: boolean } | null
  readonly suffix?: string | null
  readonly max_tokens?: number | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly n?: number | null
  readonly best_of?: number | null
  readonly echo?: boolean | null
  readonly logprobs?: number | null
  readonly stop?: string | readonly string[] | null
  readonly presence_penalty?: number | null
  readonly frequency_penalty?: number | null
  readonly logit_bias?: Readonly<Record<string, number>> | null
  readonly seed?: number | null
  readonly user?: string | null
  readonly [extra: string]: unknown
}

export interface TextChoice {
  readonly text: string
  readonly index: number
  readonly logprobs: unknown
  /** Null in a stream until the choice ends. */
  readonly finish_reason: 'stop' | 'length' | 'content_filter' | (string & {}) | null
}

/** A whole answer, or one piece of a stream: they have the same form. */
export interface TextCompletion {
  readonly id: string
  readonly object: 'text_completion'
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly choices: readonly TextChoice[]
  readonly usage?: OpenAIUsage | null
  readonly [extra: string]: unknown
}

export interface EmbeddingsRequest {
  readonly model: string
  /**
   * Text, tokens, or a list of either. Beyond OpenAI: parts as in a chat, and `{content: [part, …]}` for parts that become one
   * vector, for providers that take images.
   */
  readonly input:
    | string
    | readonly number[]
    | readonly (string | readonly number[] | OtherPart | { readonly content: readonly OtherPart[] })[]
  readonly encoding_format?: 'float' | 'base64' | null
  readonly dimensions?: number | null
  readonly user?: string | null
  readonly [extra: string]: unknown
}

export interface EmbeddingsReply {
  readonly object: 'list'
  readonly data: readonly {
    readonly object: 'embedding'
    readonly index: number
    readonly embedding: readonly number[] | string
  }[]
  readonly model: string
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number }
  readonly [extra: string]: unknown
}

export interface Model {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly [extra: string]: unknown
}

export interface ModelDeleted {
  readonly id: string
  readonly object: string
  readonly deleted: boolean
  readonly [extra: string]: unknown
}

export interface ModelList {
  readonly object: 'list'
  readonly data: readonly Model[]
  readonly [extra: string]: unknown
}
