import type { FormPart } from '../forms/form-reader.ts'
import { readJsonObject } from '../json/json-object.ts'
import type { BodyStream } from '../ports.ts'

/**
 * A request body: one that is here as a whole, one that streams to the provider as the client sends it, or a form whose fields
 * are known and whose files are in memory or in a file.
 */
export type RequestBody = WholeBody | StreamedBody | FormBody

/** A `multipart/form-data` body that was read to its end. One that is too large to be held is in a file meanwhile. */
export interface FormBody {
  readonly kind: 'form'
  /**
   * Reads it. The stage that admits the caller (`auth`) awaits it; all else is known afterwards.
   * @throws InvalidRequest for what is no form, or one that can be read in two ways; BodyTooLarge; BodyTimeout
   */
  load(): Promise<void>
  /** False when reading it broke off: the rest still comes. */
  readonly isRead: boolean
  readonly boundary: string
  readonly parts: readonly FormPart[]
  /** Bytes of all of it. */
  readonly length: number
  /** All of it, where it is held in memory. */
  readonly bytes: Uint8Array | undefined
  /** Some of its bytes from a place on, at least one unless it ends there. May be asked any number of times. */
  read(at: number): Promise<Uint8Array>
  /** The call is over: forgets what was kept. */
  close(): void
}

/** A body of any length, of which little is ever held. */
export interface StreamedBody {
  readonly kind: 'streamed'
  /** Bytes of all of it, where the client has said so. */
  readonly length: number | undefined
  /** All of it was read. */
  readonly isRead: boolean
  /** Reads nothing: what streams is read when it is sent. */
  load(): Promise<void>
  /**
   * Reads the beginning into memory, up to a limit.
   * @param look gets each piece, in order; true when it has seen enough
   * @returns whether that was all of the body
   */
  readAhead(look: (piece: Uint8Array) => boolean): Promise<boolean>
  /** What was read ahead; what is written here takes its place. */
  ahead: Uint8Array
  /** Sees each piece behind what was read ahead, and the end; what it throws breaks the body off. */
  watch(look: (piece: Uint8Array | undefined) => void): void
  /** All that is sent is kept in a file, up to a limit, so that it can be sent again. Before `open`. */
  keep(): void
  /** `open` would give all of it: nothing was sent yet, or all that was is kept. */
  readonly isRepeatable: boolean
  /** The body from its beginning, to be sent once; what was opened before breaks off. */
  open(): BodyStream
  /** The call is over: reads no more, and forgets what was kept. */
  close(): void
}

/** Whether a target may be asked again with the same body. */
export const isRepeatable = (body: RequestBody): boolean => body.kind !== 'streamed' || body.isRepeatable

/** @throws Error for a stage that reads a body which streams, or a form */
export const wholeBody = (body: RequestBody): WholeBody => {
  if (body.kind !== 'whole') throw new Error('a request body that streams cannot be read')
  return body
}

/**
 * A body that is read as a whole: from the socket when `load` is called, so that nobody unknown can make us hold it. Its
 * JSON is parsed at most once, when somebody asks.
 */
export class WholeBody {
  readonly kind = 'whole'
  readonly #load: (() => Promise<Uint8Array>) | undefined
  #bytes: Uint8Array | undefined
  #loading: Promise<void> | undefined
  #json: Record<string, unknown> | undefined
  #received: Uint8Array | undefined

  constructor(source: Uint8Array | (() => Promise<Uint8Array>)) {
    if (source instanceof Uint8Array) this.#bytes = source
    else this.#load = source
  }

  /** Reads the bytes, once. The stage that admits the caller (`auth`) awaits it. */
  load(): Promise<void> {
    this.#loading ??= this.#read()
    return this.#loading
  }

  /** The bytes as they came, or as they were replaced. */
  get bytes(): Uint8Array {
    if (this.#bytes === undefined && this.#json !== undefined) this.#bytes = encoder.encode(JSON.stringify(this.#json))
    if (this.#bytes === undefined) throw new Error('the request body is read before it was loaded')
    return this.#bytes
  }

  /** The bytes as they came, whatever took their place. Undefined: they were not read. */
  get received(): Uint8Array | undefined {
    return this.#received ?? this.#bytes
  }

  /** How many came; undefined before they did. */
  get length(): number | undefined {
    return this.received?.length
  }

  /** @throws InvalidRequest when the bytes are not one JSON object in UTF-8 that can be read in one way only. */
  json(): Record<string, unknown> {
    this.#json ??= readJsonObject(this.bytes)
    return this.#json
  }

  async #read(): Promise<void> {
    if (this.#load !== undefined) this.#bytes = await this.#load()
  }

  /** For a stage that reads one form of request and hands on another: from now on the call says this. */
  replace(json: Record<string, unknown>): void {
    this.#received ??= this.#bytes
    this.#json = json
    this.#bytes = undefined
  }
}

const encoder = new TextEncoder()
