import { PromptError, parsePrompt } from '../../calls/template/index.ts'

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

/**
 * JSON text without the blanks between its tokens. Escapes, the spelling of numbers and keys that are there twice stay as they
 * are, which `JSON.parse` and `JSON.stringify` would not leave so.
 * @param text valid JSON
 */
export const compactJson = (text: string): string => [...tokensOf(text)].join('')

/**
 * JSON text with each item and property on a line of its own, as `JSON.stringify` writes it with two spaces; no token is changed.
 * @param text valid JSON
 */
export const prettyJson = (text: string): string => {
  let pretty = ''
  let depth = 0
  let previous = ''
  const newLine = (): string => `\n${'  '.repeat(depth)}`
  for (const token of tokensOf(text)) {
    if (token === ']' || token === '}') {
      depth--
      pretty += previous === '[' || previous === '{' ? token : newLine() + token
    } else {
      if (previous === '[' || previous === '{' || previous === ',') pretty += newLine()
      pretty += token === ':' ? ': ' : token
      if (token === '[' || token === '{') depth++
    }
    previous = token
  }
  return pretty
}

const MARKS = '[]{}:,'
const BLANKS = ' \t\r\n'

function* tokensOf(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const start = at
    const first = text.charAt(at)
    at++
    if (BLANKS.includes(first)) continue
    if (first === '"') at = endOfString(text, at)
    else if (!MARKS.includes(first)) while (at < text.length && !isEnd(text.charAt(at))) at++
    yield text.slice(start, at)
  }
}

const isEnd = (character: string): boolean =>
  MARKS.includes(character) || BLANKS.includes(character) || character === '"'

/** @param start behind the opening quote */
const endOfString = (text: string, start: number): number => {
  let at = start
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at + 1
}
