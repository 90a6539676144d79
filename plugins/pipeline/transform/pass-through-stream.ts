import {
  type ByteStream,
  concat,
  DONE_EVENT,
  decodeFrame,
  isRecord,
  StreamTruncated,
  UpstreamInvalid,
  type Usage,
  usageFromOpenAI,
} from '#kit'
import { EventReader, type Events } from './event-reader.ts'
import { asError, drain, isReadable, orCancel, parseJson } from './stream-data.ts'

export interface PassThroughOptions {
  /** The client asked for the usage chunk itself, so it stays in the stream. */
  readonly includeUsage: boolean
  /** Choices that must finish before the answer counts as complete (`n` of the request). */
  readonly choices: number
  readonly onUsage: (usage: Usage) => void
  /** Turns the `error` object of an event into the provider's error. */
  readonly toError: (body: unknown) => unknown
}

/**
 * A stream that is already in the reference's form: whole events go on byte by byte as they came. It is only looked at
 * for what the log and an honest end need: usage, finish reasons, errors, and the `[DONE]` that ends it.
 */
export class PassThroughStream implements ByteStream {
  readonly #source: ByteStream
  readonly #options: PassThroughOptions
  readonly #events: EventReader
  /** Comments that came before the first event: held back, so that an error in that event still gets an HTTP status. */
  #held: Uint8Array[] | undefined = []
  #finished = 0
  #done = false
  /** An error that came in one piece with good events: thrown when those have been read, so that none is lost. */
  #failure: { readonly thrown: unknown } | undefined
  #ended = false
  #chunks = 0

  constructor(source: ByteStream, options: PassThroughOptions) {
    this.#source = source
    this.#events = new EventReader(source)
    this.#options = options
  }

  /** Chunks that came with content, as near as can be told without reading them. */
  get chunks(): number {
    return this.#chunks
  }

  /** True once every choice has finished. */
  get complete(): boolean {
    return this.#done || this.#finished >= this.#options.choices
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) throw this.#failure.thrown
    while (!this.#ended) {
      const { frames, last } = await this.#next()
      const kept = this.#begin(this.#kept(frames))
      if (this.#failure !== undefined) return this.#fail(kept)
      if (last || this.#done) {
        this.#ended = true
        return this.#end(last ? kept : [...kept, ...(await this.#rest(kept))])
      }
      if (kept.length > 0) return concat(kept)
    }
    return undefined
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  /** Once the answer is whole, a connection that breaks takes nothing away from it. */
  async #next(): Promise<Events> {
    try {
      return await this.#events.next()
    } catch (thrown) {
      if (!this.complete) throw thrown
      this.#source.cancel()
      return { frames: [], last: true }
    }
  }

  /** The events up to the first that is an error; what the provider said before it still counts. */
  #kept(frames: readonly Uint8Array[]): Uint8Array[] {
    const kept: Uint8Array[] = []
    for (const frame of frames) {
      try {
        if (this.#keep(frame)) kept.push(frame)
      } catch (thrown) {
        this.#failure = { thrown }
        break
      }
    }
    return kept
  }

  /** Hands out what came before the error; the next read throws it. */
  #fail(kept: readonly Uint8Array[]): Uint8Array {
    if (kept.length === 0) throw this.#failure?.thrown
    return concat(kept)
  }

  #begin(frames: readonly Uint8Array[]): readonly Uint8Array[] {
    if (this.#held === undefined) return frames
    this.#held.push(...frames)
    if (!frames.some((frame) => decodeFrame(frame) !== undefined)) return []
    const begun = this.#held
    this.#held = undefined
    return begun
  }

  /**
   * What still belongs to the end marker: when it came up to the CR of a last CRLF, the LF is on its way. The end of the
   * source is read along, so that its connection can be used again.
   */
  async #rest(kept: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    if (kept.at(-1)?.at(-1) !== CR) {
      drain(this.#source)
      return []
    }
    const piece = await orCancel(this.#source.read(), this.#source)
    if (piece !== undefined) drain(this.#source)
    return piece?.[0] === LF ? [piece.subarray(0, 1)] : []
  }

  #end(kept: readonly Uint8Array[]): Uint8Array | undefined {
    if (!this.#done) {
      if (this.#finished < this.#options.choices) {
        this.#failure = {
          thrown: new StreamTruncated('The stream of the provider ended before the answer was complete.'),
        }
        return this.#fail(kept)
      }
      // Every choice has finished and only the end marker is missing: the answer is whole.
      return concat([...kept, DONE_EVENT])
    }
    return kept.length > 0 ? concat(kept) : undefined
  }

  /** @returns whether the client gets this event. */
  #keep(frame: Uint8Array): boolean {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    if (bytes.includes(FINISH_REASON)) this.#finished += countFinishReasons(bytes)
    const usageAt = bytes.indexOf(USAGE)
    const mayHoldError = bytes.includes(ERROR)
    if (SAID.some((name) => bytes.includes(name))) this.#chunks++
    if (usageAt === -1 && !mayHoldError) {
      // No bound on the length: some servers send the end marker with an id, a retry time or comments around it.
      if (bytes.includes(DONE) && decodeFrame(frame)?.data.trim() === '[DONE]') this.#done = true
      else checkReadable(frame)
      return true
    }
    checkReadable(frame)
    return this.#inspect(frame, mayHoldError)
  }

  /** The rare event that is worth parsing. */
  #inspect(frame: Uint8Array, mayHoldError: boolean): boolean {
    const body = parseJson(decodeFrame(frame)?.data)
    if (!isRecord(body)) return true
    if (mayHoldError && asError(body) !== undefined) throw this.#options.toError(body)
    const usage = usageFromOpenAI(body.usage)
    if (usage === undefined) return true
    this.#options.onUsage(usage)
    const onlyUsage = Array.isArray(body.choices) && body.choices.length === 0
    return this.#options.includeUsage || !onlyUsage
  }
}

/** Clients give up at an event that they cannot read, so it is a failure of the provider, and may be one in time. */
const checkReadable = (frame: Uint8Array): void => {
  if (!isReadable(frame)) throw new UpstreamInvalid('The provider sent an event that is not JSON.')
}

const LF = 0x0a
const CR = 0x0d
const FINISH_REASON = Buffer.from('"finish_reason"')
const USAGE = Buffer.from('"usage"')
const ERROR = Buffer.from('"error"')
/** In a piece of a chat, and in one of a text completion. */
const SAID = [Buffer.from('"delta"'), Buffer.from('"text"')]
const DONE = Buffer.from('[DONE]')
const QUOTE = 0x22
const COLON = 0x3a
const SPACE = 0x20

/** How many `"finish_reason"` keys are followed by a string and not by null. Inside a JSON string the quotes are escaped. */
const countFinishReasons = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(FINISH_REASON); at !== -1; at = bytes.indexOf(FINISH_REASON, at + 1)) {
    let index = at + FINISH_REASON.length
    while (bytes[index] === SPACE || bytes[index] === COLON) index++
    if (bytes[index] === QUOTE) count++
  }
  return count
}
