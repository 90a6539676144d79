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
    'cache_control caller logprobs finish_reason stop_reason server_label'
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
  ['output', 'tool-result'],
  ['outputs', 'tool-result'],
  ['results', 'tool-result'],
  ['function_call', 'tool-arguments'],
  ['partial_json', 'tool-arguments'],
  ['tool_calls', 'tool-arguments'],
])

export const kindOf = (name: string, otherwise: Kind): Kind => KINDS.get(name) ?? otherwise

/** Arguments of a tool that stand in a body as an object. */
const ARGUMENTS: ReadonlySet<string> = new Set(['args', 'arguments', 'input'])

/** Types of blocks and items that say what a tool gave. */
const RESULT = /(?:tool_result|_call_output)$/

const TOOL_RESULT: Said = { role: 'tool', kind: 'tool-result' }

/** Whether a block or an item says what a tool gave. */
export const isResult = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && RESULT.test(value.type)

/** What the words of a block or an item are, where its type says it. */
const saidIn = (value: Readonly<Record<string, unknown>>, said: Said): Said => {
  const { type } = value
  if (typeof type !== 'string') return said
  if (RESULT.test(type)) return TOOL_RESULT
  const kind = /^(?:reasoning|summary_text|thinking)/.test(type)
    ? 'reasoning'
    : /(?:_call|tool_use)$/.test(type)
      ? 'tool-arguments'
      : said.kind
  return kind === said.kind ? said : { role: said.role, kind }
}

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
    const of = saidIn(value, said)
    for (const name of Object.keys(value)) {
      const field = value[name]
      const at = [...path, name]
      const kind = kindOf(name, of.kind)
      if (!hasWordsIn(name, value)) continue
      if (isRecord(field) && ARGUMENTS.has(name))
        addObject(places, field, at, { role: of.role, kind: 'tool-arguments' })
      else if (name === 'text' && typeof field === 'string' && field !== '' && isFilled(value.logprobs))
        places.push({ role: of.role, kind, path: at, text: field, tokens: [...path, 'logprobs'] })
      else addWords(places, field, at, kind === of.kind ? of : { role: of.role, kind }, depth - 1)
    }
  }
}

/** A document is Base64, or its plain text; what a tool made is told, unless it is a picture. */
const hasWordsIn = (name: string, { type }: Readonly<Record<string, unknown>>): boolean => {
  if (name === 'data') return type === 'text'
  return hasWords(name) && !(name === 'result' && type === 'image_generation_call')
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

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

/** Adds what stands in a body as an object: arguments of a tool, or what it gave. */
export const addObject = (places: TextPlace[], value: unknown, path: Path, { role, kind }: Said): void => {
  const text = isRecord(value) ? JSON.stringify(value) : '{}'
  if (text !== '{}') places.push({ role, kind, path, text, isJson: true })
}
