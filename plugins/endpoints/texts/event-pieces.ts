import type { TextPiece, TextPlace } from '#core/guardrails'

const NOTHING: readonly never[] = []

/** What is found in one event of a stream. Most have one piece, and many have none. */
export class EventPieces {
  #pieces: TextPiece[] | undefined
  #ends: string[] | undefined

  get pieces(): readonly TextPiece[] {
    return this.#pieces ?? NOTHING
  }

  get ends(): readonly string[] | undefined {
    return this.#ends
  }

  add(piece: TextPiece): void {
    if (this.#pieces === undefined) this.#pieces = [piece]
    else this.#pieces.push(piece)
  }

  end(track: string): void {
    if (this.#ends === undefined) this.#ends = [track]
    else if (!this.#ends.includes(track)) this.#ends.push(track)
  }

  /** Adds a text that comes whole. @param track a name that no other text of the stream has */
  addWhole(place: TextPlace, track: string): void {
    this.add({ ...place, track })
    this.end(track)
  }
}
