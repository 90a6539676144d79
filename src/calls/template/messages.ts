import { MessageBuilder, type PromptMessage } from './build-messages.ts'
import { BrokenMessages, Fault, placeOf } from './errors.ts'
import { ReferenceSets } from './nest.ts'
import type { References, Template, TemplateNode } from './nodes.ts'
import { renderNodes } from './render.ts'
import { type RenderOptions, Run } from './run.ts'
import { parseStructure, type StructureNode } from './structure.ts'
import { type Context, textOf } from './values.ts'

/** A template of messages, taken apart. The same object may be rendered any number of times, also at once. */
export interface ChatPrompt extends References {
  readonly kind: 'chat'
  readonly text: string
  readonly body: FixedBody | BuiltBody
}

/** Messages that are the same but for what their strings hold, the usual case. */
interface FixedBody {
  readonly kind: 'fixed'
  /** Messages with a `Blank` for each string that has tags. */
  readonly messages: readonly unknown[]
}

/** Sections or partials make messages or parts. */
interface BuiltBody {
  readonly kind: 'built'
  readonly nodes: readonly StructureNode[]
}

/** A string that is filled in when it is rendered. */
class Blank {
  readonly nodes: readonly TemplateNode[]

  constructor(nodes: readonly TemplateNode[]) {
    this.nodes = nodes
  }
}

/** @throws Fault for what is no list of messages whatever the variables are */
export const bodyOf = (text: string, nodes: readonly StructureNode[]): ChatPrompt['body'] => {
  const builder = new MessageBuilder()
  for (const node of nodes) {
    if (node.kind === 'section' || node.kind === 'partial') return { kind: 'built', nodes }
    if (node.kind === 'mark') builder.mark(node.mark, node.offset)
    else if (node.kind === 'constant') builder.constant(node.value, node.offset)
    else builder.filled(new Blank(node.nodes), node.offset)
  }
  const messages = builder.end(text.length)
  if (messages.length === 0) throw new Fault('a chat prompt needs at least one message', 0)
  return { kind: 'fixed', messages }
}

/**
 * The messages of a chat prompt with these variables. Each value ends up inside the string its tag stands in: the number of
 * messages, their roles and all keys are the template's, and those of partials that stand between strings. All objects are
 * new, so the caller may change them. There may be no message at all, when the sections of a raw template say so.
 * @throws MissingPartials, MissingVariables, PartialRecursion, TemplateTooLarge; BrokenMessages when the sections of a raw
 * template make no list of messages
 */
export const renderMessages = (prompt: ChatPrompt, options: RenderOptions): readonly PromptMessage[] => {
  const run = new Run(options)
  run.require(prompt.partials)
  const messages =
    prompt.body.kind === 'fixed' ? fill(prompt.text, prompt.body, run) : build(prompt.text, prompt.body, run)
  run.end()
  return messages
}

const fill = (text: string, { messages }: FixedBody, run: Run): readonly PromptMessage[] => {
  // For what is written without a look at it.
  run.account(text.length)
  // The builder saw that each of them is a message.
  return messages.map((message) => filled(message, run) as PromptMessage)
}

const filled = (value: unknown, run: Run): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Blank) return renderNodes(value.nodes, run.root, run, textOf)
  if (Array.isArray(value)) return value.map((item) => filled(item, run))
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) copy[key] = filled(inner, run)
  return copy
}

const build = (text: string, { nodes }: BuiltBody, run: Run): readonly PromptMessage[] => {
  try {
    return buildMessages(text, nodes, run)
  } catch (thrown) {
    // A partial that is not there leaves a hole in the messages: the hole is what has to be said.
    if (thrown instanceof BrokenMessages) run.end()
    throw thrown
  }
}

/** @throws BrokenMessages */
export const buildMessages = (text: string, nodes: readonly StructureNode[], run: Run): readonly PromptMessage[] =>
  locating(text, undefined, () => {
    const builder = new MessageBuilder()
    emit(nodes, run.root, run, builder)
    return builder.end(text.length)
  })

const emit = (nodes: readonly StructureNode[], context: Context, run: Run, builder: MessageBuilder): void => {
  run.step(nodes.length + 1)
  for (const node of nodes) {
    switch (node.kind) {
      case 'mark':
        run.account(1)
        builder.mark(node.mark, node.offset)
        break
      case 'constant':
        run.account(String(node.value).length)
        builder.constant(node.value, node.offset)
        break
      case 'filled':
        builder.filled(renderNodes(node.nodes, context, run, textOf), node.offset)
        break
      case 'section':
        run.section(node, context, (item) => emit(node.body, item, run, builder))
        break
      case 'partial':
        run.partial(node, context, (template, reference) => {
          locating(template.text, reference, () =>
            builder.inside(() => emit(structureOf(template), context, run, builder)),
          )
        })
        break
    }
  }
}

const structures = new WeakMap<Template, readonly StructureNode[]>()

/** A partial, as what stands between strings. */
const structureOf = (template: Template): readonly StructureNode[] => {
  const known = structures.get(template)
  if (known !== undefined) return known
  const made = parseStructure(template.text, new ReferenceSets(), { isRaw: true })
  structures.set(template, made)
  return made
}

/** Says line and column of a fault in the text of the prompt, or of a partial. */
const locating = <Result>(text: string, partial: string | undefined, run: () => Result): Result => {
  try {
    return run()
  } catch (thrown) {
    throw thrown instanceof Fault ? new BrokenMessages(thrown.message, placeOf(text, thrown.offset), partial) : thrown
  }
}
