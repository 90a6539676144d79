import { MAX_JOINED_BYTES } from './bounds.ts'
import { isStreamed, type WireRequest } from './request-head.ts'
import { Upload } from './upload.ts'

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
  /** A body that comes in pieces, until its last one went out. */
  #upload: Upload | undefined
  readonly #fail: (error: unknown) => void

  /** @param fail is told when a streamed body breaks off: its request cannot be ended */
  constructor(sink: Sink, fail: (error: unknown) => void) {
    this.#sink = sink
    this.#fail = fail
  }

  /** Some of the request has not gone out. */
  get pending(): boolean {
    return this.#rest !== undefined || this.#upload !== undefined
  }

  /** Sends no more of a streamed body, nor reads it. */
  stop(): void {
    this.#upload?.stop()
  }

  /** @returns whether any of it has gone out */
  write({ head, body, bodyBytes }: WireRequest): boolean {
    if (isStreamed(body)) {
      const isBegun = this.#send(Buffer.from(head, 'latin1'), head.length, undefined)
      this.#upload = new Upload(body, (bytes) => this.#takes(bytes))
      this.#pump()
      return isBegun
    }
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
    if (rest !== undefined && this.#takes(rest)) this.#pump()
  }

  /** @param bytes that nobody writes to any more @returns whether the system took them all */
  #takes(bytes: Uint8Array): boolean {
    const written = Math.max(0, this.#sink.write(bytes, 0, bytes.length))
    this.#rest = written === bytes.length ? undefined : bytes.subarray(written)
    return this.#rest === undefined
  }

  readonly #pump = (): void => {
    if (this.#rest !== undefined) return
    try {
      if (this.#upload?.send(this.#pump) === true) this.#upload = undefined
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** A body that is too large to be copied behind the head goes out in a write of its own. */
  #send(bytes: Uint8Array, length: number, body: Uint8Array | undefined): boolean {
    const written = Math.max(0, this.#sink.write(bytes, 0, length))
    if (written < length) {
      // A copy: the bytes may be the shared ones.
      this.#rest = Buffer.concat([bytes.subarray(written, length), body ?? new Uint8Array(0)])
    } else if (body !== undefined) {
      this.#takes(body)
    }
    return written > 0
  }
}
