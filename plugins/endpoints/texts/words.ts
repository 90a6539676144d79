import type { TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'

export type Path = TextPlace['path']
export type Role = TextPlace['role']
export type Kind = TextPlace['kind']

/** Whose words a text is, and what they are. */
export interface Said {
  readonly role: Role
  readonly kind: Kind
}

/**
 * Fields that say what something is, where it lies, or how it is sealed: nobody's words. Pictures, sound and files are among
 * them, and so is what spells a text in tokens.
 */
const NO_WORDS: ReadonlySet<string> = new Set(
  (
    'type id object index role name status model url uri image_url video_url file_url data b64_json file_data signature ' +
    'thought_signature thoughtSignature mime_type media_type mimeType fileUri format detail filename phase channel ' +
    'cache_control caller logprobs finish_reason stop_reason'
  ).split(' '),
)

/** Ids and positions of something else, and what only its provider can read. */
const NO_WORDS_EITHER = /(?:_ids?|Ids?|_index|Index)$|^encrypted/

export const hasWords = (name: string): boolean => !NO_WORDS.has(name) && !NO_WORDS_EITHER.test(name)

/** What the words of a field are, where its name says it. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['reasoning', 'reasoning'],
  ['reasoning_content', 'reasoning'],
  ['reasoning_details', 'reasoning'],
  ['thinking', 'reasoning'],
  ['arguments', 'tool-arguments'],
  ['function_call', 'tool-arguments'],
  ['partial_json', 'tool-arguments'],
  ['tool_calls', 'tool-arguments'],
])

export const kindOf = (name: string, otherwise: Kind): Kind => KINDS.get(name) ?? otherwise

/** Arguments of a tool that stand in a body as an object. */
const ARGUMENTS: ReadonlySet<string> = new Set(['args', 'arguments', 'input'])

/** Types of blocks and items that say what a tool gave. */
const RESULT = /(?:tool_result|_call_output)$/

/** Whether a block or an item says what a tool gave. */
export const isResult = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && RESULT.test(value.type)

const TOOL_RESULT: Said = { role: 'tool', kind: 'tool-result' }

/** No words stand any deeper: what somebody nests must not outgrow the stack. */
const MAX_DEPTH = 64

/** Adds every text in a value, whatever its form. @param said where its fields do not say it of their own */
export const addWords = (places: TextPlace[], value: unknown, path: Path, said: Said, depth = MAX_DEPTH): void => {
  if (typeof value === 'string') {
    if (value !== '') places.push({ role: said.role, kind: said.kind, path, text: value })
  } else if (depth === 0) {
    return
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      // Tokens and vectors may be many, and say nothing.
      if (typeof value[index] !== 'number') addWords(places, value[index], [...path, index], said, depth - 1)
    }
  } else if (isRecord(value)) {
    const of = isResult(value) ? TOOL_RESULT : said
    for (const name of Object.keys(value)) {
      const field = value[name]
      // A document is Base64, or its plain text.
      if (!hasWords(name) && !(name === 'data' && value.type === 'text')) continue
      const kind = kindOf(name, of.kind)
      if (isRecord(field) && ARGUMENTS.has(name)) addObject(places, field, [...path, name], of.role)
      else addWords(places, field, [...path, name], kind === of.kind ? of : { role: of.role, kind }, depth - 1)
    }
  }
}

/** Every text in a value that a model wrote, or had a tool do. @param kind where its fields do not say it of their own */
export const wordsOf = (value: unknown, path: Path, kind: Kind): readonly TextPlace[] => {
  const places: TextPlace[] = []
  addWords(places, value, path, { role: 'assistant', kind })
  return places
}

/** Adds a text of the answer, where there is one. */
export const addText = (places: TextPlace[], text: unknown, path: Path): void => {
  if (typeof text === 'string' && text !== '') places.push({ role: 'assistant', kind: 'text', path, text })
}

/** Adds the arguments of a tool, which stand in a body as an object. */
export const addObject = (places: TextPlace[], value: unknown, path: Path, role: Role): void => {
  const text = isRecord(value) ? JSON.stringify(value) : '{}'
  if (text !== '{}') places.push({ role, kind: 'tool-arguments', path, text, isJson: true })
}
