/** A pattern that cannot be searched for in bounded time, or that is too large. */
export class PatternRefused extends Error {
  /** Where in the pattern, from 0. */
  readonly position: number | undefined

  constructor(message: string, position?: number) {
    super(message)
    this.position = position
  }
}

/** A pattern in the syntax of RE2. */
export interface Translation {
  readonly source: string
  /** How many states the pattern unfolds to, roughly and rather too many. */
  readonly size: number
  /** UTF-16 units of its longest match, or some more; infinite where there is no longest. */
  readonly longest: number
  /** It asks where the text, or a line, begins or ends. */
  readonly isAnchored: boolean
}

/** A group that is open. */
interface Group {
  size: number
  /** Of the alternative that is read, up to its last piece. */
  length: number
  /** Of the alternatives before. */
  longest: number
  /** A dot stands for ends of lines too. */
  readonly isDotAll: boolean
}

const group = (isDotAll: boolean, size = 0): Group => ({ size, length: 0, longest: 0, isDotAll })

/**
 * Spells a JavaScript pattern for RE2 (https://github.com/google/re2/wiki/Syntax, read 2026-11-22) so that it means the
 * same: `.`, `\s`, classes and escapes differ. As with JavaScript's flag `u`, a character is a code point, and `\p{…}` a
 * class. Faults of spelling are left in for the compiler to find.
 * @param isDotAll a dot stands for ends of lines too
 * @throws PatternRefused for what needs backtracking: look-around and references to groups
 */
export const translate = (pattern: string, isDotAll = false): Translation =>
  new Translator(pattern, isDotAll).translate()

/**
 * Where in a pattern, from 0, a fault of spelling stands.
 * @param compiles whether the compiler takes a translation
 */
export const faultPosition = (pattern: string, compiles: (source: string) => boolean): number =>
  new Translator(pattern, false).findFault(compiles)

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
  /** UTF-16 units of what it stands for, at most. */
  readonly length: number
  /** More than one character, so that it ends no range. */
  readonly isClass: boolean
}

class Translator {
  readonly #pattern: string
  #at = 0
  /** Where the piece begins that is read. */
  #start = 0
  #out = ''
  /** Those that are open, the innermost last. The first is the pattern itself. */
  readonly #groups: [Group, ...Group[]]
  /** The piece that a repetition would repeat. */
  #last = { size: 0, length: 0 }
  #isAnchored = false

  constructor(pattern: string, isDotAll: boolean) {
    this.#pattern = pattern
    this.#groups = [group(isDotAll)]
  }

  translate(): Translation {
    while (this.#at < this.#pattern.length) this.#piece()
    return this.#translation()
  }

  /**
   * Where the first piece stands with which the pattern cannot be compiled, however it goes on: of a group that is never closed,
   * its end. A pattern may have thousands of pieces, so it is looked for by halves.
   */
  findFault(compiles: (source: string) => boolean): number {
    const pieces: { readonly start: number; readonly outEnd: number; readonly open: number }[] = []
    while (this.#at < this.#pattern.length) {
      this.#piece()
      pieces.push({ start: this.#start, outEnd: this.#out.length, open: this.#groups.length - 1 })
    }
    let from = 0
    let to = pieces.length
    while (from < to) {
      const middle = (from + to) >> 1
      const { outEnd = 0, open = 0 } = pieces[middle] ?? {}
      if (compiles(this.#out.slice(0, outEnd) + ')'.repeat(open))) from = middle + 1
      else to = middle
    }
    return pieces[from]?.start ?? this.#pattern.length
  }

  #translation(): Translation {
    return {
      source: this.#out,
      size: this.#groups.reduce((total, { size }) => total + size, 1),
      longest: this.#groups.reduce((total, { length, longest }) => total + Math.max(length, longest), 0),
      isAnchored: this.#isAnchored,
    }
  }

  #piece(): void {
    this.#start = this.#at
    const character = this.#next()
    if (character === '(') this.#open()
    else if (character === ')') this.#close()
    else if (character === '{') this.#repeat()
    else if (character === '.') this.#add(this.#group.isDotAll ? ANY : NOT_LINE_END, 2)
    else if (character === '[') this.#add(this.#class(), 2)
    else if (character === '\\') this.#outsideClass()
    else if (character === '|') this.#alternative()
    else if (character === '*' || character === '+') this.#many(character)
    else if (character === '^' || character === '$') this.#anchor(character)
    else this.#add(character, character === '?' ? 0 : character.length)
  }

  get #group(): Group {
    return this.#groups.at(-1) ?? this.#groups[0]
  }

  #add(text: string, length: number): void {
    this.#out += text
    this.#last = { size: 1, length }
    this.#grow(1, length)
  }

  #grow(size: number, length: number): void {
    this.#group.size += size
    this.#group.length += length
  }

  #alternative(): void {
    this.#add('|', 0)
    this.#group.longest = Math.max(this.#group.longest, this.#group.length)
    this.#group.length = 0
  }

  #many(character: string): void {
    const { length } = this.#last
    this.#add(character, length === 0 ? 0 : Number.POSITIVE_INFINITY)
  }

  #anchor(character: string): void {
    this.#isAnchored = true
    this.#add(character, 0)
  }

  /** Names of groups are left out: nobody asks for groups. */
  #open(): void {
    const [opening, flags] = this.#take(/\?(?:([ims]*(?:-[ims]+)?):|<(?![=!])[^>]*>)/y) ?? []
    if (this.#take(/\?[a-zA-Z-]+\)/y) !== undefined) {
      throw new PatternRefused('flags hold for a group: (?i:…)', this.#start)
    }
    if (opening === undefined && this.#pattern[this.#at] === '?') {
      throw new PatternRefused('look-around cannot be searched for', this.#start)
    }
    this.#out += flags === undefined ? '(?:' : `(?${flags}:`
    const [on = '', off = ''] = (flags ?? '').split('-')
    this.#groups.push(group(on.includes('s') || (this.#group.isDotAll && !off.includes('s')), 1))
  }

  #close(): void {
    this.#out += ')'
    if (this.#groups.length === 1) return
    const { size = 0, length = 0, longest = 0 } = this.#groups.pop() ?? {}
    this.#last = { size, length: Math.max(length, longest) }
    this.#grow(this.#last.size, this.#last.length)
  }

  /** A brace that begins no repetition stands for itself. */
  #repeat(): void {
    const [counts, least, most] = this.#take(/(\d+)(?:,(\d*))?\}/y) ?? []
    if (counts === undefined) {
      this.#add('\\{', 1)
      return
    }
    this.#out += `{${counts}`
    const { size, length } = this.#last
    const copies = Math.max(Number(least), Number(most ?? 0), 1)
    const longest = length === 0 ? 0 : most === '' ? Number.POSITIVE_INFINITY : length * copies
    this.#grow(size * (copies - 1) + copies, Math.max(longest - length, 0))
    this.#last = { size: size * copies + copies, length: longest }
  }

  #outsideClass(): void {
    const [boundary] = this.#take(/[bB]/y) ?? []
    if (boundary !== undefined) {
      this.#add(`\\${boundary}`, 0)
      return
    }
    const { text, length, isClass } = this.#escape()
    this.#add(isClass ? `[${text}]` : text, length)
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
    if (character !== '\\') {
      return { text: character === '-' ? '-' : literal(character), length: character.length, isClass: false }
    }
    if (this.#take(/b/y) !== undefined) return { text: '\\x08', length: 1, isClass: false }
    return this.#escape()
  }

  /** Reads what stands behind a backslash. */
  #escape(): Escape {
    if (this.#at >= this.#pattern.length) return { text: '\\', length: 0, isClass: false }
    const [property] = this.#take(/[pP]\{[^}]*\}/y) ?? []
    if (property !== undefined) return { text: `\\${property}`, length: 2, isClass: true }
    const [pair, high = '', low = ''] =
      this.#take(/u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y) ?? []
    if (pair !== undefined) {
      const character = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16))
      return { text: literal(character), length: 2, isClass: false }
    }
    const [hex, two, four, braced] = this.#take(/x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}/y) ?? []
    if (hex !== undefined) return { text: `\\x{${two ?? four ?? braced}}`, length: 2, isClass: false }
    if (this.#take(/0(?![0-9])/y) !== undefined) return { text: '\\x00', length: 1, isClass: false }
    const letter = this.#next()
    if (/[0-9k]/.test(letter)) throw new PatternRefused('references to groups cannot be searched for', this.#start)
    if (letter === 'c') throw new PatternRefused('write control characters as \\x and two digits', this.#start)
    if (letter === 's') return { text: SPACES, length: 1, isClass: true }
    if (letter === 'S') return { text: NO_SPACES, length: 2, isClass: true }
    if (/[dDwW]/.test(letter)) return { text: `\\${letter}`, length: /[dw]/.test(letter) ? 1 : 2, isClass: true }
    return { text: /[tnvfr]/.test(letter) ? `\\${letter}` : literal(letter), length: letter.length, isClass: false }
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
