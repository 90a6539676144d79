import { MAX_HEAD_BYTES } from './bounds.ts'
import { malformed } from './wire-error.ts'

const END = Buffer.from('\r\n\r\n')
const NOTHING = new Uint8Array(0)
const BEGINNING = Buffer.from('HTTP/1.')

/** Collects the head of an answer from the pieces that the network makes of it. */
export class HeadBuffer {
  /** What came of a head that is not whole yet; grown by doubling, so that single bytes cost no more than all at once. */
  #kept: Uint8Array = NOTHING
  #length = 0

  /** The head as text, one character a byte, with the CRLF of its last line; nothing before it is whole. */
  text = ''

  /**
   * Takes the next bytes of the connection.
   * @returns the position in `bytes` behind the head, or -1 while it is not whole
   * @throws WireError when this is no head of HTTP/1, or too long a one
   */
  take(bytes: Uint8Array, from: number): number {
    if (this.#length === 0) {
      const end = find(bytes, from)
      if (end !== -1) return this.#whole(bytes, from, end)
    }
    const before = this.#length
    this.#append(bytes, from)
    const end = find(this.#kept.subarray(0, this.#length), Math.max(0, before - END.length + 1))
    if (end === -1) {
      if (this.#length >= MAX_HEAD_BYTES) throw malformed('its head is too long')
      if (!mayBegin(this.#kept, this.#length)) throw malformed('it does not begin like one')
      return -1
    }
    const position = from + end + END.length - before
    this.#whole(this.#kept, 0, end)
    this.#length = 0
    return position
  }

  #whole(bytes: Uint8Array, from: number, end: number): number {
    if (end - from > MAX_HEAD_BYTES) throw malformed('its head is too long')
    this.text = Buffer.prototype.latin1Slice.call(bytes, from, end + 2)
    return end + END.length
  }

  #append(bytes: Uint8Array, from: number): void {
    // Past the longest head the rest is of no interest: it is refused for its length.
    const taken = bytes.subarray(from, from + MAX_HEAD_BYTES + END.length)
    const needed = this.#length + taken.length
    if (needed > this.#kept.length) {
      const grown = new Uint8Array(Math.max(needed, this.#kept.length * 2))
      grown.set(this.#kept.subarray(0, this.#length))
      this.#kept = grown
    }
    this.#kept.set(taken, this.#length)
    this.#length = needed
  }
}

const find = (bytes: Uint8Array, from: number): number => Buffer.prototype.indexOf.call(bytes, END, from)

/** A server that speaks something else is found out by its first byte, not by a deadline. */
const mayBegin = (bytes: Uint8Array, length: number): boolean => {
  for (let at = 0; at < Math.min(length, BEGINNING.length); at++) if (bytes[at] !== BEGINNING[at]) return false
  return true
}
