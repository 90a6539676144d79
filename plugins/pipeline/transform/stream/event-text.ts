import { isFollowedByString, isWord } from './plain-json.ts'

const BACKSLASH = 0x5c
const LOWER_U = 0x75

/** What the string behind a key is; also where its length is kept. */
const NOTHING = 0
const TEXT = 1
const REASONING = 2
const OTHER_REASONING = 3
const REPEATED = 4
const DELTA = 5
const TYPE = 6

const KEY_TEXT = Buffer.from('text')
const KEY_TYPE = Buffer.from('type')
const KEY_DELTA = Buffer.from('delta')
const KEY_CONTENT = Buffer.from('content')
const KEY_REFUSAL = Buffer.from('refusal')
const KEY_THINKING = Buffer.from('thinking')
const KEY_REASONING = Buffer.from('reasoning')
const KEY_ARGUMENTS = Buffer.from('arguments')
const KEY_COMPLETION = Buffer.from('completion')
const KEY_TRANSCRIPT = Buffer.from('transcript')
const KEY_PARTIAL_JSON = Buffer.from('partial_json')
const KEY_FUNCTION_CALL = Buffer.from('functionCall')
const KEY_CONTENT_BLOCKS = Buffer.from('content_blocks')
const KEY_REASONING_CONTENT = Buffer.from('reasoning_content')
const KEY_REASONING_DETAILS = Buffer.from('reasoning_details')
const RESPONSES_EVENT = Buffer.from('response.')

/**
 * Bytes of text that a model wrote in one event: what `answerTextBytes` says of its JSON, told from the strings of that JSON
 * without making values of them.
 */
export class EventText {
  readonly #lengths = new Float64Array(TYPE)
  #next = NOTHING
  #isRepeating = false
  #isResponses = false
  /** Holds something that strings alone do not tell: its JSON has to be read. */
  isUncertain = false

  /** Begins the next event. */
  begin(): void {
    this.#lengths.fill(0)
    this.#next = NOTHING
    this.#isRepeating = false
    this.#isResponses = false
    this.isUncertain = false
  }

  get bytes(): number {
    const [, text = 0, reasoning = 0, otherReasoning = 0, repeated = 0, delta = 0] = this.#lengths
    return this.#isResponses ? delta : Math.max(text + Math.max(reasoning, otherReasoning), repeated)
  }

  /** Takes the next string, a key or a value. @returns whether it was the value of a key that counts */
  take(bytes: Uint8Array, start: number, end: number): boolean {
    const kind = this.#next
    if (kind === NOTHING) {
      this.#next = this.#key(bytes, start, end)
      return false
    }
    this.#next = NOTHING
    if (kind === TYPE) this.#isResponses ||= isWord(bytes, start, RESPONSES_EVENT)
    else {
      const place = kind === TEXT && this.#isRepeating ? REPEATED : kind
      this.#lengths[place] = (this.#lengths[place] ?? 0) + decodedLength(bytes, start, end)
    }
    return true
  }

  /** @returns what comes behind it, if that is a string */
  #key(bytes: Uint8Array, start: number, end: number): number {
    switch (end - start) {
      case KEY_TEXT.length:
        if (isWord(bytes, start, KEY_TEXT)) return expected(TEXT, bytes, end)
        return isWord(bytes, start, KEY_TYPE) ? expected(TYPE, bytes, end) : NOTHING
      case KEY_DELTA.length:
        return isWord(bytes, start, KEY_DELTA) ? expected(DELTA, bytes, end) : NOTHING
      case KEY_CONTENT.length:
        return isWord(bytes, start, KEY_CONTENT) || isWord(bytes, start, KEY_REFUSAL) ? this.#own(bytes, end) : NOTHING
      case KEY_THINKING.length:
        return isWord(bytes, start, KEY_THINKING) ? expected(TEXT, bytes, end) : NOTHING
      case KEY_REASONING.length:
        if (isWord(bytes, start, KEY_ARGUMENTS)) return this.#own(bytes, end)
        return isWord(bytes, start, KEY_REASONING) ? expected(REASONING, bytes, end) : NOTHING
      case KEY_COMPLETION.length:
        return isWord(bytes, start, KEY_COMPLETION) || isWord(bytes, start, KEY_TRANSCRIPT)
          ? expected(TEXT, bytes, end)
          : NOTHING
      case KEY_PARTIAL_JSON.length:
        if (isWord(bytes, start, KEY_PARTIAL_JSON)) return expected(TEXT, bytes, end)
        this.isUncertain ||= isWord(bytes, start, KEY_FUNCTION_CALL)
        return NOTHING
      case KEY_CONTENT_BLOCKS.length:
        if (isWord(bytes, start, KEY_CONTENT_BLOCKS)) this.#isRepeating = true
        return NOTHING
      case KEY_REASONING_CONTENT.length:
        if (isWord(bytes, start, KEY_REASONING_DETAILS)) this.#isRepeating = true
        return isWord(bytes, start, KEY_REASONING_CONTENT) ? expected(OTHER_REASONING, bytes, end) : NOTHING
    }
    return NOTHING
  }

  /** A field that stands beside the repeating ones, and ends them. */
  #own(bytes: Uint8Array, end: number): number {
    this.#isRepeating = false
    return expected(TEXT, bytes, end)
  }
}

const expected = (kind: number, bytes: Uint8Array, end: number): number =>
  isFollowedByString(bytes, end + 1) ? kind : NOTHING

/** Length in UTF-8 of a string of JSON once its escapes are read. */
const decodedLength = (bytes: Uint8Array, start: number, end: number): number => {
  let length = end - start
  for (let at = start; at < end; at++) {
    if (bytes[at] !== BACKSLASH) continue
    at++
    if (bytes[at] !== LOWER_U) {
      length--
      continue
    }
    length -= 6 - lengthOfEscape(bytes, at + 1)
    at += 4
  }
  return length
}

/** A pair of surrogates is four bytes: two for each. */
const lengthOfEscape = (bytes: Uint8Array, at: number): number => {
  const high = hexDigit(bytes[at]) * 16 + hexDigit(bytes[at + 1])
  if (high >= 0xd8 && high <= 0xdf) return 2
  if (high >= 8) return 3
  return high > 0 || hexDigit(bytes[at + 2]) >= 8 ? 2 : 1
}

const hexDigit = (byte = 0): number => (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57)
