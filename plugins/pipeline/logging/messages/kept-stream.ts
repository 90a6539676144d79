import { MAX_RAW_BYTES } from '#calls/messages/clean-body'
import { describe, type MediaNote } from '#calls/messages/media'
import { LATER } from '#core/bodies/ready-stream'
import type { ReadyStream } from '#kit'

/** What is kept of a body: bytes of a text, or a note of what is no text. */
export interface KeptBody {
  readonly bytes?: Uint8Array | undefined
  readonly note?: MediaNote | undefined
  /** There was more of it, or some of it never came. */
  readonly isTruncated: boolean
}

/** Room for the first pieces of a text. Bytes. */
const FIRST_ROOM = 4 * 1024

/** Bytes that are no text are hashed up to so many. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024

/** A stream as it is, of which a copy is kept: of a text up to a bound, of anything else its length and hash. Nobody waits for it. */
export class KeptStream implements ReadyStream {
  readonly #source: ReadyStream
  readonly #type: string | undefined
  #text: Uint8Array | undefined
  #hash: Bun.CryptoHasher | undefined
  #length = 0
  #hasEnded = false

  /** @param type of what is no text; undefined for text */
  constructor(source: ReadyStream, type: string | undefined) {
    this.#source = source
    this.#type = type
    if (type !== undefined) this.#hash = new Bun.CryptoHasher('sha256')
  }

  take(): ReturnType<ReadyStream['take']> {
    const piece = this.#source.take()
    if (piece === undefined) this.#hasEnded = true
    else if (piece !== LATER) this.#keep(piece)
    return piece
  }

  whenReady(listener: () => void): void {
    this.#source.whenReady(listener)
  }

  cancel(): void {
    this.#source.cancel()
  }

  /** What was kept until now. */
  kept(): KeptBody {
    const { length } = this
    const isTruncated = !this.#hasEnded
    if (this.#type === undefined) {
      const bytes = this.#text?.subarray(0, Math.min(length, MAX_RAW_BYTES)) ?? NOTHING
      return { bytes, isTruncated: isTruncated || length > MAX_RAW_BYTES }
    }
    const sha256 = this.#hash === undefined || isTruncated ? undefined : this.#hash.digest('hex')
    const note = { type: this.#type, bytes: length }
    return { note: sha256 === undefined ? note : { ...note, sha256 }, isTruncated }
  }

  get length(): number {
    return this.#length
  }

  #keep(piece: Uint8Array): void {
    if (this.#type === undefined) this.#write(piece)
    else if (this.#length + piece.length > MAX_HASHED_BYTES) this.#hash = undefined
    else this.#hash?.update(piece)
    this.#length += piece.length
  }

  /** Copied: the piece may be freed once it was sent, and is often a part of a larger buffer. */
  #write(piece: Uint8Array): void {
    const room = MAX_RAW_BYTES - this.#length
    if (room <= 0) return
    const fitting = piece.length > room ? piece.subarray(0, room) : piece
    const end = this.#length + fitting.length
    if (this.#text === undefined) this.#text = new Uint8Array(Math.max(FIRST_ROOM, end))
    else if (this.#text.length < end) {
      const larger = new Uint8Array(Math.min(MAX_RAW_BYTES, Math.max(end, 2 * this.#text.length)))
      larger.set(this.#text.subarray(0, this.#length))
      this.#text = larger
    }
    this.#text.set(fitting, this.#length)
  }
}

const NOTHING = new Uint8Array(0)

/** A note of a body that is held, or of one whose length is known alone. */
export const noteOf = (body: Uint8Array | number | undefined, type: string): MediaNote | undefined => {
  if (body instanceof Uint8Array) return describe(body, type)
  return body === undefined ? undefined : { type, bytes: body }
}
