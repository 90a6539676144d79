import { LINE_ENDS, PatternRefused, type Range, readEscape, type Syntax } from './syntax.ts'

/**
 * Takes a pattern apart that JavaScript has accepted, so faults of spelling are not looked for here. No flags.
 * @throws PatternRefused for what needs backtracking: look-around and references to groups
 */
export const parsePattern = (source: string): Syntax => new Parser(source).choice()

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Up to the end, or to the parenthesis that closes the group. */
  choice(): Syntax {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    const [only] = parts
    return only !== undefined && parts.length === 1 ? only : { kind: 'choice', parts }
  }

  #sequence(): Syntax {
    const parts: Syntax[] = []
    while (this.#at < this.#source.length && !/[|)]/.test(this.#peek())) parts.push(this.#repeated(this.#atom()))
    return { kind: 'sequence', parts }
  }

  #atom(): Syntax {
    const character = this.#peek()
    this.#at++
    switch (character) {
      case '^':
        return { kind: 'assertion', where: 'start' }
      case '$':
        return { kind: 'assertion', where: 'end' }
      case '.':
        return { kind: 'set', ranges: LINE_ENDS, negated: true }
      case '(':
        return this.#group()
      case '[':
        return this.#class()
      case '\\':
        return this.#escape()
      default:
        return literal(character)
    }
  }

  #group(): Syntax {
    const [opening] = /^\?(?::|<(?![=!])[^>]*>)/.exec(this.#source.slice(this.#at)) ?? []
    if (opening === undefined && this.#peek() === '?') {
      throw new PatternRefused('look-around and flags inside the pattern cannot be searched for')
    }
    this.#at += opening?.length ?? 0
    const inner = this.choice()
    this.#at++
    return inner
  }

  #escape(): Syntax {
    if (this.#take('b')) return { kind: 'assertion', where: 'word-boundary' }
    if (this.#take('B')) return { kind: 'assertion', where: 'no-word-boundary' }
    const { ranges, length } = readEscape(this.#source, this.#at)
    this.#at += length
    return { kind: 'set', ranges, negated: false }
  }

  #class(): Syntax {
    const negated = this.#take('^')
    const ranges: Range[] = []
    while (this.#peek() !== ']') {
      const from = this.#classMember()
      const hasEnd = this.#peek() === '-' && this.#source[this.#at + 1] !== ']'
      if (!hasEnd) {
        ranges.push(...from)
        continue
      }
      this.#at++
      const to = this.#classMember()
      const [first, last] = [single(from), single(to)]
      // `[\d-z]` is no range: the dash stands for itself.
      if (first === undefined || last === undefined) ranges.push(...from, DASH, ...to)
      else ranges.push([first, last])
    }
    this.#at++
    return { kind: 'set', ranges, negated }
  }

  #classMember(): readonly Range[] {
    const character = this.#peek()
    this.#at++
    if (character !== '\\') return [[character.charCodeAt(0), character.charCodeAt(0)]]
    if (this.#take('b')) return [[0x08, 0x08]]
    const { ranges, length } = readEscape(this.#source, this.#at)
    this.#at += length
    return ranges
  }

  #repeated(part: Syntax): Syntax {
    const [all, min, comma, max] = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(this.#source.slice(this.#at)) ?? []
    if (all === undefined) return part
    this.#at += all.length
    // Greedy or lazy makes no difference to whether there is a match.
    this.#take('?')
    switch (all) {
      case '*':
        return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
      case '+':
        return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
      case '?':
        return { kind: 'repeat', part, min: 0, max: 1 }
      default: {
        const least = Number(min)
        const most = comma === undefined ? least : max === '' ? Number.POSITIVE_INFINITY : Number(max)
        return { kind: 'repeat', part, min: least, max: most }
      }
    }
  }

  #peek(): string {
    return this.#source[this.#at] ?? ''
  }

  #take(character: string): boolean {
    const isThere = this.#peek() === character
    if (isThere) this.#at++
    return isThere
  }
}

const DASH: Range = [0x2d, 0x2d]

const literal = (character: string): Syntax => {
  const code = character.charCodeAt(0)
  return { kind: 'set', ranges: [[code, code]], negated: false }
}

/** The code unit, of a member of a class that is one. */
const single = ([range, ...others]: readonly Range[]): number | undefined =>
  range !== undefined && others.length === 0 && range[0] === range[1] ? range[0] : undefined
