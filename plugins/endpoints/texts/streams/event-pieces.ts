import type { TextPiece, TextPlace } from '#core/guardrails'
import { isRecord, parseJson } from '#kit'

const NOTHING: readonly never[] = []

/** The JSON object of an event; undefined for one without, such as a mark of the end. @throws SyntaxError */
export const fieldsOf = (data: string): Readonly<Record<string, unknown>> | undefined => {
  if (!data.startsWith('{')) {
    const text = data.trim()
    if (text === '' || text.startsWith('[DONE]')) return undefined
  }
  const value = parseJson(data)
  return isRecord(value) ? value : undefined
}

/** What is found in one event of a stream. Most have one piece, and many have none. */
export class EventPieces {
  readonly #event: number
  #pieces: TextPiece[] | undefined
  #ends: string[] | undefined

  /** @param event its number in the stream: no two texts that come whole have the same name */
  constructor(event: number) {
    this.#event = event
  }

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

  /** Adds texts that come whole in this event. */
  addWhole(places: readonly TextPlace[]): void {
    for (const place of places) {
      const track = `whole.${this.#event}.${this.pieces.length}`
      this.add({ ...place, track })
      this.end(track)
    }
  }
}
