import { RE2JS, RE2JSException, RE2Set } from 're2js'
import { requiredTexts } from './required-texts.ts'
import { spellingFault } from './spelling-fault.ts'
import { PatternRefused, translate } from './translate.ts'

/** Characters of a pattern, at most. */
const MAX_PATTERN = 10_000

/** States of a pattern, at most: each may cost a step for each character of a text. */
const MAX_STATES = 2_000

/** Steps of one search, at most: some hundred milliseconds. */
const MAX_STEPS = 100_000_000

/** Bytes that a pattern may hold on to for the next search; one that needs more is searched for without. */
const MAX_MEMORY = 1024 * 1024

/** Letters of flags that mean something here. `d`, `g`, `u` and `v` may stand there: all matches are found, of code points. */
const FLAGS = /^[dgimsuv]*$/

/** Why a text is no pattern that can be used, for people. */
export class PatternFault extends Error {
  /** @param position in the pattern, from 0 */
  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} (at position ${position})`)
  }
}

/** Where a match stands: from `start`, up to `end`. */
export interface Match {
  readonly start: number
  readonly end: number
}

/** An unanchored pattern, whose searches take time in proportion to the text. */
export interface Search {
  /** Characters of the longest match, or some more. Undefined where there is no longest one, or where its place in the text counts. */
  readonly longest: number | undefined
  /** Whether there is a match. @throws RangeError for a text that is too long for so large a pattern */
  test(text: string): boolean
  /** The first match from a place on. @throws RangeError as `test` */
  find(text: string, from?: number): Match | undefined
  /** All matches from a place on, each behind the one before; those that are empty too. @throws RangeError as `test` */
  matches(text: string, from?: number): Iterable<Match>
}

/**
 * Reads a pattern of JavaScript's syntax for texts of any length.
 * @param flags `i`, `m`, `s` as JavaScript knows them; others change nothing
 * @throws PatternFault for one that is none, or cannot be searched for in linear time
 */
export const readSearch = (pattern: string, flags = ''): Search => {
  if (pattern.length > MAX_PATTERN) throw new PatternFault(`is longer than ${MAX_PATTERN} characters`)
  const unknown = [...flags].find((flag) => !FLAGS.test(flag))
  if (unknown !== undefined) throw new PatternFault(`has the flag '${unknown}'; known are: d, g, i, m, s, u, v`)
  const { size, longest, isAnchored, compiled, set } = compile(pattern, flags)
  const maxCharacters = Math.floor(MAX_STEPS / size)
  const required = flags.includes('i') ? undefined : requiredTexts(pattern)
  const checkLength = (text: string): void => {
    if (text.length > maxCharacters)
      throw new RangeError(`the pattern is too large for texts of ${text.length} characters`)
  }
  return {
    longest: Number.isFinite(longest) && !isAnchored ? longest : undefined,
    test(text) {
      if (required?.every((each) => !text.includes(each))) return false
      checkLength(text)
      return set.match(text).length > 0
    },
    find(text, from = 0) {
      checkLength(text)
      const matcher = compiled.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined
    },
    *matches(text, from = 0) {
      checkLength(text)
      const matcher = compiled.matcher(text)
      let isFound = from <= text.length && matcher.find(from)
      while (isFound) {
        yield { start: matcher.start(), end: matcher.end() }
        isFound = matcher.find()
      }
    },
  }
}

const compile = (pattern: string, flags: string) => {
  try {
    const { source, ...rest } = translate(pattern, flags.includes('s'))
    if (rest.size > MAX_STATES) throw new PatternFault('is too large')
    const modes = [...flags].filter((flag) => flag === 'i' || flag === 'm').join('')
    const whole = modes === '' ? source : `(?${modes}:${source})`
    // A set is the way of the library to bound what a pattern holds on to.
    const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_MEMORY)
    const compiled = RE2JS.compile(whole)
    set.add(whole)
    set.compile()
    return { ...rest, compiled, set }
  } catch (thrown) {
    if (thrown instanceof PatternRefused)
      throw new PatternFault(`cannot be searched for: ${thrown.message}`, thrown.position)
    if (!(thrown instanceof RE2JSException)) throw thrown
    throw new PatternFault(`is no pattern: ${spellingFault(pattern, thrown)}`)
  }
}
