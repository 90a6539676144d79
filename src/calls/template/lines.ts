import type { PlacedTag } from './nest.ts'
import type { TextNode } from './nodes.ts'

type Piece = TextNode | PlacedTag

/**
 * A line with nothing on it but blanks and tags that write nothing themselves is taken out, its line break included. A
 * partial that is alone on its line takes the blanks before it as the indent of its own lines. Text of the rest is not
 * touched. What follows mustache.js, also with several such tags on a line, where the specification is silent.
 */
export const withoutTagLines = (pieces: readonly Piece[]): Piece[] => {
  const kept: Piece[] = []
  let line: Piece[] = []
  const endLine = (): void => {
    kept.push(...(isTagLine(line) ? tagsOf(line) : line))
    line = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'tag') {
      line.push(piece)
      continue
    }
    for (const text of piece.text.split(/(?<=\n)/)) {
      line.push({ kind: 'text', text })
      if (text.endsWith('\n')) endLine()
    }
  }
  endLine()
  return joined(kept)
}

const isTagLine = (line: readonly Piece[]): boolean =>
  line.some(({ kind }) => kind === 'tag') &&
  line.every((piece) => (piece.kind === 'text' ? !/[^ \t\r\n]/.test(piece.text) : piece.tag.kind !== 'value'))

const tagsOf = (line: readonly Piece[]): Piece[] => {
  const tags = line.filter((piece) => piece.kind === 'tag')
  const [first] = line
  const [only] = tags
  return tags.length === 1 && only !== undefined && first?.kind === 'text' ? [{ ...only, indent: first.text }] : tags
}

/** Texts that stand beside one another as one. */
const joined = (pieces: readonly Piece[]): Piece[] => {
  const result: Piece[] = []
  let texts: string[] = []
  const flush = (): void => {
    if (texts.length > 0) result.push({ kind: 'text', text: texts.join('') })
    texts = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      texts.push(piece.text)
      continue
    }
    flush()
    result.push(piece)
  }
  flush()
  return result
}
