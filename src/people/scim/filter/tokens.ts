import { ScimFault, type ScimType } from '../fault.ts'

/** Longest filter or path that is read: the longest that directories send are a few hundred characters. */
export const MAX_FILTER_CHARACTERS = 4_096

/** A piece of a filter. `word`: a name or an operator; `text`: a string, its escapes read. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'mark' | 'end'
  readonly value: string
  /** Where it begins. */
  readonly at: number
}

const WORD = /[a-z$][\w$:.-]*/iy
// A sub-attribute behind a value path is a word that begins with its dot.
const SUB = /\.[a-z$][\w$-]*/iy
const TEXT = /"(?:[^"\\]|\\.)*"/sy
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy
const SPACE = / +/y
const MARK = /[()[\]]/y

const PATTERNS = [
  ['word', WORD],
  ['word', SUB],
  ['text', TEXT],
  ['number', NUMBER],
  ['mark', MARK],
] as const

/** @param fault what a text is called that is none @throws ScimFault */
export const tokenise = (text: string, fault: ScimType): readonly Token[] => {
  if (text.length > MAX_FILTER_CHARACTERS) {
    throw new ScimFault(fault, `It has ${text.length} characters: at most ${MAX_FILTER_CHARACTERS} are read.`)
  }
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at += matchAt(SPACE, text, at).length
    if (at === text.length) return [...tokens, { kind: 'end', value: 'the end', at }]
    const token = tokenAt(text, at)
    if (token === undefined) throw new ScimFault(fault, `It cannot be read from character ${at + 1} on.`)
    tokens.push({ ...token, value: token.kind === 'text' ? unescaped(token, fault) : token.value })
    at += token.value.length
  }
}

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const tokenAt = (text: string, at: number): Token | undefined => {
  for (const [kind, pattern] of PATTERNS) {
    const value = matchAt(pattern, text, at)
    if (value !== '') return { kind, value, at }
  }
  return undefined
}

/** Strings are those of JSON (RFC 7159). */
const unescaped = ({ value, at }: Token, fault: ScimType): string => {
  try {
    const text = String(JSON.parse(value))
    // No database could compare with it.
    if (!text.includes('\0') && text.isWellFormed()) return text
  } catch {}
  throw new ScimFault(fault, `The string at character ${at + 1} is not one of JSON, or holds what cannot be stored.`)
}
