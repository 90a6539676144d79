import { MAX_CHUNK_LINE_BYTES, MAX_TRAILER_BYTES } from './bounds.ts'
import { malformed } from './wire-error.ts'

const CR = 0x0d
const LF = 0x0a

/**
 * Most chunks are one small event, and those are copied: the engine keeps a small array in its own heap, and moves it out
 * of there for the first view of it, which costs more than the copy (Bun 1.4.5).
 */
const MAX_COPIED_BYTES = 1_000

/** What the next byte belongs to. */
type Part =
  | 'size'
  | 'padding'
  | 'extension'
  | 'size-end'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'trailer-end'
  | 'last-lf'

/**
 * Takes the chunks of a body out of their coding, wherever the network cuts them. Extensions and trailers are read past.
 * Strict, as what follows the body is the next answer: sizes are bare hex digits, lines end with CRLF.
 */
export class ChunkedDecoder {
  #part: Part = 'size'
  /** Digits of the size so far; 0 before the first. */
  #digits = 0
  /** Bytes of the chunk that are still to come. */
  #left = 0
  #lineBytes = 0
  #trailerBytes = 0
  /** The trailer line so far is empty: an end of line would end the body. */
  #lineEmpty = true
  #done = false

  /** The last chunk and its trailers have been read. */
  get done(): boolean {
    return this.#done
  }

  /** What `decode` took out of the bytes it was given, in one piece; none if there was no data in them. */
  piece: Uint8Array | undefined

  /**
   * Reads on in `bytes`, and moves the data of their chunks together inside of them: they must be nobody else's.
   * @returns the position behind the last byte that belongs to the body
   * @throws WireError
   */
  decode(bytes: Uint8Array, from: number): number {
    let at = from
    let start = -1
    let end = -1
    while (at < bytes.length && !this.#done) {
      if (this.#part === 'data') {
        const length = Math.min(this.#left, bytes.length - at)
        if (start === -1) {
          start = at
          end = at
        } else bytes.copyWithin(end, at, at + length)
        end += length
        at += length
        this.#left -= length
        if (this.#left === 0) this.#part = 'data-cr'
      } else {
        this.#step(bytes[at] ?? 0)
        at++
      }
    }
    if (start === -1) this.piece = undefined
    else this.piece = end - start > MAX_COPIED_BYTES ? bytes.subarray(start, end) : bytes.slice(start, end)
    return at
  }

  /** One byte of the coding around the data. */
  #step(byte: number): void {
    switch (this.#part) {
      case 'size':
        this.#size(byte)
        return
      case 'padding':
        if (++this.#lineBytes > MAX_CHUNK_LINE_BYTES) throw malformed('the size of a chunk')
        this.#afterSize(byte)
        return
      case 'extension':
        if (++this.#lineBytes > MAX_CHUNK_LINE_BYTES) throw malformed('a chunk extension is too long')
        if (byte === CR) this.#part = 'size-end'
        else if (isControl(byte)) throw malformed('a chunk extension')
        return
      case 'size-end':
        expect(byte, LF)
        this.#part = this.#left === 0 ? 'trailer' : 'data'
        this.#digits = 0
        this.#lineBytes = 0
        return
      case 'data-cr':
        expect(byte, CR)
        this.#part = 'data-lf'
        return
      case 'data-lf':
        expect(byte, LF)
        this.#part = 'size'
        return
      case 'trailer':
        if (++this.#trailerBytes > MAX_TRAILER_BYTES) throw malformed('its trailers are too long')
        if (byte === CR) this.#part = this.#lineEmpty ? 'last-lf' : 'trailer-end'
        else if (isControl(byte)) throw malformed('a trailer')
        else this.#lineEmpty = false
        return
      case 'trailer-end':
        expect(byte, LF)
        this.#lineEmpty = true
        this.#part = 'trailer'
        return
      case 'last-lf':
        expect(byte, LF)
        this.#done = true
        return
      case 'data':
        return
    }
  }

  #size(byte: number): void {
    const digit = hexOf(byte)
    if (digit !== -1) {
      this.#left = this.#left * 16 + digit
      if (++this.#digits > 16 || this.#left > Number.MAX_SAFE_INTEGER) throw malformed('a chunk is too large')
      return
    }
    if (this.#digits === 0) throw malformed('a chunk has no size')
    this.#afterSize(byte)
  }

  #afterSize(byte: number): void {
    // Blanks are bad, but allowed before an extension (RFC 9112, section 7.1.1).
    if (byte === CR && this.#part === 'size') this.#part = 'size-end'
    else if (byte === 0x3b) this.#part = 'extension'
    else if (byte === 0x20 || byte === 0x09) this.#part = 'padding'
    else throw malformed('the size of a chunk')
  }
}

const expect = (byte: number, wanted: number): void => {
  if (byte !== wanted) throw malformed('the end of a line in a chunked body')
}

/** Control characters but the tab. */
const isControl = (byte: number): boolean => (byte < 0x20 && byte !== 0x09) || byte === 0x7f

const hexOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
