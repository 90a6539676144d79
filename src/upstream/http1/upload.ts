import type { BodyStream } from '../../core/ports.ts'
import { LATER, type ReadyStream } from '../../core/ready-stream.ts'

const CRLF = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** A streamed body on its way out: a piece is read when the system took the one before. */
export class Upload {
  readonly #source: ReadyStream
  /** Bytes that are still to come; unknown: it goes out in chunks. */
  #left: number | undefined
  readonly #takes: (bytes: Uint8Array) => boolean
  #isStopped = false

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
    if (this.#left === undefined) {
      return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, CRLF])
    }
    this.#left -= piece.length
    // More than was announced would be the next request.
    if (this.#left < 0) throw otherLength()
    return piece
  }

  #end(): void {
    if (this.#left === undefined) this.#takes(LAST_CHUNK)
    else if (this.#left > 0) throw otherLength()
  }
}

const otherLength = (): Error => new Error('a streamed request body has another length than was announced')
