import { GatewayError } from '../../errors/gateway-error.ts'
import { parseExactly } from '../json/exact-numbers.ts'
import { readJsonObjects } from '../json/json-object.ts'
import { MCP_FIELDS } from '../json/known-fields.ts'
import { isRecord } from '../json/record.ts'

/** Messages of JSON-RPC 2.0 as MCP uses it (modelcontextprotocol.io, specification 2025-11-25, "Base protocol"). */

export type MessageId = string | number

type Fields = Readonly<Record<string, unknown>>

export type Message =
  | {
      readonly kind: 'request'
      readonly id: MessageId
      readonly method: string
      readonly params: Fields
      readonly fields: Fields
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Fields; readonly fields: Fields }
  | { readonly kind: 'answer'; readonly id: MessageId | null; readonly fields: Fields }

/** Codes of errors: those of JSON-RPC, and those of the interface (behaviours, sections 10.3 and 10.4). */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  guardrail: -32446,
} as const

/** What cannot be read as messages. */
export class NotMessages extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'NotMessages'
    this.code = code
  }
}

/** Messages that one body may hold: batches came and went with protocol 2025-03-26. */
const MAX_BATCH = 50

/**
 * Reads a body as every other reader of the same bytes must read it.
 * @returns one message, or those of a batch
 * @throws NotMessages
 */
export const readMessages = (bytes: Uint8Array): readonly Message[] => {
  const value = parsed(bytes)
  if (!Array.isArray(value)) return [toMessage(value)]
  if (value.length === 0 || value.length > MAX_BATCH) {
    throw new NotMessages(RPC.invalidRequest, `A batch holds 1 to ${MAX_BATCH} messages.`)
  }
  const messages = value.map(toMessage)
  // What is done to an answer is known by the id of its request.
  const ids = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []))
  if (new Set(ids).size === ids.length) return messages
  throw new NotMessages(RPC.invalidRequest, 'Each request of a batch has an `id` of its own.')
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return readJsonObjects(bytes, MCP_FIELDS, true)
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    throw new NotMessages(RPC.parse, thrown.message)
  }
}

/** One message as a server tells it in an event. @throws NotMessages; SyntaxError */
export const readMessage = (text: string): Message => toMessage(parseExactly(text))

const NO_PARAMS: Fields = {}

/** @throws NotMessages */
export const toMessage = (value: unknown): Message => {
  if (!isRecord(value) || Array.isArray(value) || value.jsonrpc !== '2.0') {
    throw new NotMessages(RPC.invalidRequest, 'A message is an object with `jsonrpc: "2.0"`.')
  }
  const { id, method, params = NO_PARAMS } = value
  if (method === undefined) {
    if (!('result' in value) && !('error' in value)) {
      throw new NotMessages(RPC.invalidRequest, 'A message has a `method`, a `result` or an `error`.')
    }
    if (id !== null && !isId(id))
      throw new NotMessages(RPC.invalidRequest, 'The `id` is a text, or a number that every reader keeps.')
    return { kind: 'answer', id, fields: value }
  }
  if (typeof method !== 'string') throw new NotMessages(RPC.invalidRequest, 'The `method` is a text.')
  if (!isRecord(params) || Array.isArray(params)) {
    throw new NotMessages(RPC.invalidParams, 'The `params` are an object.')
  }
  if (id === undefined) return { kind: 'notification', method, params, fields: value }
  if (!isId(id)) throw new NotMessages(RPC.invalidRequest, 'The `id` is a text, or a number that every reader keeps.')
  return { kind: 'request', id, method, params, fields: value }
}

/** Longest text that is an id. */
const MAX_ID_CHARACTERS = 1024

const isId = (value: unknown): value is MessageId =>
  typeof value === 'string' ? value.length <= MAX_ID_CHARACTERS : typeof value === 'number' && Number.isFinite(value)

export const resultOf = (id: MessageId, result: object): object => ({ jsonrpc: '2.0', id, result })

export const errorOf = (id: MessageId | null, code: number, message: string, data?: object): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})

const encoder = new TextEncoder()

export const toBytes = (message: unknown): Uint8Array => encoder.encode(JSON.stringify(message))
