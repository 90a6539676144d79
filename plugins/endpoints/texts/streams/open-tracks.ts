import type { TextPiece } from '#core/guardrails'
import type { EventPieces } from './event-pieces.ts'

/** A text that may go on, and the list that it is an item of: items come one after the other. */
interface Open {
  readonly track: string
  readonly kind: TextPiece['kind']
  readonly list: string | undefined
}

/**
 * The texts of one choice that may go on. One stops where the choice goes over to another kind, or to the next item of a list;
 * copies of it in other fields go on beside it.
 */
export class OpenTracks {
  readonly #open: Open[] = []

  /** Takes down that the event has a piece of this text. @param list absent: it is no item of a list */
  take(into: EventPieces, track: string, kind: TextPiece['kind'], list?: string): void {
    const open = this.#open
    let isKnown = false
    for (let index = open.length - 1; index >= 0; index--) {
      const other = open[index] as Open
      if (other.track === track) {
        isKnown = true
      } else if (other.kind !== kind || (list !== undefined && other.list === list)) {
        into.end(other.track)
        open.splice(index, 1)
      }
    }
    if (!isKnown) open.push({ track, kind, list })
  }

  /** Ends all of them. */
  end(into: EventPieces): void {
    for (const { track } of this.#open) into.end(track)
    this.#open.length = 0
  }
}
