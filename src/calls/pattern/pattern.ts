import { RE2JSException, RE2Set } from 're2js'
import { spellingFault } from './spelling-fault.ts'
import { PatternRefused, translate } from './translate.ts'

/** Characters of a pattern, at most. */
const MAX_PATTERN = 512

/** States of a pattern, at most: each costs a step for each character of a text. */
const MAX_STATES = 1_000

/** Characters of a text, at most. */
const MAX_TEXT = 10_000

/** Steps of one search, at most, so that it takes some milliseconds: the larger the pattern, the shorter the text. */
const MAX_STEPS = 1_000_000

/** Bytes that a pattern may hold on to for the next search; one that needs more is searched for without. */
const MAX_MEMORY = 64 * 1024

/** Steps that it takes to compile a pattern, for each of its states and besides. */
const COMPILE_STEPS = { state: 20, pattern: 1_000 }

/** An unanchored pattern without flags, whose searches take time in proportion to the text. */
export interface Pattern {
  /** How many states it has, roughly. */
  readonly size: number
  /** Steps that a search takes at most, the first one more; infinite for a text that is too long, which is never searched. */
  stepsFor(text: string): number
  /** False for a text that is too long, and always for a pattern that is none. */
  test(text: string): boolean
  /** What is wrong with its spelling, for people. */
  fault(): string | undefined
}

/**
 * Reads a pattern of JavaScript's syntax. It is compiled when it is first used. JavaScript's own engine can take hours for
 * one such as `a*a*b`, while every other call waits; this one follows all ways at once.
 * @throws PatternRefused for one that is too long or too large, or that needs backtracking
 */
export const readPattern = (pattern: string): Pattern => {
  if (pattern.length > MAX_PATTERN) throw new PatternRefused(`the pattern is longer than ${MAX_PATTERN} characters`)
  const { source, size } = translate(pattern)
  if (size > MAX_STATES) throw new PatternRefused('the pattern is too large')
  const longest = Math.min(MAX_TEXT, Math.floor(MAX_STEPS / size))

  let compiled: RE2Set | string | undefined
  const compile = (): RE2Set | string => {
    compiled ??= toSet(pattern, source)
    return compiled
  }

  return {
    size,
    stepsFor({ length }) {
      if (length > longest) return Number.POSITIVE_INFINITY
      return (length + 1) * size + (compiled === undefined ? COMPILE_STEPS.pattern + COMPILE_STEPS.state * size : 0)
    },
    test(text) {
      if (text.length > longest) return false
      const set = compile()
      return typeof set !== 'string' && set.match(text).length > 0
    },
    fault() {
      const set = compile()
      return typeof set === 'string' ? set : undefined
    },
  }
}

/** A set of one: the way of the library to bound what a pattern holds on to. */
const toSet = (pattern: string, source: string): RE2Set | string => {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_MEMORY)
  try {
    set.add(source)
    set.compile()
    return set
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown
    return spellingFault(pattern, thrown)
  }
}
