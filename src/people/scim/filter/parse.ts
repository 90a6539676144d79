import { ScimFault, type ScimType } from '../fault.ts'
import { type AttributePath, type ChangePath, type Filter, type FilterValue, OPERATORS, type Test } from './filter.ts'
import { type Token, tokenise } from './tokens.ts'

/** Brackets within brackets; more is nobody's filter. */
const MAX_DEPTH = 32

/** @throws ScimFault `invalidFilter` */
export const parseFilter = (text: string): Filter => new Reader(text, 'invalidFilter').whole()

/** @throws ScimFault `invalidPath` */
export const parsePath = (text: string): ChangePath => new Reader(text, 'invalidPath').path()

/** The name of an attribute, with its schema and its part. @throws ScimFault with the given type */
export const parseAttribute = (text: string, fault: ScimType): AttributePath => {
  // A schema has dots too (`…:core:2.0:User`): what is an attribute stands behind the last colon.
  const colon = text.lastIndexOf(':')
  const [name = '', sub, ...rest] = text.slice(colon + 1).split('.')
  const isNamed = ATTRIBUTE.test(name) && (sub === undefined || ATTRIBUTE.test(sub)) && rest.length === 0
  if (!isNamed) throw new ScimFault(fault, `\`${text.slice(0, 100)}\` is not the name of an attribute.`)
  return {
    text,
    name: name.toLowerCase(),
    ...(colon === -1 ? {} : { urn: text.slice(0, colon).toLowerCase() }),
    ...(sub === undefined ? {} : { sub: sub.toLowerCase() }),
  }
}

const ATTRIBUTE = /^\$?[a-z][\w$-]*$/i

/** Reads a filter by recursive descent: `or` binds least, then `and`, then `not` and brackets. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #fault: ScimType
  #next = 0
  #depth = 0

  constructor(text: string, fault: ScimType) {
    this.#fault = fault
    this.#tokens = tokenise(text, fault)
  }

  whole(): Filter {
    const filter = this.#any()
    this.#expect('end')
    return filter
  }

  path(): ChangePath {
    const path = this.#attribute()
    if (!this.#skip('[')) {
      this.#expect('end')
      return { path }
    }
    const filter = this.#bracketed(']')
    const sub = this.#sub()
    this.#expect('end')
    return { path: sub === undefined ? path : { ...path, sub }, filter }
  }

  #any(): Filter {
    return this.#list('or', () => this.#list('and', () => this.#term()))
  }

  #list(kind: 'and' | 'or', part: () => Filter): Filter {
    const first = part()
    const parts = [first]
    while (this.#skip(kind)) parts.push(part())
    return parts.length === 1 ? first : { kind, parts }
  }

  #term(): Filter {
    if (this.#skip('(')) return this.#bracketed(')')
    if (this.#isWord('not') && this.#peek(1).value === '(') {
      this.#next += 2
      return { kind: 'not', part: this.#bracketed(')') }
    }
    const path = this.#attribute()
    if (!this.#skip('[')) return this.#test(path)
    const filter = this.#bracketed(']')
    const sub = this.#sub()
    return sub === undefined
      ? { kind: 'value', path, filter }
      : { kind: 'value', path, filter, test: this.#test({ text: sub, name: sub }) }
  }

  #bracketed(close: ')' | ']'): Filter {
    this.#depth++
    if (this.#depth > MAX_DEPTH) throw this.#wrong(`It nests more than ${MAX_DEPTH} deep.`)
    const inner = this.#any()
    if (!this.#skip(close)) throw this.#unexpected(`\`${close}\``)
    this.#depth--
    return inner
  }

  #test(path: AttributePath): Test {
    const word = this.#take('word', 'an operator').value.toLowerCase()
    if (word === 'pr') return { kind: 'present', path }
    const operator = OPERATORS.find((known) => known === word)
    if (operator === undefined) throw this.#wrong(`\`${word.slice(0, 100)}\` is not an operator.`)
    return { kind: 'compare', path, operator, value: this.#value() }
  }

  #value(): FilterValue {
    const token = this.#peek()
    this.#next++
    if (token.kind === 'text') return token.value
    if (token.kind === 'number') return Number(token.value)
    const word = token.kind === 'word' ? token.value.toLowerCase() : ''
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    this.#next--
    throw this.#unexpected('a value')
  }

  #attribute(): AttributePath {
    return parseAttribute(this.#take('word', 'an attribute').value, this.#fault)
  }

  /** The part behind a value path: `].value`. */
  #sub(): string | undefined {
    const { kind, value } = this.#peek()
    if (kind !== 'word' || !value.startsWith('.')) return undefined
    this.#next++
    return value.slice(1).toLowerCase()
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#next + ahead] ?? END
  }

  #isWord(word: string): boolean {
    const { kind, value } = this.#peek()
    return kind === 'word' && value.toLowerCase() === word
  }

  #skip(wanted: string): boolean {
    const isThere = this.#isWord(wanted) || (this.#peek().kind === 'mark' && this.#peek().value === wanted)
    if (isThere) this.#next++
    return isThere
  }

  #take(kind: Token['kind'], name: string): Token {
    const token = this.#peek()
    if (token.kind !== kind) throw this.#unexpected(name)
    this.#next++
    return token
  }

  #expect(kind: 'end'): void {
    if (this.#peek().kind !== kind) throw this.#unexpected('the end')
  }

  #unexpected(wanted: string): ScimFault {
    const { value, at, kind } = this.#peek()
    const found = kind === 'end' ? 'it ends' : `there is \`${value.slice(0, 100)}\``
    return this.#wrong(`At character ${at + 1} ${found} instead of ${wanted}.`)
  }

  #wrong(message: string): ScimFault {
    return new ScimFault(this.#fault, message)
  }
}

const END: Token = { kind: 'end', value: '', at: 0 }
