import { MAX_RAW_BYTES } from '#calls/messages/clean-body'
import { describe, type MediaNote } from '#calls/messages/media'
import { concat } from '#core/bodies/answer'
import { LATER } from '#core/bodies/ready-stream'
import type { ReadyStream } from '#kit'

/** What is kept of a body: bytes of a text, or a note of what is no text. */
export interface KeptBody {
  readonly bytes?: Uint8Array | undefined
  readonly note?: MediaNote | undefined
  /** There was more of it, or some of it never came. */
  readonly isTruncated: boolean
}

/** Bytes of a text that are put down together: those of most streams fit into a few of them. */
const BLOCK_BYTES = 16 * 1024
/** Of the first: many streams are short. */
const FIRST_BLOCK_BYTES = 4 * 1024

/** Bytes that are no text are hashed up to so many. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024

/** A stream as it is, of which a copy is kept: of a text up to a bound, of anything else its length and hash. Nobody waits for it. */
export class KeptStream implements ReadyStream {
  readonly #source: ReadyStream
  readonly #type: string | undefined
  readonly #blocks: Uint8Array[] = []
  /** What is free of the last block begins here. */
  #filled = 0
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
      return { bytes: this.#text(), isTruncated: isTruncated || length > MAX_RAW_BYTES }
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
    let last = this.#blocks.at(-1)
    if (last === undefined || last.length - this.#filled < piece.length) {
      const room = MAX_RAW_BYTES - this.#length
      if (room <= 0) return
      // The rest of a block stays empty: no event is cut in two, and a block is never copied.
      if (last !== undefined) this.#blocks[this.#blocks.length - 1] = last.subarray(0, this.#filled)
      last = Buffer.allocUnsafeSlow(
        Math.max(last === undefined ? FIRST_BLOCK_BYTES : BLOCK_BYTES, Math.min(piece.length, room)),
      )
      this.#blocks.push(last)
      this.#filled = 0
    }
    const fitting = piece.length > last.length ? piece.subarray(0, last.length) : piece
    last.set(fitting, this.#filled)
    this.#filled += fitting.length
  }

  #text(): Uint8Array {
    const last = this.#blocks.at(-1)
    if (last === undefined) return NOTHING
    const blocks = this.#blocks.with(-1, last.subarray(0, this.#filled))
    return concat(blocks).subarray(0, MAX_RAW_BYTES)
  }
}

const NOTHING = new Uint8Array(0)

/** A note of a body that is held, or of one whose length is known alone. */
export const noteOf = (body: Uint8Array | number | undefined, type: string): MediaNote | undefined => {
  if (body instanceof Uint8Array) return describe(body, type)
  return body === undefined ? undefined : { type, bytes: body }
}
