import { PatternFault, readSearch, type Search } from '#calls/pattern/search'
import { InvalidParameters } from '#kit'

/** A rule as operators write it: a pattern, or `/pattern/flags`. */
const WITH_FLAGS = /^\/(.+)\/([a-z]*)$/s

/**
 * Reads a rule, whose searches take time in proportion to the text.
 * @param path of the parameter
 * @throws InvalidParameters where it is none, with the position of the fault
 */
export const readRule = (rule: string, path: string, mayHaveFlags = false): Search => {
  const [, pattern = rule, flags = ''] = (mayHaveFlags ? WITH_FLAGS.exec(rule) : null) ?? []
  try {
    return readSearch(pattern, flags)
  } catch (thrown) {
    if (!(thrown instanceof PatternFault)) throw thrown
    throw new InvalidParameters([{ path, message: thrown.message }])
  }
}

/** Characters around a match that decide about it: one on each side, as of `\b`. */
const SURROUNDINGS = 2

/** What a check that refuses or changes matches needs to see of a stream. Undefined: all of it. */
export const reachOf = ({ longest }: Search): number | undefined =>
  longest === undefined ? undefined : longest + SURROUNDINGS
