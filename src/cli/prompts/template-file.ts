import { PromptError, parsePrompt } from '../../calls/template/index.ts'
import { compactJson, prettyJson } from './json-text.ts'

/** `json`: messages, with line breaks and indentation of the file's own; `txt`: the exact text and a line break. */
export type TemplateKind = 'json' | 'txt'

export interface TemplateFile {
  readonly kind: TemplateKind
  readonly text: string
}

/**
 * A saved template as a file that people can review. Messages are spread over lines where that loses nothing but blanks
 * outside strings; any other text stays as it is, to the byte.
 */
export const toTemplateFile = (template: string, isRaw: boolean): TemplateFile =>
  isMessages(template, isRaw)
    ? { kind: 'json', text: `${prettyJson(template)}\n` }
    : { kind: 'txt', text: `${template}\n` }

/**
 * The template that a file stands for.
 * @returns undefined for a `json` file that holds no JSON with messages
 */
export const fromTemplateFile = ({ kind, text }: TemplateFile, isRaw: boolean): string | undefined => {
  if (kind === 'txt') return withoutLastBreak(text)
  return isMessages(text, isRaw) ? compactJson(text) : undefined
}

/** Two templates of the same canonical form mean the same. */
export const canonicalTemplate = (template: string, isRaw: boolean): string =>
  isMessages(template, isRaw) ? compactJson(template) : template

/** The line break that every file ends with is not a part of the text. */
export const withoutLastBreak = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

const isMessages = (template: string, isRaw: boolean): boolean => {
  try {
    JSON.parse(template)
    return parsePrompt(template, { isRaw }).kind === 'chat'
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof PromptError) return false
    throw thrown
  }
}
