import { BOUNDS } from './bounds.ts'
import { Fault, shown } from './errors.ts'
import type { Name } from './nodes.ts'

export type TagKind = 'value' | 'open' | 'inverted' | 'close' | 'comment' | 'partial' | 'variable-partial'

/** One `{{…}}`, from `start` up to `end`. */
export interface Tag {
  readonly kind: TagKind
  /** Trimmed; empty for a comment. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The kind of a tag by what follows its braces, longer marks first. */
const MARKS: readonly (readonly [mark: string, kind: TagKind])[] = [
  ['>>', 'variable-partial'],
  ['>', 'partial'],
  ['#', 'open'],
  ['^', 'inverted'],
  ['/', 'close'],
  ['&', 'value'],
]

/** The tag that begins at `start`, where `{{` stands. @throws Fault */
export const readTag = (text: string, start: number): Tag => {
  const isTriple = text.startsWith('{', start + 2)
  const isComment = text.startsWith('!', start + 2)
  const closing = isTriple ? '}}}' : '}}'
  const inner = start + closing.length
  const close = text.indexOf(closing, inner)
  if (close < 0) throw new Fault(`the tag is never closed with '${closing}'`, start)
  const end = close + closing.length
  if (isComment) return { kind: 'comment', name: '', start, end }
  const body = text.slice(inner, close)
  const content = body.trimStart()
  if (!isTriple && content.startsWith('=')) throw new Fault('delimiters cannot be changed', start)
  const [mark = '', kind = 'value'] = isTriple ? [] : (MARKS.find(([each]) => content.startsWith(each)) ?? [])
  const name = content.slice(mark.length).trim()
  checkName(name, kind, start)
  return { kind, name, start, end }
}

const checkName = (name: string, kind: TagKind, start: number): void => {
  if (name === '') throw new Fault('the tag has no name', start)
  if (name.length > BOUNDS.nameCharacters) {
    throw new Fault(`a name has at most ${BOUNDS.nameCharacters} characters`, start)
  }
  if (/[{}\n\r]/.test(name)) throw new Fault('a name cannot hold braces or line breaks', start)
  if (kind === 'partial') {
    if (!isPartialReference(name)) {
      throw new Fault(
        `'${shown(name)}' is no partial: write an id or slug, alone or with '@' and a number or 'latest'`,
        start,
      )
    }
  } else if (name !== '.' && name.split('.').includes('')) {
    throw new Fault(`'${shown(name)}' has an empty part beside a dot`, start)
  }
}

/** An id or slug, alone or with `@` and a number or `latest`. */
export const isPartialReference = (text: string): boolean =>
  /^[\w-]+(?:@(?:\d+|latest))?$/.test(text) && text.length <= BOUNDS.nameCharacters

export const nameOf = (text: string): Name => ({ text, path: text === '.' ? [] : text.split('.') })
