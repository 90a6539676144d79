import { isPlainJson, isWord, type StringWatcher } from './plain-json.ts'

const DATA = Buffer.from('data:')
const FINISH_REASON = Buffer.from('finish_reason')
const USAGE = Buffer.from('usage')
const ERROR = Buffer.from('error')
/** In a piece of a chat, and in one of a text completion. */
const DELTA = Buffer.from('delta')
const TEXT = Buffer.from('text')
const LF = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a
const LETTER_N = 0x6e

/** What can be told of an event without making values of it. */
export class EventLook implements StringWatcher {
  /** Choices that finish with it. */
  finished = 0
  hasContent = false
  mayHoldUsage = false
  mayHoldError = false
  /** One line of JSON and nothing else, like nearly all events. */
  isPlain = false

  /** Looks at the next event; what was seen of the last is forgotten. */
  look(frame: Uint8Array): void {
    this.finished = 0
    this.hasContent = false
    this.mayHoldUsage = false
    this.mayHoldError = false
    const end = frame.length - 2
    this.isPlain =
      frame[end] === LF && frame[end + 1] === LF && isWord(frame, 0, DATA) && isPlainJson(frame, DATA.length, end, this)
    if (!this.isPlain) this.#findStrings(frame)
  }

  string(bytes: Uint8Array, start: number, end: number): void {
    switch (end - start) {
      case TEXT.length:
        if (isWord(bytes, start, TEXT)) this.hasContent = true
        return
      case DELTA.length:
        if (isWord(bytes, start, DELTA)) this.hasContent = true
        else if (isWord(bytes, start, USAGE)) this.mayHoldUsage = true
        else if (isWord(bytes, start, ERROR)) this.mayHoldError = true
        return
      case FINISH_REASON.length:
        if (isWord(bytes, start, FINISH_REASON) && isFollowedByString(bytes, end + 1)) this.finished++
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

/** True for `"…"` behind a colon, and not for null. */
const isFollowedByString = (bytes: Uint8Array, from: number): boolean => {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === COLON) at++
  return bytes[at] === QUOTE
}

/** Whether an event may give one of these fields (in quotes) a value other than null. */
export const givesOneOf = (frame: Uint8Array, fields: readonly Uint8Array[]): boolean => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  for (const field of fields) {
    for (let at = bytes.indexOf(field); at !== -1; at = bytes.indexOf(field, at + 1)) {
      let next = at + field.length
      while (bytes[next] === SPACE || bytes[next] === COLON) next++
      if (bytes[next] !== LETTER_N) return true
    }
  }
  return false
}
