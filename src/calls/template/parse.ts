import { BOUNDS } from './bounds.ts'
import { Fault, placeOf, TemplateError } from './errors.ts'
import { withoutTagLines } from './lines.ts'
import { nest, type PlacedTag, ReferenceSets } from './nest.ts'
import type { Template, TemplateNode, TextNode, ValueNode } from './nodes.ts'
import { nameOf, readTag, type Tag } from './tags.ts'

/**
 * Takes the text of a partial or of a text prompt apart.
 *
 * The language is a part of mustache without logic, lambdas and a change of delimiters:
 * ```ebnf
 * template  = { text | tag } ;
 * tag       = value | section | inverted | comment | partial ;
 * value     = "{{" name "}}" | "{{&" name "}}" | "{{{" name "}}}" ;       (* all three write the same *)
 * section   = "{{#" name "}}" template "{{/" name "}}" ;
 * inverted  = "{{^" name "}}" template "{{/" name "}}" ;
 * comment   = "{{!" { any character, but not "}}" } "}}" ;
 * partial   = "{{>" reference "}}" | "{{>>" name "}}" ;                  (* the second: a variable has the reference *)
 * reference = slug [ "@" ( number | "latest" ) ] ;
 * slug      = ( letter | digit | "_" | "-" ), { letter | digit | "_" | "-" } ;
 * name      = "." | key, { "." key } ;                                   (* blanks around it do not count *)
 * key       = { any character but ".", "{", "}" and line breaks }- ;     (* so blanks may stand within it *)
 * text      = { any character, but not "{{" } ;
 * ```
 * A line of nothing but blanks, sections' tags, comments and partials leaves no line behind (see lines.ts).
 * @throws TemplateError with line and column, also over 1 Mi characters
 */
export const parseTemplate = (text: string): Template => {
  checkSize(text)
  try {
    const references = new ReferenceSets()
    const nodes = nest<Plain>(withoutTagLines(piecesOf(text, references)), toValue)
    return { text, nodes, ...references.all }
  } catch (thrown) {
    throw thrown instanceof Fault ? new TemplateError(thrown.message, placeOf(text, thrown.offset)) : thrown
  }
}

/**
 * Takes apart what stands inside one string of a JSON text: every blank and line break of it stays, as in the counterpart,
 * to which a string has no lines.
 * @throws Fault with an offset into this string
 */
export const parseString = (text: string, references: ReferenceSets): readonly TemplateNode[] =>
  nest<Plain>(piecesOf(text, references), toValue)

type Plain = TextNode | ValueNode

const toValue = (tag: Tag): ValueNode => ({ kind: 'value', name: nameOf(tag.name) })

export const checkSize = (text: string): void => {
  if (text.length > BOUNDS.templateCharacters) {
    const reason = `the template has ${text.length} characters, ${BOUNDS.templateCharacters} are allowed`
    throw new TemplateError(reason, placeOf(text, BOUNDS.templateCharacters))
  }
}

const piecesOf = (text: string, references: ReferenceSets): (TextNode | PlacedTag)[] => {
  const pieces: (TextNode | PlacedTag)[] = []
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('{{', at)
    const textEnd = start < 0 ? text.length : start
    if (textEnd > at) pieces.push({ kind: 'text', text: text.slice(at, textEnd) })
    if (start < 0) break
    const tag = readTag(text, start)
    references.add(tag)
    pieces.push({ kind: 'tag', tag, indent: '' })
    at = tag.end
  }
  return pieces
}
