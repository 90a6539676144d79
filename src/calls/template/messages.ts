import { MessageBuilder, type PromptMessage } from './build-messages.ts'
import { BrokenMessages, Fault, placeOf } from './errors.ts'
import { ReferenceSets } from './nest.ts'
import type { References, Template } from './nodes.ts'
import { renderNodes } from './render.ts'
import { type RenderOptions, Run } from './run.ts'
import { parseStructure, type StructureNode } from './structure.ts'
import type { Context } from './values.ts'

/** A template of messages, taken apart. The same object may be rendered any number of times, also at once. */
export interface ChatPrompt extends References {
  readonly kind: 'chat'
  readonly text: string
  readonly nodes: readonly StructureNode[]
}

/**
 * The messages of a chat prompt with these variables. Each value ends up inside the string its tag stands in: the number of
 * messages, their roles and all keys are the template's, and those of partials that stand between strings. All objects are
 * new, so the caller may change them. There may be no message at all, when the sections of a raw template say so.
 * @throws MissingPartials, MissingVariables, PartialRecursion, TemplateTooLarge; BrokenMessages when the sections of a raw
 * template make no list of messages
 */
export const renderMessages = (
  { text, nodes, partials }: ChatPrompt,
  options: RenderOptions,
): readonly PromptMessage[] => {
  const run = new Run(options)
  run.require(partials)
  let messages: readonly PromptMessage[]
  try {
    messages = locating(text, undefined, () => buildMessages(text, nodes, run))
  } catch (thrown) {
    // A partial that is not there leaves a hole in the messages: the hole is what has to be said.
    if (thrown instanceof BrokenMessages) run.end()
    throw thrown
  }
  run.end()
  return messages
}

/** @throws Fault, and BrokenMessages for one inside a partial */
export const buildMessages = (text: string, nodes: readonly StructureNode[], run: Run): readonly PromptMessage[] => {
  const builder = new MessageBuilder()
  emit(nodes, run.root, run, builder)
  return builder.end(text.length)
}

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
        builder.filled(renderNodes(node.nodes, context, run), node.offset)
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
