import { readJsonObject } from './json-object.ts'

/**
 * A request body. It is read from the socket when `load` is called, so that nobody unknown can make us hold it, and its
 * JSON is parsed at most once, when somebody asks.
 */
export class RequestBody {
  readonly #load: (() => Promise<Uint8Array>) | undefined
  #bytes: Uint8Array | undefined
  #loading: Promise<void> | undefined
  #json: Record<string, unknown> | undefined

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
    this.#json = json
    this.#bytes = undefined
  }
}

const encoder = new TextEncoder()
