/**
 * The wire types of OpenAI's Responses, as far as Weir reads and writes them. Unknown fields are kept, so each has an index
 * signature. Source: types of openai-node 7.55.0 (resources/responses/responses.d.ts), generated from the API reference, read
 * 2026-11-22.
 */

type Fields = Readonly<Record<string, unknown>>

export interface ResponsesRequest {
  readonly model?: string | null
  /** What the user says, or a list of items: messages, calls of tools and their results, reasoning. */
  readonly input?: string | readonly Fields[] | null
  readonly instructions?: string | null
  readonly stream?: boolean | null
  readonly store?: boolean | null
  readonly previous_response_id?: string | null
  readonly tools?: readonly Fields[] | null
  readonly [extra: string]: unknown
}

/** One thing that the model gave: a message, reasoning, a call of a tool. */
export interface ResponsesItem {
  readonly type: string
  readonly id: string
  readonly [extra: string]: unknown
}

export interface ResponsesUsage {
  readonly input_tokens: number
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number }
  readonly output_tokens: number
  readonly output_tokens_details: { readonly reasoning_tokens: number }
  readonly total_tokens: number
}

export interface ResponsesReply {
  readonly id: string
  readonly object: 'response'
  /** Seconds since 1970. */
  readonly created_at: number
  readonly status?: 'completed' | 'failed' | 'in_progress' | 'cancelled' | 'queued' | 'incomplete'
  readonly model: string
  readonly output: readonly ResponsesItem[]
  readonly usage?: ResponsesUsage | null
  readonly [extra: string]: unknown
}

/** One event of a stream. */
export interface ResponsesEvent {
  readonly type: string
  readonly sequence_number: number
  readonly [extra: string]: unknown
}

declare module './provider.ts' {
  interface EndpointTypes {
    responses: { request: ResponsesRequest; reply: ResponsesReply; chunk: ResponsesEvent }
    response: { request: Fields; reply: ResponsesReply; chunk: ResponsesEvent }
    'response-delete': { request: Fields; reply: Fields; chunk: never }
    'response-cancel': { request: Fields; reply: ResponsesReply; chunk: never }
    'response-input-items': { request: Fields; reply: Fields; chunk: never }
  }
}

/** Begins the ids that Weir makes, for a provider that has no responses: `resp_weir_`, `msg_weir_`, `rs_weir_`, ... */
const OWN_ID = /^([a-z]+)_weir_([0-9a-f]{8,64})(?:_(i?)(\d{1,6}))?$/

/** Where an id of ours leads. */
export interface OwnResponseId {
  /** `resp`, or the kind of item: `msg`, `rs`, `fc`, ... */
  readonly kind: string
  readonly responseId: string
  /** Of an item: its place, and whether it stands in the input. */
  readonly item?: { readonly index: number; readonly isInput: boolean }
}

/** Reads an id that Weir made. Undefined for those of providers. */
export const readOwnResponseId = (id: unknown): OwnResponseId | undefined => {
  const [, kind, call, isInput, index] = (typeof id === 'string' && id.length < 200 && OWN_ID.exec(id)) || []
  if (kind === undefined || call === undefined) return undefined
  const responseId = `resp_weir_${call}`
  if (index === undefined) return kind === 'resp' ? { kind, responseId } : undefined
  return { kind, responseId, item: { index: Number(index), isInput: isInput === 'i' } }
}

/** The id of the response that a call makes, the same for every attempt. */
export const ownResponseId = (callId: string): string => `resp_weir_${plainId(callId)}`

/** The id of an item of a response of ours. */
export const ownItemId = (kind: string, responseId: string, index: number, isInput = false): string =>
  `${kind}_${responseId.slice('resp_'.length)}_${isInput ? 'i' : ''}${index}`

/** Call ids are UUIDs, or whatever a test takes. */
const plainId = (callId: string): string => {
  const plain = callId.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{8,64}$/.test(plain) ? plain : Buffer.from(callId).toString('hex').padStart(8, '0').slice(0, 64)
}

/** Begins the opaque state of another provider's reasoning, as Weir carries it through clients. */
export const CARRIED_PREFIX = 'weir.1.'

/** Reasoning that came from a provider without responses: only Weir can read it. */
export const isCarriedReasoning = (item: Fields): boolean =>
  item.type === 'reasoning' &&
  ((typeof item.encrypted_content === 'string' && item.encrypted_content.startsWith(CARRIED_PREFIX)) ||
    readOwnResponseId(item.id) !== undefined)
