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

/** Frees the memory of a piece that was used up, unless it is a part of something larger. Only for whom nobody else keeps it. */
export const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
