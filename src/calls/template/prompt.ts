import { Fault, placeOf, TemplateError } from './errors.ts'
import { buildMessages, type ChatPrompt } from './messages.ts'
import { ReferenceSets } from './nest.ts'
import type { References, SectionNode, Template } from './nodes.ts'
import { checkSize, parseTemplate } from './parse.ts'
import { Run } from './run.ts'
import { parseStructure, type StructureNode } from './structure.ts'
import type { Context } from './values.ts'

/** A template that becomes one text, for `renderTemplate`. */
export interface TextPrompt extends References {
  readonly kind: 'text'
  readonly template: Template
}

export type ParsedPrompt = ChatPrompt | TextPrompt

export interface ParseOptions {
  /** Whether sections and partials may make messages and parts, not only what is inside a string. */
  readonly isRaw: boolean
}

/**
 * Takes the template of a prompt apart. A chat prompt is a JSON list of messages, or an object with one under `messages`:
 * objects with a `role`. All else is a text prompt; a text that begins like messages and is broken is refused and not taken
 * for one. A raw template is of a chat when a bracket with messages, sections or partials in it comes first.
 *
 * In a chat prompt tags stand inside the strings of the JSON text, where each string is a template of its own (parse.ts);
 * sections begin and end in the same string. Neither a key nor the role of a message may have a tag in it. Of a raw template,
 * there may be sections, partials and comments between the strings as well.
 * @throws TemplateError with line and column, also over 1 Mi characters
 */
export const parsePrompt = (text: string, options: ParseOptions): ParsedPrompt => {
  checkSize(text)
  return parseChat(text, options) ?? parseText(text)
}

const parseText = (text: string): TextPrompt => {
  const template = parseTemplate(text)
  const { partials, variablePartials, variables } = template
  return { kind: 'text', template, partials, variablePartials, variables }
}

/** How messages begin, perhaps after tags that only a raw template may have: the first key of the first one tells. */
const MESSAGES = /^\s*(?:\{\s*"messages"\s*:\s*)?\[\s*(?:\{\{[#^!/>][^}]*\}\}\s*)*\{\s*"(?:role|content)"/

/** How a raw template begins, which would not need its leave without them: messages, sections or partials inside a bracket. */
const RAW_MESSAGES = /^\s*(?:\{\{![^}]*\}\}\s*)*(?:\{\s*"messages"\s*:|\[\s*(?:\]|\{(?!\{)|\{\{[#^!>]))/

const parseChat = (text: string, { isRaw }: ParseOptions): ChatPrompt | undefined => {
  const isMeant = (isRaw ? RAW_MESSAGES : MESSAGES).test(text)
  if (!isMeant && (isRaw || !/^\s*[[{]/.test(text))) return undefined
  try {
    const references = new ReferenceSets()
    const nodes = parseStructure(text, references, { isRaw })
    tryOut(text, nodes)
    return { kind: 'chat', text, nodes, ...references.all }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    if (isMeant) throw new TemplateError(thrown.message, placeOf(text, thrown.offset))
    return undefined
  }
}

/** All ways to show so many sections are tried. Of a template with more, what is broken is found when it is rendered. */
const MAX_SECTIONS = 6

/**
 * Refuses a template that makes no list of messages whichever of its sections are shown. Nothing is said of one that takes
 * parts of its structure from partials: those change without it.
 * @throws Fault: what is wrong when all sections are shown
 */
const tryOut = (text: string, nodes: readonly StructureNode[]): void => {
  if (hasPartial(nodes)) return
  const names = [...new Set(sectionNames(nodes))]
  if (names.length > MAX_SECTIONS) return
  let first: Fault | undefined
  for (let choice = 2 ** names.length - 1; choice >= 0; choice--) {
    const shown = new Set(names.filter((_, index) => (choice & (1 << index)) !== 0))
    try {
      const messages = buildMessages(text, nodes, new Trial(shown))
      if (messages.length > 0 || names.length > 0) return
      throw new Fault('a chat prompt needs at least one message', 0)
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      first ??= thrown
    }
  }
  throw first
}

/** A rendering without values and partials that shows the sections of these names, each once. */
class Trial extends Run {
  readonly #shown: ReadonlySet<string>

  constructor(shown: ReadonlySet<string>) {
    super({ variables: {}, partial: () => undefined })
    this.#shown = shown
  }

  override section<Node>(
    { name, isInverted }: SectionNode<Node>,
    context: Context,
    show: (context: Context) => void,
  ): void {
    if (this.#shown.has(name.text) !== isInverted) show(context)
  }
}

const sectionNames = (nodes: readonly StructureNode[]): string[] =>
  nodes.flatMap((node) => (node.kind === 'section' ? [node.name.text, ...sectionNames(node.body)] : []))

const hasPartial = (nodes: readonly StructureNode[]): boolean =>
  nodes.some((node) => node.kind === 'partial' || (node.kind === 'section' && hasPartial(node.body)))
