import { RE2JS, RE2JSException, RE2Set } from 're2js'
import type { Redaction } from '../../core/log-settings.ts'
import { spellingFault } from './spelling-fault.ts'
import { PatternRefused, translate } from './translate.ts'

/** What stands where something was taken out. */
export const REDACTED = '[redacted]'

/** States of the patterns that one owner may have, at most: each costs a step for each character of a text. */
const MAX_STATES = 250

/** Steps of one redaction, at most, so that it takes some milliseconds. */
const MAX_STEPS = 2_000_000

/** A longer text is kept of no body. */
const MAX_CHARACTERS = 1024 * 1024

/** Bytes that the search for all patterns at once may hold on to. */
const MAX_MEMORY = 256 * 1024

/**
 * Reads patterns of JavaScript's syntax, whose searches take time in proportion to the text, whatever stands in it. They are
 * compiled when a text comes.
 * @throws PatternRefused for one that needs backtracking
 */
export const readRedaction = (patterns: readonly string[]): Redaction => {
  const translations = patterns.map((pattern) => translate(pattern))
  const size = translations.reduce((sum, each) => sum + each.size, 0)
  const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(MAX_STEPS / Math.max(size, 1)))

  let compiled: { readonly all: RE2Set; readonly each: readonly RE2JS[] } | undefined
  const compile = () => {
    const all = new RE2Set(RE2Set.UNANCHORED, 0, MAX_MEMORY)
    for (const { source } of translations) all.add(source)
    all.compile()
    return { all, each: translations.map(({ source }) => RE2JS.compile(source)) }
  }

  return {
    maxCharacters,
    redact(text) {
      if (text.length > maxCharacters) throw new RangeError('the text is too long to be searched')
      compiled ??= compile()
      // All at once says which of them are there at all: most texts hold none.
      let redacted = text
      for (const index of compiled.all.match(text)) {
        redacted = compiled.each[index]?.matcher(redacted).replaceAll(REDACTED) ?? redacted
      }
      return redacted
    },
  }
}

/** Whether patterns are larger together than an owner may have. Those that cannot be read count for nothing. */
export const areTooLarge = (patterns: readonly string[]): boolean =>
  patterns.reduce((size, pattern) => size + (redactionFault(pattern) === undefined ? translate(pattern).size : 0), 0) >
  MAX_STATES

/** What is wrong with a pattern, for people. */
export const redactionFault = (pattern: string): string | undefined => {
  try {
    const compiled = RE2JS.compile(translate(pattern).source)
    return compiled.matcher('').find() ? 'fits the empty text too' : undefined
  } catch (thrown) {
    if (thrown instanceof PatternRefused) return thrown.message
    if (thrown instanceof RE2JSException) return spellingFault(pattern, thrown)
    throw thrown
  }
}
