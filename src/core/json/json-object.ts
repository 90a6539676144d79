import { InvalidRequest } from '../../errors/gateway-error.ts'
import { mayRound, parseExactly } from './exact-numbers.ts'
import { foldedName, type KnownFields, REQUEST_FIELDS } from './known-fields.ts'

/** How deep arrays and objects of a body may be nested: deeper ones are only ever sent to break parsers. */
const MAX_DEPTH = 128

/**
 * Keys that all objects of a body may have together. A key that was not met before costs a parser some microseconds, so that a
 * body full of them would hold up everybody's calls for seconds.
 */
const MAX_KEYS = 100_000

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads one JSON object as every other reader of the same bytes must read it: whoever gets them next may take the first of
 * two equal keys where we take the last, or a key in another case for one of ours.
 * @throws InvalidRequest for anything else than one object in UTF-8 whose keys can only be read in one way
 */
export const readJsonObject = (bytes: Uint8Array): Record<string, unknown> => {
  const value = readJsonObjects(bytes)
  if (Array.isArray(value)) throw new InvalidRequest('The request body must be a JSON object.')
  return value as Record<string, unknown>
}

/**
 * The same for an object or a list.
 * @param known the fields that are acted on, in which no two readers may differ
 * @param isExact whether it may be written again, so that numbers are kept that would change (`parseExactly`)
 * @throws InvalidRequest
 */
export const readJsonObjects = (bytes: Uint8Array, known = REQUEST_FIELDS, isExact = false): object => {
  if (bytes.length === 0) throw new InvalidRequest('The request body is empty: send a JSON object.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new InvalidRequest('The request body is not valid UTF-8.')
  }
  const written = countKeys(bytes, 'The request body', 0)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The engine's message quotes the body, so ours does not repeat it.
    throw new InvalidRequest('The request body is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null) {
    throw new InvalidRequest('The request body must be a JSON object.')
  }
  if (written !== checkedKeys(value, known)) {
    const name = repeatedKey(bytes)
    throw new InvalidRequest(`The request body has the key '${name}' twice in one object.`, { param: name })
  }
  return isExact && mayRound(text) ? (parseExactly(text) as object) : value
}

/**
 * Counts the keys of JSON in one pass over its bytes, before a parser sees them: each key is followed by a colon.
 * @param what begins the message of a refusal
 * @param before keys that count against the same bound already
 * @returns how many there are, with those before
 * @throws InvalidRequest for deep nesting, and for more keys than are sent for any other purpose than to break parsers
 */
export const countKeys = (bytes: Uint8Array, what: string, before: number): number => {
  let depth = 0
  let keys = before
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      index = endOfString(bytes, index)
    } else if (byte === COLON) {
      keys++
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++
      if (depth > MAX_DEPTH) throw new InvalidRequest(`${what} is nested deeper than ${MAX_DEPTH} levels.`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  if (keys > MAX_KEYS) throw new InvalidRequest(`${what} has more than ${MAX_KEYS} keys.`)
  return keys
}

/** Index of the quote that ends the string which starts at `start`; `indexOf` runs over long texts at memory speed. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let end = start
  for (;;) {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end === -1) return bytes.length
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/**
 * How many keys a parsed value has, in all of its objects.
 * @param known what the objects are, where the gateway acts on them
 * @throws InvalidRequest for a key that differs from a known one in its case only
 */
const checkedKeys = (value: object, known: KnownFields | undefined): number => {
  let keys = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && item !== null) keys += checkedKeys(item, known)
    }
    return keys
  }
  const values = value as Readonly<Record<string, unknown>>
  for (const name in values) {
    keys++
    if (known !== undefined && !known.names.has(name)) refuseOtherCase(name, known)
    const inner = values[name]
    if (typeof inner === 'object' && inner !== null) keys += checkedKeys(inner, known?.inner.get(name))
  }
  return keys
}

const refuseOtherCase = (name: string, { names }: KnownFields): void => {
  const folded = foldedName(name)
  if (!names.has(folded)) return
  throw new InvalidRequest(`The key '${name}' must be written '${folded}': some readers take one for the other.`, {
    param: name,
  })
}

/** Longest name that an error repeats. */
const MAX_NAME_CHARACTERS = 100

/** The first key that an object of the text, which is valid JSON, has twice. */
const repeatedKey = (bytes: Uint8Array): string => {
  /** Keys of the objects that are open; nothing for an array. */
  const open: (Set<string> | undefined)[] = []
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === OPEN_BRACE) open.push(new Set())
    else if (byte === OPEN_BRACKET) open.push(undefined)
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open.pop()
    else if (byte === QUOTE) {
      const start = index
      index = endOfString(bytes, start)
      const keys = open.at(-1)
      if (keys === undefined || !isColonNext(bytes, index + 1)) continue
      const key = String(JSON.parse(decoder.decode(bytes.subarray(start, index + 1))))
      if (keys.has(key)) return key.slice(0, MAX_NAME_CHARACTERS)
      keys.add(key)
    }
  }
  return ''
}

const isColonNext = (bytes: Uint8Array, from: number): boolean => {
  let index = from
  // The white space of JSON, all of it below.
  while ((bytes[index] ?? COLON) <= 0x20) index++
  return bytes[index] === COLON
}
