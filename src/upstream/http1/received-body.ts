import { LATER, type ReadyStream, type Taken } from '../../core/bodies/ready-stream.ts'
import { HIGH_WATER_BYTES, MAX_PIECE_BYTES } from './bounds.ts'
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

/** The body of one answer: pieces that have come and wait to be read, or one reader that waits for them. */
export class ReceivedBody implements ReadyStream {
  readonly #source: Source
  /** A few hundred at most. */
  readonly #pieces: Uint8Array[] = []
  #queuedBytes = 0
  /** The piece that the reader has in its hands. */
  #handedBytes = 0
  /** Waits for the next piece. */
  #listener: (() => void) | undefined
  #state: 'open' | 'ended' | 'failed' = 'open'
  #failure: unknown

  constructor(source: Source) {
    this.#source = source
  }

  /** Whether as much has come as may wait: nothing more should be read from the network before the reader asks for it. */
  get full(): boolean {
    return this.#queuedBytes + this.#handedBytes > HIGH_WATER_BYTES
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#queuedBytes += piece.length + PIECE_OVERHEAD_BYTES
    this.#tell()
  }

  /** The last byte has come. */
  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    this.#tell()
  }

  /** What came before is still read; then the error is thrown. */
  fail(error: unknown): void {
    if (this.#state !== 'open') return
    this.#state = 'failed'
    this.#failure = error
    // Whoever gives up a call finishes what that means first, before whoever reads hears of it.
    if (this.#listener !== undefined) queueMicrotask(() => this.#tell())
  }

  take(): Taken {
    const first = this.#pieces[0]
    if (first === undefined) return this.#rest()
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

  whenReady(listener: () => void): void {
    this.#listener = listener
    this.#handedBytes = 0
    this.#source.resume()
  }

  /** Gives up what has not come yet, and what has. A body that is here as a whole has no connection any more. */
  cancel(): void {
    this.#pieces.length = 0
    this.#queuedBytes = 0
    if (this.#state !== 'open') return
    this.fail(abandoned())
    this.#source.destroy()
  }

  /** What there is to tell when no piece is left. */
  #rest(): undefined | typeof LATER {
    if (this.#state === 'failed') throw this.#failure
    return this.#state === 'ended' ? undefined : LATER
  }

  #tell(): void {
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}
