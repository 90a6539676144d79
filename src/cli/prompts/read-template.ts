import { PromptError, parsePrompt, parseTemplate, TemplateError } from '../../calls/template/index.ts'
import { check } from '../../core/check.ts'
import { NewPartial } from '../../management/prompt-partials/model.ts'
import { NewPrompt } from '../../management/prompts/model.ts'
import { findUnstorable } from '../../management/unstorable-text.ts'
import type { Problem } from './problems.ts'
import { fromTemplateFile, type TemplateFile, withoutLastBreak } from './template-file.ts'

/** The template in a file of a prompt; undefined when no prompt could have it, which is added to the list. */
export const readPromptTemplate = (
  file: string,
  content: TemplateFile,
  isRaw: boolean,
  problems: Problem[],
): string | undefined => {
  // The text of the file, so that line and column are those of the file.
  if (!canBeParsed(file, () => parsePrompt(content.text, { isRaw }), problems)) return undefined
  const template = fromTemplateFile(content, isRaw)
  if (template === undefined) {
    problems.push({ file, message: 'holds no JSON with messages; any other template belongs into a file of type .txt' })
    return undefined
  }
  return storable(file, NewPrompt.properties.string, template, problems)
}

/** The template in a file of a partial, as above. */
export const readPartialTemplate = (file: string, text: string, problems: Problem[]): string | undefined => {
  const template = withoutLastBreak(text)
  if (!canBeParsed(file, () => parseTemplate(template), problems)) return undefined
  return storable(file, NewPartial.properties.string, template, problems)
}

const canBeParsed = (file: string, parse: () => unknown, problems: Problem[]): boolean => {
  try {
    parse()
    return true
  } catch (thrown) {
    if (!(thrown instanceof PromptError)) throw thrown
    const place = thrown instanceof TemplateError ? `:${thrown.line}:${thrown.column}` : ''
    // The place stands behind the name of the file already.
    const message = thrown.message.replace(/ \(line \d+, column \d+\)$/, '')
    problems.push({ file: `${file}${place}`, message })
    return false
  }
}

const storable = (
  file: string,
  schema: typeof NewPrompt.properties.string | typeof NewPartial.properties.string,
  template: string,
  problems: Problem[],
): string | undefined => {
  const checked = check(schema, template)
  const [violation] = checked.ok ? [findUnstorable(template)] : checked.violations
  if (violation === undefined) return template
  problems.push({ file, message: violation.message })
  return undefined
}
