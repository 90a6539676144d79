import { MAX_JOINED_BYTES } from './limits.ts'
import type { WireRequest } from './request-head.ts'

/** What a request is written to: a socket of Bun. */
export interface Sink {
  /** @returns the number of bytes the system took, or -1 when it is closed */
  write(bytes: Uint8Array, offset: number, length: number): number
}

/** Where head and body are put together. The system copies what it takes at once, so that one buffer serves every connection. */
const SCRATCH = Buffer.allocUnsafe(2 * MAX_JOINED_BYTES)

/** Writes one request after the other, each in one go if the system takes it, and what it did not take later. */
export class RequestWriter {
  readonly #sink: Sink
  /** What the system has not taken yet. */
  #rest: Uint8Array | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Some of the request has not gone out. */
  get pending(): boolean {
    return this.#rest !== undefined
  }

  /** @returns whether any of it has gone out */
  write({ head, body, bodyBytes }: WireRequest): boolean {
    if (head.length > MAX_JOINED_BYTES || bodyBytes > MAX_JOINED_BYTES) {
      const first = Buffer.from(head, 'latin1')
      return this.#send(first, first.length, typeof body === 'string' ? Buffer.from(body) : body)
    }
    let length = SCRATCH.write(head, 'latin1')
    if (typeof body === 'string') length += SCRATCH.write(body, length)
    else if (body !== undefined) {
      SCRATCH.set(body, length)
      length += body.length
    }
    return this.#send(SCRATCH, length, undefined)
  }

  /** The system takes more. */
  continue(): void {
    const rest = this.#rest
    if (rest === undefined) return
    const written = Math.max(0, this.#sink.write(rest, 0, rest.length))
    this.#rest = written === rest.length ? undefined : rest.subarray(written)
  }

  /** A body that is too large to be copied behind the head goes out in a write of its own. */
  #send(bytes: Uint8Array, length: number, body: Uint8Array | undefined): boolean {
    const written = Math.max(0, this.#sink.write(bytes, 0, length))
    if (written < length) {
      // A copy: the bytes may be the shared ones.
      this.#rest = Buffer.concat([bytes.subarray(written, length), body ?? new Uint8Array(0)])
    } else if (body !== undefined) {
      this.#rest = body
      this.continue()
    }
    return written > 0
  }
}
