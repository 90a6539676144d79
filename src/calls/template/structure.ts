import { Fault } from './errors.ts'
import { nest, type PlacedTag, type ReferenceSets } from './nest.ts'
import type { PartialNode, SectionNode, TemplateNode } from './nodes.ts'
import { parseString } from './parse.ts'
import { readTag, type Tag } from './tags.ts'

/** Pieces of a JSON text, each with its offset. A string with tags in it is `filled` when it is rendered. */
export type Token =
  | { readonly kind: 'mark'; readonly mark: Mark; readonly offset: number }
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null; readonly offset: number }
  | { readonly kind: 'filled'; readonly nodes: readonly TemplateNode[]; readonly offset: number }

export type Mark = '[' | ']' | '{' | '}' | ':' | ','

export type StructureNode = Token | SectionNode<StructureNode> | PartialNode

/**
 * Takes a JSON text with tags in it apart. Strings are told from what is around them first, and the tags of each are a
 * template of its own: whatever a value holds, it can only ever become part of the string it stands in. Between strings there
 * may be sections, partials and comments, but no value.
 * @throws Fault
 */
export const parseStructure = (
  text: string,
  references: ReferenceSets,
  { isRaw }: { readonly isRaw: boolean },
): readonly StructureNode[] => {
  const pieces: (Token | PlacedTag)[] = []
  let at = 0
  for (;;) {
    at = matchEnd(BLANKS, text, at)
    if (at === text.length) break
    if (text.startsWith('{{', at)) {
      const placed = readTagBetween(text, at, isRaw)
      references.add(placed.tag)
      pieces.push(placed)
      at = placed.tag.end
      continue
    }
    const { token, end } = readToken(text, at, references)
    pieces.push(token)
    at = end
  }
  return nest<Token>(pieces, refuseValue)
}

const readTagBetween = (text: string, at: number, isRaw: boolean): PlacedTag => {
  const tag = readTag(text, at)
  if (!isRaw && tag.kind !== 'value') {
    throw new Fault('a tag can only stand inside a string; sections around messages need is_raw_template', at)
  }
  return { kind: 'tag', tag, indent: '' }
}

const refuseValue = ({ start }: Tag): never => {
  throw new Fault('a value can only stand inside a string', start)
}

const BLANKS = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const isMark = (character: string): character is Mark => '[]{}:,'.includes(character)

const readToken = (text: string, offset: number, references: ReferenceSets): { token: Token; end: number } => {
  const character = text.charAt(offset)
  if (isMark(character)) return { token: { kind: 'mark', mark: character, offset }, end: offset + 1 }
  if (character === '"') return readString(text, offset, references)
  const end = matchEnd(SCALAR, text, offset)
  if (end === offset) throw new Fault('this is not JSON', offset)
  const value: number | boolean | null = JSON.parse(text.slice(offset, end))
  return { token: { kind: 'constant', value, offset }, end }
}

const readString = (text: string, offset: number, references: ReferenceSets): { token: Token; end: number } => {
  const end = stringEnd(text, offset)
  const value: string = JSON.parse(text.slice(offset, end))
  if (!value.includes('{{')) return { token: { kind: 'constant', value, offset }, end }
  try {
    return { token: { kind: 'filled', nodes: parseString(value, references), offset }, end }
  } catch (thrown) {
    throw thrown instanceof Fault ? new Fault(thrown.message, sourceOffset(text, offset, thrown.offset)) : thrown
  }
}

/** Finds the place behind the closing quote. */
const stringEnd = (text: string, offset: number): number => {
  let at = offset + 1
  for (;;) {
    at = matchEnd(PLAIN, text, at)
    if (at >= text.length) throw new Fault('the string is never closed', offset)
    if (text[at] === '"') return at + 1
    if (text[at] !== '\\') throw new Fault('a line break or control character inside a string must be escaped', at)
    const escapeEnd = matchEnd(ESCAPE, text, at)
    if (escapeEnd === at) throw new Fault('this is not an escape of JSON', at)
    at = escapeEnd
  }
}

/** All but a quote, a backslash and control characters. */
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Finds where the character at `index` of a string's value stands in the text. */
const sourceOffset = (text: string, stringOffset: number, index: number): number => {
  let at = stringOffset + 1
  for (let passed = 0; passed < index; passed++) at = text[at] === '\\' ? matchEnd(ESCAPE, text, at) : at + 1
  return at
}
