import { BOUNDS } from './bounds.ts'
import { Fault, shown } from './errors.ts'
import type { PartialNode, References, SectionNode } from './nodes.ts'
import { nameOf, type Tag } from './tags.ts'

/** A tag between other pieces of a template, with what the line it stands on says. */
export interface PlacedTag {
  readonly kind: 'tag'
  readonly tag: Tag
  readonly indent: string
}

export type Nested<Plain> = Plain | PartialNode | SectionNode<Nested<Plain>>

/** Gathers what templates refer to. */
export class ReferenceSets {
  readonly #partials = new Set<string>()
  readonly #variablePartials = new Set<string>()
  readonly #variables = new Set<string>()

  add({ kind, name }: Tag): void {
    if (kind === 'partial') this.#partials.add(name)
    else if (kind === 'variable-partial') this.#variablePartials.add(name)
    else if (name !== '.' && name !== '') this.#variables.add(name)
  }

  get all(): References {
    return {
      partials: [...this.#partials],
      variablePartials: [...this.#variablePartials],
      variables: [...this.#variables],
    }
  }
}

const TOO_DEEP = `more than ${BOUNDS.depth} sections in one another`

/**
 * Puts what stands between the tags of a section into it; `toValue` says what becomes of a value.
 * @throws Fault for a section that is not closed, not opened, closed by another name, or nested too deep
 */
export const nest = <Plain extends { readonly kind: string }>(
  pieces: Iterable<Plain | PlacedTag>,
  toValue: (tag: Tag) => Plain,
): readonly Nested<Plain>[] => {
  const root: Nested<Plain>[] = []
  const open: { readonly tag: Tag; readonly body: Nested<Plain>[] }[] = []
  let nodes = root
  for (const piece of pieces) {
    if (!isPlacedTag(piece)) {
      nodes.push(piece)
      continue
    }
    const { tag, indent } = piece
    switch (tag.kind) {
      case 'comment':
        break
      case 'value':
        nodes.push(toValue(tag))
        break
      case 'partial':
        nodes.push({ kind: 'partial', reference: tag.name, indent })
        break
      case 'variable-partial':
        nodes.push({ kind: 'partial', reference: nameOf(tag.name), indent })
        break
      case 'open':
      case 'inverted': {
        if (open.length === BOUNDS.depth) throw new Fault(TOO_DEEP, tag.start)
        const body: Nested<Plain>[] = []
        nodes.push({ kind: 'section', name: nameOf(tag.name), isInverted: tag.kind === 'inverted', body })
        open.push({ tag, body })
        nodes = body
        break
      }
      case 'close': {
        const closed = open.pop()
        if (closed === undefined) throw new Fault(`no section '${shown(tag.name)}' is open here`, tag.start)
        if (closed.tag.name !== tag.name) {
          throw new Fault(`'${shown(tag.name)}' cannot close the section '${shown(closed.tag.name)}'`, tag.start)
        }
        nodes = open.at(-1)?.body ?? root
        break
      }
    }
  }
  const unclosed = open.at(-1)?.tag
  if (unclosed !== undefined) throw new Fault(`the section '${shown(unclosed.name)}' is never closed`, unclosed.start)
  return root
}

const isPlacedTag = <Plain extends { readonly kind: string }>(piece: Plain | PlacedTag): piece is PlacedTag =>
  piece.kind === 'tag'
