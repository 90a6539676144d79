import type { ByteStream } from '../../core/answer.ts'
import { HIGH_WATER_BYTES, MAX_PIECE_BYTES } from './limits.ts'
import { abandoned } from './wire-error.ts'

/** The connection that a body comes from. */
export interface Source {
  /** Lets the network send on, after it was held back. */
  resume(): void
  /** Breaks the connection. */
  destroy(): void
}

/** What a piece costs beside its bytes: a view and a buffer. Or a million pieces of one byte would count as one megabyte. */
const PIECE_OVERHEAD_BYTES = 256

interface Waiting {
  resolve(piece: Uint8Array | undefined): void
  reject(error: unknown): void
}

/** The body of one answer: pieces that have come and wait to be read, or one reader that waits for them. */
export class ReceivedBody implements ByteStream {
  readonly #source: Source
  /** A few hundred at most. */
  readonly #pieces: Uint8Array[] = []
  #queuedBytes = 0
  /** The piece that the reader has in its hands. */
  #handedBytes = 0
  #waiting: Waiting | undefined
  #state: 'open' | 'ended' | 'failed' = 'open'
  #failure: unknown

  constructor(source: Source) {
    this.#source = source
  }

  /** As much has come as may wait: nothing more should be read from the network before the reader asks for it. */
  get full(): boolean {
    return this.#queuedBytes + this.#handedBytes > HIGH_WATER_BYTES
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#queuedBytes += piece.length + PIECE_OVERHEAD_BYTES
    const waiting = this.#settle()
    waiting?.resolve(this.take())
  }

  /** The last byte has come. */
  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    this.#settle()?.resolve(undefined)
  }

  /** What came before is still read; then the error is thrown. */
  fail(error: unknown): void {
    if (this.#state !== 'open') return
    this.#state = 'failed'
    this.#failure = error
    this.#settle()?.reject(error)
  }

  /** A piece, if one has already come. */
  take(): Uint8Array | undefined {
    const first = this.#pieces[0]
    if (first === undefined) return undefined
    if (first.length > MAX_PIECE_BYTES) {
      this.#pieces[0] = first.subarray(MAX_PIECE_BYTES)
      this.#queuedBytes -= MAX_PIECE_BYTES
      this.#handedBytes = MAX_PIECE_BYTES
      return first.subarray(0, MAX_PIECE_BYTES)
    }
    this.#pieces.shift()
    this.#queuedBytes -= first.length + PIECE_OVERHEAD_BYTES
    this.#handedBytes = first.length
    return first
  }

  /** Nothing is left to be read, and nothing went wrong. */
  get over(): boolean {
    return this.#state === 'ended' && this.#pieces.length === 0
  }

  read(): Promise<Uint8Array | undefined> {
    const piece = this.take()
    if (piece !== undefined) return Promise.resolve(piece)
    if (this.#state === 'ended') return Promise.resolve(undefined)
    if (this.#state === 'failed') return Promise.reject(this.#failure)
    this.#handedBytes = 0
    this.#source.resume()
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  /** Gives up what has not come yet, and what has. A body that is here as a whole has no connection any more. */
  cancel(): void {
    this.#pieces.length = 0
    this.#queuedBytes = 0
    if (this.#state !== 'open') return
    this.fail(abandoned())
    this.#source.destroy()
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }
}
