import type { GatewayError } from '../errors/gateway-error.ts'
import type { ReadyStream } from './bodies/ready-stream.ts'
import type { Abortable } from './cancellation.ts'
import type { HeaderFields } from './header-fields.ts'

/** Capabilities that arrive from outside, as interfaces: the engine and its plugins never reach for the real thing. */

export interface Clock {
  /** Milliseconds since 1970: for timestamps only, it may step. */
  now(): number
  /** Milliseconds that never step back: for durations and deadlines. */
  monotonicMs(): number
}

export type LogFields = Readonly<Record<string, unknown>>

/** The operator's log of the process, not of the calls. Fields must be free of secrets and bodies. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** One line for each call, as an object that is written as JSON. */
export type CallLog = (record: LogFields) => void

export interface SpanHandle {
  set(attributes: Readonly<Record<string, string | number | boolean | readonly string[]>>): void
  /** Marks the span as failed. `type` is low-cardinality: an error code or a status. */
  fail(type: string, message: string): void
  end(): void
}

export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client'
  /** W3C `traceparent` of the caller, if any. */
  readonly traceparent?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Spans, behind OpenTelemetry's API. */
export interface Tracing {
  /** Nothing where no tracer is installed; `describe` is not called then. */
  start(describe: () => SpanStart, parent?: SpanHandle): SpanHandle | undefined
  /** `traceparent` to send on, when a tracer is installed and records. */
  traceparent(span: SpanHandle): string | undefined
}

/** Limits on the waits of one upstream call, in milliseconds. */
export interface Deadlines {
  /** Until the connection stands. */
  readonly connectMs: number
  /** From the start until the first byte of the answer's head. */
  readonly firstByteMs: number
  /** Between two pieces of the body; looked up for each, so that it may change on the way. */
  readonly idleMs: number
  /** From the start until the last byte. */
  readonly totalMs: number
}

/** What calls survive where their configs do not say. */
export interface Resilience {
  /** Retries wait for as long as a 429 asks. */
  readonly useRetryAfterHeader: boolean
  /** What becomes of a stream that breaks half-way. */
  readonly streamRecovery: 'error' | 'restart' | 'continue'
  /** An event that is not JSON is left out when the next one is sound. */
  readonly skipMalformedEvent: boolean
  /** A target that takes longer than usual to its first token is left for another. Absent: not but by the deadlines. */
  readonly firstToken?: { readonly minMs: number; readonly unknownMs: number; readonly thinkingMs: number }
  /** Milliseconds of silence that count as broken while another target could take over. Absent: the deadlines say. */
  readonly silence?: { readonly ms: number; readonly thinkingMs: number }
}

/** A request body that is sent as it comes, so only once. */
export interface BodyStream {
  readonly stream: ReadyStream
  /** Bytes of all of it; unknown: it is sent in chunks. */
  readonly length: number | undefined
}

export interface UpstreamRequest {
  readonly method: string
  /** Absolute http(s) URL, built from parts that the operator or a provider plugin chose, or a checked custom host. */
  readonly url: string
  readonly headers: HeaderFields
  /** When it streams, the wait for the answer begins once it is sent; until then each piece has `idleMs` to be taken. */
  readonly body?: Uint8Array | string | BodyStream | undefined
  /** The answer goes on as it comes: what is neither JSON nor events keeps its coding, and may take as long as it takes. */
  readonly asItIs?: boolean | undefined
  /** Asks for a WebSocket: the subprotocols that the client named. */
  readonly upgrade?: { readonly protocols: string | undefined } | undefined
  /**
   * Who chose the host, where it was not the operator: the workspace of the call. Its connections serve nobody else, and
   * its names are looked up a few at a time.
   */
  readonly hostOwner?: string | undefined
  /** Aborts the call; after it `send` and every read reject. */
  readonly signal: Abortable
  /** Hears once that the body of the answer is here to its end, or will not be read further. */
  readonly watch?: { answerEnded(): void } | undefined
  readonly deadlines: Deadlines
  /** Milliseconds asked for by the call itself: passing it before the answer begins is a 408 instead of a 504. */
  readonly requestTimeoutMs?: number | undefined
}

export interface UpstreamResponse {
  readonly status: number
  /** What was sent, hop-by-hop headers and content framing left out. */
  readonly headers: HeaderFields
  /** The body, decompressed unless it goes on as it is. Reads reject with a catalogue error when a deadline passes or the connection breaks. */
  readonly body: ReadyStream
  /** With the status 101: the connection, from now on. */
  readonly socket?: UpstreamSocket
}

/** A WebSocket to a provider. It takes part in the life of the connection by itself: pings, and a goodbye to a goodbye. */
export interface UpstreamSocket {
  /** Subprotocol that the provider has chosen. */
  readonly protocol: string | undefined
  /** Nothing is read before. */
  listen(listener: SocketListener): void
  /** @returns false when the provider is behind: `drained` tells when it is not any more */
  send(message: string | Uint8Array): boolean
  close(code?: number, reason?: string): void
  pause(): void
  resume(): void
  /** The gateway stops: it says goodbye as soon as no response is under way. Absent: nobody knows when that is. */
  retire?(): void
}

export interface SocketListener {
  message(message: string | Uint8Array): void
  drained(): void
  /** Once. 1005: without a code; 1006: the connection was lost. @param error that the gateway closes it for */
  closed(code: number, reason: string, error?: GatewayError): void
}

/** The one way out: the only place that opens a connection to a provider. Holds the egress guard and the deadlines. */
export interface Upstream {
  send(request: UpstreamRequest): Promise<UpstreamResponse>
}

/** A config that a workspace keeps, in its current version. */
export interface StoredConfig {
  readonly id: string
  readonly slug: string
  readonly versionId: string
  /** Version 2.0. */
  readonly config: Readonly<Record<string, unknown>>
}

/** The saved configs of every workspace, in memory. */
export interface StoredConfigs {
  /**
   * Finds a config: the same object as long as its version is the current one, so that what was made of it can be kept
   * with it.
   * @param reference slug or id
   */
  find(workspaceId: string, reference: string): StoredConfig | undefined
  /** The one for calls that name none. */
  defaultOf(workspaceId: string): StoredConfig | undefined
}

/** One version of a prompt, as calls see it: the same object as long as nothing of it changes, so that what was made of it can be kept with it. */
export interface StoredPrompt {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly versionId: string
  readonly version: number
  /** JSON text of messages (chat), or plain text (text prompt). */
  readonly template: string
  /** Sections of the template may build messages and parts. */
  readonly isRaw: boolean
  /** Saved model parameters; never `stream`. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly model?: string
  /** Slug of a stored provider, without `@`. */
  readonly virtualKey?: string
  readonly functions?: readonly unknown[]
  readonly tools?: readonly unknown[]
  readonly toolChoice?: unknown
  /** JSON Schema that the variables of a call must fit. */
  readonly variablesSchema?: Readonly<Record<string, unknown>>
  /** A call without a value for every variable is refused. */
  readonly strict: boolean
}

/** One version of a partial, as templates see it: the same object as long as nothing of it changes. */
export interface StoredPartial {
  readonly id: string
  readonly slug: string
  readonly version: number
  readonly versionId: string
  readonly template: string
}

/** All versions of the active prompts and partials of every workspace, in memory. */
export interface StoredPrompts {
  /** @param reference id or slug, either with `@12`, `@latest` or `@label`; without one: the published version */
  find(workspaceId: string, reference: string): StoredPrompt | undefined
  /** @param reference id or slug, either with `@12` or `@latest`; without one: the published version */
  partial(workspaceId: string, reference: string): StoredPartial | undefined
}

/** Flags that every process of an installation soon sees: open circuit breakers. Never asks a store while a call waits. */
export interface SharedFlags {
  has(name: string): boolean
  /** Stays up for `forMs` milliseconds, counted anew when it is up already. */
  raise(name: string, forMs: number): void
  lower(name: string): void
}

/** Answers that were given before, by key. A store that fails is a miss: nothing here throws or rejects. */
export interface AnswerCache {
  get(key: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  set(key: string, value: Uint8Array, ttlSeconds: number): void
  delete(key: string): void
}

/** Answers by what their question means. A store that fails rejects: whoever asks takes that for nothing found. */
export interface SemanticIndex {
  /**
   * The nearest one of a scope, whose vectors all come from one model.
   * @returns the key it was added with, and its cosine similarity: 1 for the same direction
   */
  nearest(scope: string, vector: readonly number[]): Promise<Similar | undefined>
  /** Forgotten after `ttlSeconds`. One key has one place in a scope: added anew it is replaced. */
  add(scope: string, vector: readonly number[], key: string, ttlSeconds: number): Promise<void>
}

export interface Similar {
  readonly key: string
  readonly similarity: number
}
