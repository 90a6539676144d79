import { placeIn } from '#core/bodies/bytes'
import { EventText } from './event-text.ts'
import { isFollowedByObject, isFollowedByText, isPlainJson, isWord, type StringWatcher } from './plain-json.ts'

const DATA = Buffer.from('data:')
const EVENT = Buffer.from('event:')
const FINISH_REASON = Buffer.from('finish_reason')
const USAGE = Buffer.from('usage')
/** At Google. */
const USAGE_METADATA = Buffer.from('usageMetadata')
const ERROR = Buffer.from('error')
/** In a piece of a chat, and in one of a text completion. */
const DELTA = Buffer.from('delta')
const TEXT = Buffer.from('text')
const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22
const SPACE = 0x20
const COLON = 0x3a
const LETTER_N = 0x6e

/** What can be told of an event without making values of it. */
export class EventLook implements StringWatcher {
  /** Choices that finish with it. */
  finished = 0
  hasContent = false
  mayHoldUsage = false
  mayHoldError = false
  /** One line of JSON, perhaps with its name in front, and nothing else, like nearly all events. */
  isPlain = false
  readonly #text = new EventText()

  /** Bytes of text that the model wrote. Nothing where only the JSON itself tells. */
  get textBytes(): number | undefined {
    return this.isPlain && !this.#text.isUncertain ? this.#text.bytes : undefined
  }

  /** Looks at the next event; what was seen of the last is forgotten. */
  look(frame: Uint8Array): void {
    this.finished = 0
    this.hasContent = false
    this.mayHoldUsage = false
    this.mayHoldError = false
    this.#text.begin()
    const start = startOfData(frame)
    const end = endOfData(frame)
    this.isPlain = start !== -1 && end !== -1 && isPlainJson(frame, start, end, this)
    if (!this.isPlain) this.#findStrings(frame)
  }

  string(bytes: Uint8Array, start: number, end: number): void {
    if (this.#text.take(bytes, start, end)) return
    switch (end - start) {
      case TEXT.length:
        if (isWord(bytes, start, TEXT)) this.hasContent = true
        return
      case DELTA.length:
        if (isWord(bytes, start, DELTA)) this.hasContent = true
        // Many say `null` in every event but the last.
        else if (isWord(bytes, start, USAGE)) this.mayHoldUsage ||= isFollowedByObject(bytes, end + 1)
        else if (isWord(bytes, start, ERROR)) this.mayHoldError = true
        return
      case FINISH_REASON.length:
        // Some hosts write an empty one into every piece.
        if (isWord(bytes, start, FINISH_REASON) && isFollowedByText(bytes, end + 1)) this.finished++
        else if (isWord(bytes, start, USAGE_METADATA)) this.mayHoldUsage = true
        return
    }
  }

  /** Whatever is between two quotes may be one. */
  #findStrings(frame: Uint8Array): void {
    this.finished = 0
    let start = frame.indexOf(QUOTE)
    while (start !== -1) {
      const end = frame.indexOf(QUOTE, start + 1)
      if (end !== -1) this.string(frame, start + 1, end)
      start = end
    }
  }
}

/** Place behind `data:`, in the first line or behind the name of the event; else -1. */
const startOfData = (frame: Uint8Array): number => {
  const line = isWord(frame, 0, EVENT) ? frame.indexOf(LF) + 1 : 0
  return isWord(frame, line, DATA) ? line + DATA.length : -1
}

/** Whether an event may give one of these fields (in quotes) a value other than null. */
export const givesOneOf = (frame: Uint8Array, fields: readonly Uint8Array[]): boolean => {
  for (const field of fields) {
    for (let at = placeIn(frame, field); at !== -1; at = placeIn(frame, field, at + 1)) {
      let next = at + field.length
      while (frame[next] === SPACE || frame[next] === COLON) next++
      if (frame[next] !== LETTER_N) return true
    }
  }
  return false
}

/** Place of the two line ends, of one kind; else -1. */
const endOfData = (frame: Uint8Array): number => {
  const { length } = frame
  if (frame[length - 1] !== LF) return -1
  if (frame[length - 2] === LF) return length - 2
  return frame[length - 2] === CR && frame[length - 3] === LF && frame[length - 4] === CR ? length - 4 : -1
}
