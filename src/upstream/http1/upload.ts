import { LATER, type ReadyStream } from '../../core/bodies/ready-stream.ts'
import type { BodyStream } from '../../core/ports.ts'

const CRLF = '\r\n'
/** Around the bytes of a chunk: eight digits of its size, and two ends of lines. */
const MAX_FRAME_BYTES = 12
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const NO_FRAME = Buffer.alloc(0)

/** A streamed body on its way out: a piece is read when the system took the one before. */
export class Upload {
  readonly #source: ReadyStream
  /** Bytes that are still to come; unknown: it goes out in chunks. */
  #left: number | undefined
  readonly #takes: (bytes: Uint8Array) => boolean
  #isStopped = false
  #frame: Buffer = NO_FRAME

  /** @param takes hands bytes to the system; false: it did not take all of them, and tells when it has */
  constructor({ stream, length }: BodyStream, takes: (bytes: Uint8Array) => boolean) {
    this.#source = stream
    this.#left = length
    this.#takes = takes
  }

  /**
   * Sends what is here, as long as the system takes it.
   * @param later is called when there is more
   * @returns whether that was all
   * @throws what the source throws, and for another length than was announced
   */
  send(later: () => void): boolean {
    while (!this.#isStopped) {
      const piece = this.#source.take()
      if (piece === LATER) {
        this.#source.whenReady(later)
        return false
      }
      if (piece === undefined) {
        this.#end()
        return true
      }
      if (piece.length > 0 && !this.#takes(this.#framed(piece))) return false
    }
    return false
  }

  stop(): void {
    this.#isStopped = true
    this.#source.cancel()
  }

  #framed(piece: Uint8Array): Uint8Array {
    if (this.#left === undefined) return this.#chunk(piece)
    this.#left -= piece.length
    // More than was announced would be the next request.
    if (this.#left < 0) throw otherLength()
    return piece
  }

  /** The next piece is read when this one is gone, so that one buffer serves them all. */
  #chunk(piece: Uint8Array): Uint8Array {
    const length = piece.length + MAX_FRAME_BYTES
    if (this.#frame.length < length) this.#frame = Buffer.allocUnsafeSlow(length)
    const frame = this.#frame
    let end = frame.write(`${piece.length.toString(16)}\r\n`, 'latin1')
    frame.set(piece, end)
    end += piece.length
    end += frame.write(CRLF, end, 'latin1')
    return frame.subarray(0, end)
  }

  #end(): void {
    if (this.#left === undefined) this.#takes(LAST_CHUNK)
    else if (this.#left > 0) throw otherLength()
  }
}

const otherLength = (): Error => new Error('a streamed request body has another length than was announced')
