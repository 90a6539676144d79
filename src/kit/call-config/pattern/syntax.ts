/** Code units from one to the other, both included. */
export type Range = readonly [from: number, to: number]

/** A pattern, taken apart. */
export type Syntax =
  | { readonly kind: 'set'; readonly ranges: readonly Range[]; readonly negated: boolean }
  | { readonly kind: 'assertion'; readonly where: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'repeat'; readonly part: Syntax; readonly min: number; readonly max: number }

export type Assertion = 'start' | 'end' | 'word-boundary' | 'no-word-boundary'

/** A pattern that JavaScript knows, but that cannot be searched for in bounded time, or that is too large. */
export class PatternRefused extends Error {}

const DIGITS: readonly Range[] = [[0x30, 0x39]]

export const WORD_CHARACTERS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]

export const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

const WHITE_SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

/** All code units that are in none of the ranges, which are sorted and apart. */
const outside = (ranges: readonly Range[]): readonly Range[] => {
  const gaps: Range[] = []
  let next = 0
  for (const [from, to] of ranges) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  return [...gaps, [next, 0xffff]]
}

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGITS,
  D: outside(DIGITS),
  w: WORD_CHARACTERS,
  W: outside(WORD_CHARACTERS),
  s: WHITE_SPACE,
  S: outside(WHITE_SPACE),
}

const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/**
 * What stands behind a backslash, in a class and outside: one code unit or a class of them, and how many characters it took.
 * @throws PatternRefused for a reference to a group, and for rare spellings of characters
 */
export const readEscape = (
  source: string,
  at: number,
): { readonly ranges: readonly Range[]; readonly length: number } => {
  const letter = source[at] ?? ''
  const set = CLASSES[letter]
  if (set !== undefined) return { ranges: set, length: 1 }
  const control = CONTROLS[letter]
  if (control !== undefined) return unit(control, 1)
  const [hex, digits] = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at, at + 5)) ?? []
  if (hex !== undefined) return unit(Number.parseInt(digits ?? hex.slice(1), 16), hex.length)
  if (letter === '0' && !/[0-9]/.test(source[at + 1] ?? '')) return unit(0, 1)
  if (/[0-9k]/.test(letter)) throw new PatternRefused('references to groups cannot be searched for')
  if (letter === 'c') throw new PatternRefused('write control characters as \\x and two digits')
  return unit(letter.charCodeAt(0), 1)
}

const unit = (code: number, length: number) => ({ ranges: [[code, code]] as const, length })
