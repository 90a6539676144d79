import { parsePattern } from './parse.ts'
import { type Program, type State, toProgram } from './program.ts'
import { type Assertion, PatternRefused, type Range, WORD_CHARACTERS } from './syntax.ts'

/** Longest text that is searched; a longer one never matches. */
const MAX_TEXT = 10_000

/** Most steps of one search, so that it takes some milliseconds at most: the longer the pattern, the shorter the text. */
const MAX_STEPS = 1_000_000

/** Longest pattern. */
const MAX_PATTERN = 512

/**
 * Compiles an unanchored pattern without flags. JavaScript's own engine can take minutes for a pattern such as `a*a*b`,
 * while every other call waits; here the time is bounded by the length of pattern and text. A pattern that JavaScript
 * does not accept matches nothing.
 * @throws PatternRefused for one that is too long or needs backtracking
 */
export const compilePattern = (source: string): ((text: string) => boolean) => {
  if (source.length > MAX_PATTERN) throw new PatternRefused(`the pattern is longer than ${MAX_PATTERN} characters`)
  if (!isPattern(source)) return () => false
  const program = toProgram(parsePattern(source))
  const longest = Math.min(MAX_TEXT, Math.floor(MAX_STEPS / program.states.length))
  return (text) => text.length <= longest && search(program, text)
}

const isPattern = (source: string): boolean => {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

/** Follows every way through the program at once, one character of the text at a time. */
const search = ({ states, start }: Program, text: string): boolean => {
  /** At which position each state was entered last, so that none is entered twice there. */
  const entered = new Int32Array(states.length).fill(-1)
  let waiting: State[] = []
  let found = false

  const enter = (first: number, at: number, into: State[]): void => {
    const open = [first]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const state = states[index]
      if (state === undefined || entered[index] === at) continue
      entered[index] = at
      if (state.kind === 'found') found = true
      else if (state.kind === 'set') into.push(state)
      else if (state.kind === 'fork') open.push(...state.ways)
      else if (holds(state.where, text, at)) open.push(state.next)
    }
  }

  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at - 1)
    const next: State[] = []
    for (const state of waiting) {
      if (state.kind === 'set' && includes(state.ranges, code) !== state.negated) enter(state.next, at, next)
    }
    enter(start, at, next)
    if (found) return true
    waiting = next
  }
  return false
}

const includes = (ranges: readonly Range[], code: number): boolean => {
  for (const [from, to] of ranges) if (code >= from && code <= to) return true
  return false
}

const isWord = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && includes(WORD_CHARACTERS, text.charCodeAt(at))

const holds = (where: Assertion, text: string, at: number): boolean => {
  switch (where) {
    case 'start':
      return at === 0
    case 'end':
      return at === text.length
    case 'word-boundary':
      return isWord(text, at - 1) !== isWord(text, at)
    case 'no-word-boundary':
      return isWord(text, at - 1) === isWord(text, at)
  }
}
