import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { isImpossible, someTokens, tokenCount, type Usage, unitsOf } from '../../core/usage.ts'

/**
 * The wire types of Anthropic's Messages API, as far as Weir reads them; unknown fields are kept. Source: types of
 * @anthropic-ai/sdk 1.12.0 (resources/messages), generated from the API reference of version 2026-10-21, read 2026-11-22. What
 * that version takes away (`temperature` and its like, "Versions") clients of 2023-06-01 still send.
 */

/** Content of a turn: `text`, `image`, `document`, `thinking`, `tool_use`, `tool_result` and many more. */
export interface MessagesBlock {
  readonly type: string
  readonly [field: string]: unknown
}

export interface MessagesTurn {
  /** `user`, `assistant`, or `system` for an instruction in between. */
  readonly role: string
  readonly content: string | readonly MessagesBlock[]
  readonly [field: string]: unknown
}

export interface MessagesRequest {
  readonly model: string
  readonly messages: readonly MessagesTurn[]
  readonly system?: string | readonly MessagesBlock[] | null
  readonly tools?: readonly Readonly<Record<string, unknown>>[] | null
  readonly stream?: boolean | null
  /** Required, but for a count of tokens. */
  readonly max_tokens?: number | null
  readonly [field: string]: unknown
}

export interface MessagesReply {
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly model: string
  readonly content: readonly MessagesBlock[]
  readonly stop_reason: string | null
  readonly stop_sequence: string | null
  readonly usage: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** One event of a stream, from `message_start` to `message_stop`. */
export interface MessagesEvent {
  readonly type: string
  readonly [field: string]: unknown
}

export interface MessagesTokenCount {
  readonly input_tokens: number
  readonly [field: string]: unknown
}

declare module './provider.ts' {
  interface EndpointTypes {
    messages: { request: MessagesRequest; reply: MessagesReply; chunk: MessagesEvent }
    'messages-count-tokens': { request: MessagesRequest; reply: MessagesTokenCount; chunk: never }
  }
}

/**
 * Reads the `usage` object of a message. `input_tokens` leaves out what was read from or written to the cache, so the three are
 * added ("Messages", usage). Gives nothing when it is absent, no object of counts, or not possible.
 */
export const usageFromAnthropic = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  if (isImpossible(usage.input_tokens) || isImpossible(usage.output_tokens)) return undefined
  const input = tokenCount(usage.input_tokens)
  if (input === undefined && usage.output_tokens === undefined) return undefined
  const outputTokens = tokenCount(usage.output_tokens) ?? 0
  const cached = tokenCount(usage.cache_read_input_tokens)
  const written = tokenCount(usage.cache_creation_input_tokens)
  const details = usage.output_tokens_details
  const inputTokens = (input ?? 0) + (cached ?? 0) + (written ?? 0)
  return defined({
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    hourCacheWriteTokens: hourWritten(usage.cache_creation),
    reasoningTokens: isRecord(details) ? tokenCount(details.thinking_tokens) : undefined,
    units: unitsOf(usage),
  })
}

/** What is kept for an hour costs more than what is kept for five minutes ("Prompt caching", `cache_creation`). */
const hourWritten = (written: unknown): number | undefined =>
  isRecord(written) ? someTokens(written.ephemeral_1h_input_tokens) : undefined

/**
 * The status that belongs to each type of error, for those that come inside a 200 ("Errors"; 408 and 504 both are
 * `timeout_error`).
 */
export const ANTHROPIC_ERROR_STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}
