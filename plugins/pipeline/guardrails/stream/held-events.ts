import { withTexts } from '#calls/guardrails/with-texts'
import type { ReadEvent } from '#core/guardrails'
import { decodeFrame, encodeEvent, isRecord, parseJson } from '#kit'
import type { SaidEvent } from './stream-reader.ts'

/** An event of a stream that is held back. */
export interface HeldEvent {
  /** Its bytes as they came. */
  readonly frame: Uint8Array
  /** Absent for one without JSON. */
  readonly said: SaidEvent | undefined
  /** Pieces of it that are held. */
  waits: number
  /** Pieces that were changed, by their place. */
  texts: Map<number, string> | undefined
}

/** Events in the order in which they came, of which the first ones go out as soon as nothing of them is held. */
export class HeldEvents {
  #events: HeldEvent[] = []
  /** The first one that did not go out. */
  #first = 0
  #bytes = 0
  #last: ReadEvent | undefined
  #hasSaid = false

  /** Bytes of what is held. */
  get bytes(): number {
    return this.#bytes
  }

  /** The last event that went out. */
  get last(): ReadEvent | undefined {
    return this.#last
  }

  /** Whether a text went out. */
  get hasSaid(): boolean {
    return this.#hasSaid
  }

  add(event: HeldEvent): void {
    this.#events.push(event)
    this.#bytes += event.frame.length
  }

  /**
   * Takes what may go out: one piece of bytes, the very ones that came where nothing in them was changed.
   * @throws Error for a change that cannot be made
   */
  take(): Uint8Array | undefined {
    const frames: Uint8Array[] = []
    for (;;) {
      const event = this.#events[this.#first]
      if (event === undefined || event.waits > 0) break
      this.#first++
      this.#bytes -= event.frame.length
      frames.push(written(event))
      if (event.said === undefined) continue
      this.#last = event.said.read
      this.#hasSaid ||= event.said.read.pieces.length > 0
    }
    if (this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first)
      this.#first = 0
    }
    return frames.length === 0 ? undefined : joined(frames)
  }

  drop(): void {
    this.#events = []
    this.#first = 0
    this.#bytes = 0
  }
}

const written = ({ frame, said, texts }: HeldEvent): Uint8Array => {
  if (said === undefined || texts === undefined) return frame
  const { event, data } = decodeFrame(frame) ?? {}
  const fields = parseJson(data ?? '')
  if (!isRecord(fields)) return frame
  const { pieces } = said
  const changed = pieces.map(({ text }, index) => texts.get(index) ?? text)
  return encodeEvent(JSON.stringify(withTexts(fields, pieces, changed)), event)
}

/** As one piece. Nothing asks for the buffer of a piece: one that was just made gets it only then, which takes longer than to copy it. */
export const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return first
  let length = 0
  for (const piece of pieces) length += piece.length
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
