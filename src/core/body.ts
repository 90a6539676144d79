import { InvalidRequest } from '../errors/gateway-error.ts'

/** How deep arrays and objects of a body may be nested: deeper ones are only ever sent to break parsers. */
const MAX_DEPTH = 128

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c

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

  /** @throws InvalidRequest when the bytes are not one JSON object in UTF-8. */
  json(): Record<string, unknown> {
    this.#json ??= parseObject(this.bytes)
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
const decoder = new TextDecoder('utf-8', { fatal: true })

const parseObject = (bytes: Uint8Array): Record<string, unknown> => {
  if (bytes.length === 0) throw new InvalidRequest('The request body is empty: send a JSON object.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new InvalidRequest('The request body is not valid UTF-8.')
  }
  const keys = countKeys(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The engine's message quotes the body, so ours does not repeat it.
    throw new InvalidRequest('The request body is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest('The request body must be a JSON object.')
  }
  if (keys !== Object.keys(value).length) {
    // We would act on the last one, while a provider that gets the bytes may act on the first.
    throw new InvalidRequest('The request body has a key twice.')
  }
  return value as Record<string, unknown>
}

/**
 * One pass over the bytes, before the parser sees them: refuses deep nesting, and counts the keys of the outermost
 * object, each of which is followed by a colon.
 */
const countKeys = (bytes: Uint8Array): number => {
  let depth = 0
  let keys = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      index = endOfString(bytes, index)
    } else if (byte === COLON) {
      if (depth === 1) keys++
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++
      if (depth > MAX_DEPTH) throw new InvalidRequest(`The request body is nested deeper than ${MAX_DEPTH} levels.`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  return keys
}

/** Index of the quote that ends the string which starts at `start`; `indexOf` runs over long texts at memory speed. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let end = start
  for (;;) {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end === -1) return bytes.length
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}
