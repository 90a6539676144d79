import type { GatewayError } from '../errors/gateway-error.ts'
import type { Usage } from './usage.ts'

type Fields = Readonly<Record<string, unknown>>

/** A message of a WebSocket: text, or bytes. */
export type SocketMessage = string | Uint8Array

/** What one message of a provider means for its session. */
export interface SessionNote {
  /** A response begins, where none is under way. */
  readonly begins?: true
  /** The response goes on, with so much that the provider has not counted yet: characters of text, tokens of sound. */
  readonly text?: number
  readonly soundTokens?: number
  /** The response is over. `usage` is what the provider says it used; `error` what it failed with, as `failure` of the provider reads it. */
  readonly ends?: { readonly usage: Usage | undefined; readonly error?: unknown }
  /** What the provider says of itself: the model that it runs, its tier. */
  readonly answered?: Fields | undefined
}

/** Names of models in what a client says, each with a way to write another one in its place. */
export interface SessionModels {
  readonly event: Fields
  readonly names: readonly { readonly name: string; replace(name: string): void }[]
}

/** Reads the messages of one session. Nearly all of them pass without a closer look. */
export interface SessionReader {
  /** @returns undefined for a message of the provider that means nothing here */
  note(message: SocketMessage): SessionNote | undefined
  /**
   * The models that a message of the client names, in an object that may be changed.
   * @returns undefined for one that names none, which is nearly any
   */
  models(message: SocketMessage): SessionModels | undefined
  /** Tokens that a message of the client adds to what the model reads: an estimate, for responses that are left before they end. */
  inputTokens(message: SocketMessage): number
}

/** How the messages of sessions are read. */
export interface SessionForm {
  open(): SessionReader
  /** An error of the gateway as a message of the provider. Absent: the form has none. */
  error?(error: GatewayError, requestId: string): string
}

/** What a session may take, in milliseconds. */
export interface SessionTimes {
  /** Silence of both sides; pings are none of it. */
  readonly idleMs: number
  /** From its beginning to its end. */
  readonly totalMs: number
}
