import { parseJson } from '#kit'
import { fencesOf } from './fences.ts'

/** Objects and arrays that are looked for in one text, at most. */
const MAX_VALUES = 100

/** Stretches between brackets of one text that may turn out to be none, at most. */
const MAX_TRIES = 500

/** How often each character of a text is read, at most, on average: brackets within brackets may all be none. */
const MAX_READS = 8

/**
 * The JSON in a text: all of it, else in code blocks, else wherever a brace or bracket begins what can be read. In time in
 * proportion to the text.
 */
export const jsonIn = (text: string): readonly unknown[] => {
  const whole = read(text)
  if (whole !== undefined) return [whole.value]
  const fenced = fencesOf(text).flatMap(({ body }) => {
    const found = read(body)
    return found === undefined ? [] : [found.value]
  })
  return fenced.length > 0 ? fenced : inBraces(text)
}

/** Undefined for what is no object and no array. */
const read = (text: string): { readonly value: unknown } | undefined => {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  try {
    return { value: parseJson(trimmed) }
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof RangeError) return undefined
    throw thrown
  }
}

/** Outermost stretches from a bracket to the one that closes it; those that are no JSON are looked into. */
const inBraces = (text: string): readonly unknown[] => {
  const values: unknown[] = []
  const ends = findEnds(text)
  let tries = MAX_TRIES
  let characters = MAX_READS * text.length
  let at = 0
  while (at < text.length && values.length < MAX_VALUES && tries > 0) {
    const end = ends[at] ?? 0
    if (end === 0) {
      at++
      continue
    }
    characters -= end - at
    if (characters < 0) break
    const found = read(text.slice(at, end + 1))
    if (found === undefined) tries--
    else values.push(found.value)
    at = found === undefined ? at + 1 : end + 1
  }
  return values
}

/** Where each bracket is closed; 0 for what is none. What stands between quotes inside brackets is no bracket. */
const findEnds = (text: string): Int32Array => {
  const ends = new Int32Array(text.length)
  const open: number[] = []
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at++
      // JSON has no line ends between quotes: that was another quote.
      else if (character === '"' || character === '\n') isQuoted = false
    } else if (character === '"') isQuoted = open.length > 0
    else if (character === '{' || character === '[') open.push(at)
    else if (character === '}' || character === ']') {
      const start = open.pop()
      if (start !== undefined) ends[start] = at
    }
  }
  return ends
}
