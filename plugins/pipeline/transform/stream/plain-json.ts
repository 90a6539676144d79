/** Told of every string, keys and values: the place of its first byte and that behind its last. Escapes are left as they are. */
export interface StringWatcher {
  string(bytes: Uint8Array, start: number, end: number): void
}

const TAB = 0x09
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** What may come next. */
const VALUE = 0
/** A value, or the end of the array. */
const FIRST_VALUE = 1
const KEY = 2
/** A key, or the end of the object. */
const FIRST_KEY = 3
/** A comma, or the end of what is open. */
const MORE = 4

/** What is open is kept as the bits of a number. */
const MAX_DEPTH = 30

/**
 * True for bytes that are JSON on one line, found in one pass that makes no values and no strings. False says nothing: it may
 * be JSON all the same, only rarer than what is looked for here (deep, with exponents or line ends). RFC 8259.
 */
export const isPlainJson = (bytes: Uint8Array, from: number, end: number, watcher: StringWatcher): boolean => {
  let at = from
  let depth = 0
  /** One bit for each level that is open, the innermost the lowest: 1 for an object. */
  let objects = 0
  let next = VALUE
  while (at < end) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      const stop = next === MORE ? -1 : endOfString(bytes, at + 1, end)
      if (stop === -1) return false
      watcher.string(bytes, at + 1, stop)
      at = stop + 1
      if (next === KEY || next === FIRST_KEY) {
        while (bytes[at] === SPACE) at++
        if (bytes[at] !== COLON) return false
        at++
        next = VALUE
      } else next = MORE
    } else if (byte === COMMA) {
      if (next !== MORE || depth === 0) return false
      next = (objects & 1) === 1 ? KEY : VALUE
      at++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const isObject = byte === CLOSE_BRACE
      if (depth === 0 || (objects & 1) !== (isObject ? 1 : 0)) return false
      if (next !== MORE && next !== (isObject ? FIRST_KEY : FIRST_VALUE)) return false
      depth--
      objects >>>= 1
      next = MORE
      at++
    } else if (byte === SPACE || byte === TAB) at++
    else {
      if (next !== VALUE && next !== FIRST_VALUE) return false
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++depth > MAX_DEPTH) return false
        objects = (objects << 1) | (byte === OPEN_BRACE ? 1 : 0)
        next = byte === OPEN_BRACE ? FIRST_KEY : FIRST_VALUE
        at++
      } else {
        at = byte === MINUS || isDigit(byte) ? endOfNumber(bytes, at) : endOfWord(bytes, at)
        if (at === -1) return false
        next = MORE
      }
    }
  }
  return depth === 0 && next === MORE && at === end
}

/** @returns the place of the quote that ends it, or -1 */
const endOfString = (bytes: Uint8Array, from: number, end: number): number => {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at
    if (byte < SPACE) return -1
    if (byte === BACKSLASH) {
      at++
      const escaped = bytes[at] ?? 0
      if (escaped === LOWER_U) {
        for (const digits = at + 4; at < digits; at++) if (!isHex(bytes[at + 1] ?? 0)) return -1
      } else if (!ESCAPED.includes(escaped)) return -1
    }
  }
  return -1
}

/** @returns the place behind it, or -1; exponents are rare */
const endOfNumber = (bytes: Uint8Array, from: number): number => {
  let at = bytes[from] === MINUS ? from + 1 : from
  if (!isDigit(bytes[at] ?? 0)) return -1
  if (bytes[at] === ZERO) at++
  else at = endOfDigits(bytes, at)
  if (bytes[at] !== POINT) return at
  return isDigit(bytes[at + 1] ?? 0) ? endOfDigits(bytes, at + 1) : -1
}

const endOfDigits = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isDigit(bytes[at] ?? 0)) at++
  return at
}

const endOfWord = (bytes: Uint8Array, from: number): number => {
  for (const word of WORDS) if (isWord(bytes, from, word)) return from + word.length
  return -1
}

export const isWord = (bytes: Uint8Array, from: number, word: Uint8Array): boolean => {
  for (let index = 0; index < word.length; index++) if (bytes[from + index] !== word[index]) return false
  return true
}

/** True for `"…"` behind a colon, and not for null. @param from behind the quote that ends the key */
export const isFollowedByString = (bytes: Uint8Array, from: number): boolean => bytes[valueAt(bytes, from)] === QUOTE

/** The same, and not for `""` either. */
export const isFollowedByText = (bytes: Uint8Array, from: number): boolean =>
  isFollowedByString(bytes, from) && bytes[valueAt(bytes, from) + 1] !== QUOTE

/** True for `{…}` behind a colon. @param from behind the quote that ends the key */
export const isFollowedByObject = (bytes: Uint8Array, from: number): boolean =>
  bytes[valueAt(bytes, from)] === OPEN_BRACE

const valueAt = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === COLON) at++
  return at
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const WORDS = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')]
const ESCAPED: readonly number[] = [...Buffer.from('"\\/bfnrt')]
