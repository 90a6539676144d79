/** A pattern that cannot be searched for in bounded time, or that is too large. */
export class PatternRefused extends Error {}

/** A pattern in the syntax of RE2. */
export interface Translation {
  readonly source: string
  /** How many states the pattern unfolds to, roughly and rather too many. */
  readonly size: number
}

/**
 * Spells a JavaScript pattern for RE2 (https://github.com/google/re2/wiki/Syntax, read 2026-11-22) so that it means the
 * same: `.`, `\s`, classes and escapes differ. As with JavaScript's flag `u`, a character is a code point, and `\p{…}` a
 * class. Faults of spelling are left in for the compiler to find.
 * @throws PatternRefused for what needs backtracking: look-around and references to groups
 */
export const translate = (pattern: string): Translation => new Translator(pattern).translate()

const ANY = '[\\x00-\\x{10FFFF}]'
const NONE = '[^\\x00-\\x{10FFFF}]'
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]'

/** Ranges of white space and of all else, as they stand inside a class. */
const SPACES =
  '\\x09-\\x0d\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NO_SPACES =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

interface Escape {
  /** What stands for it inside a class. */
  readonly text: string
  /** More than one character, so that it ends no range. */
  readonly isClass: boolean
}

class Translator {
  readonly #pattern: string
  #at = 0
  #out = ''
  /** Sizes of the groups that are open, the innermost last. */
  readonly #sizes = [0]
  /** Size of the piece that a repetition would repeat. */
  #last = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  translate(): Translation {
    while (this.#at < this.#pattern.length) this.#piece()
    return { source: this.#out, size: this.#sizes.reduce((total, size) => total + size, 1) }
  }

  #piece(): void {
    const character = this.#next()
    if (character === '(') this.#open()
    else if (character === ')') this.#close()
    else if (character === '{') this.#repeat()
    else if (character === '.') this.#add(NOT_LINE_END)
    else if (character === '[') this.#add(this.#class())
    else this.#add(character === '\\' ? this.#outsideClass() : character)
  }

  #add(text: string, size = 1): void {
    this.#out += text
    this.#last = size
    this.#grow(size)
  }

  #grow(size: number): void {
    this.#sizes[this.#sizes.length - 1] = (this.#sizes.at(-1) ?? 0) + size
  }

  /** Names of groups are left out: nobody asks for groups. */
  #open(): void {
    const [opening, flags] = this.#take(/\?(?:([ims]*(?:-[ims]+)?):|<(?![=!])[^>]*>)/y) ?? []
    if (opening === undefined && this.#pattern[this.#at] === '?') {
      throw new PatternRefused('look-around cannot be searched for')
    }
    this.#out += flags === undefined ? '(?:' : `(?${flags}:`
    this.#sizes.push(1)
  }

  #close(): void {
    this.#out += ')'
    if (this.#sizes.length === 1) return
    this.#last = this.#sizes.pop() ?? 0
    this.#grow(this.#last)
  }

  /** A brace that begins no repetition stands for itself. */
  #repeat(): void {
    const [counts, least, most] = this.#take(/(\d+)(?:,(\d*))?\}/y) ?? []
    if (counts === undefined) {
      this.#add('\\{')
      return
    }
    this.#out += `{${counts}`
    const copies = Math.max(Number(least), Number(most ?? 0), 1)
    this.#grow(this.#last * (copies - 1) + copies)
    this.#last = this.#last * copies + copies
  }

  #outsideClass(): string {
    const [boundary] = this.#take(/[bB]/y) ?? []
    if (boundary !== undefined) return `\\${boundary}`
    const { text, isClass } = this.#escape()
    return isClass ? `[${text}]` : text
  }

  #class(): string {
    const isNegated = this.#take(/\^/y) !== undefined
    const members: Escape[] = []
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ']') members.push(this.#member())
    // Left open where the pattern ends before the class does, for the compiler to refuse.
    const end = this.#take(/\]/y) === undefined ? '' : ']'
    if (members.length === 0 && end !== '') return isNegated ? ANY : NONE
    return `[${isNegated ? '^' : ''}${members.map((member, index) => spelled(member, index, members)).join('')}${end}`
  }

  #member(): Escape {
    const character = this.#next()
    if (character !== '\\') return { text: character === '-' ? '-' : literal(character), isClass: false }
    if (this.#take(/b/y) !== undefined) return { text: '\\x08', isClass: false }
    return this.#escape()
  }

  /** Reads what stands behind a backslash. */
  #escape(): Escape {
    if (this.#at >= this.#pattern.length) return { text: '\\', isClass: false }
    const [property] = this.#take(/[pP]\{[^}]*\}/y) ?? []
    if (property !== undefined) return { text: `\\${property}`, isClass: true }
    const [pair, high = '', low = ''] =
      this.#take(/u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y) ?? []
    if (pair !== undefined) {
      return { text: literal(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16))), isClass: false }
    }
    const [hex, two, four, braced] = this.#take(/x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}/y) ?? []
    if (hex !== undefined) return { text: `\\x{${two ?? four ?? braced}}`, isClass: false }
    if (this.#take(/0(?![0-9])/y) !== undefined) return { text: '\\x00', isClass: false }
    const letter = this.#next()
    if (/[0-9k]/.test(letter)) throw new PatternRefused('references to groups cannot be searched for')
    if (letter === 'c') throw new PatternRefused('write control characters as \\x and two digits')
    if (letter === 's') return { text: SPACES, isClass: true }
    if (letter === 'S') return { text: NO_SPACES, isClass: true }
    if (/[dDwW]/.test(letter)) return { text: `\\${letter}`, isClass: true }
    return { text: /[tnvfr]/.test(letter) ? `\\${letter}` : literal(letter), isClass: false }
  }

  /** One code point. */
  #next(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    return character
  }

  /** @param sticky looks here only */
  #take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at
    const match = sticky.exec(this.#pattern) ?? undefined
    this.#at += match?.[0].length ?? 0
    return match
  }
}

/** A dash stands for itself at both ends, and beside a class: `[\d-z]` is no range. */
const spelled = ({ text }: Escape, index: number, members: readonly Escape[]): string => {
  if (text !== '-') return text
  const isInside = index > 0 && index < members.length - 1
  const beside = [members[index - 1], members[index + 1]]
  return isInside && !beside.some((member) => member?.isClass) ? '-' : '\\-'
}

/** A character that stands for itself. */
const literal = (character: string): string => (/[a-zA-Z0-9]/.test(character) ? character : `\\x{${hexOf(character)}}`)

const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)
