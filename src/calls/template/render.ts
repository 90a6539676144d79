import type { Template, TemplateNode } from './nodes.ts'
import { parseTemplate } from './parse.ts'
import { type RenderOptions, Run } from './run.ts'
import { type Context, textOf } from './values.ts'

/**
 * The text of a template with these variables. What a value holds is text: tags in it are not looked at.
 * @throws MissingPartials, MissingVariables, PartialRecursion, TemplateTooLarge
 */
export const renderTemplate = (template: Template, options: RenderOptions): string => {
  const run = new Run(options)
  run.require(template.partials)
  const text = renderNodes(template.nodes, run.root, run)
  run.end()
  return text
}

/** What nodes write in this context, each value as `write` has it. */
export const renderNodes = (nodes: readonly TemplateNode[], context: Context, run: Run, write = textOf): string => {
  run.step(nodes.length + 1)
  let output = ''
  for (const node of nodes) {
    switch (node.kind) {
      case 'text':
        output += run.write(node.text)
        break
      case 'value':
        output += run.write(write(run.value(node.name, context)))
        break
      case 'section':
        run.section(node, context, (item) => {
          output += renderNodes(node.body, item, run, write)
        })
        break
      case 'partial':
        run.partial(node, context, (template) => {
          output += renderNodes(indented(template, node.indent).nodes, context, run, write)
        })
        break
    }
  }
  return output
}

const indentedTemplates = new WeakMap<Template, Map<string, Template>>()

/** A partial with an indent before each of its lines; lines within values stay where they are. */
const indented = (template: Template, indent: string): Template => {
  if (indent === '') return template
  const known = indentedTemplates.get(template) ?? new Map<string, Template>()
  indentedTemplates.set(template, known)
  const existing = known.get(indent)
  if (existing !== undefined) return existing
  const made = parseTemplate(template.text.replace(/(?<![^\n])(?=[^\n])/g, () => indent))
  known.set(indent, made)
  return made
}
