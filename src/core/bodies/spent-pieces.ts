/**
 * Frees the memory of pieces that were used up, ahead of the collector: beside a large heap it lets hundreds of megabytes
 * of them gather. Only for whom nobody else keeps a piece, or a view of one.
 */
export class SpentPieces {
  #buffer: ArrayBufferLike | undefined

  /** All pieces before this one were used up. Several may be views of one buffer, one behind the other. */
  next({ buffer }: Uint8Array): void {
    const last = this.#buffer
    this.#buffer = buffer
    if (last !== buffer && last instanceof ArrayBuffer) last.transfer(0)
  }
}
