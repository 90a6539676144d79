import { isRecord } from '#kit'
import { type Fields, parseObject, refuse, textOf } from './json.ts'
import { toPart } from './media.ts'
import { takesMediaInResults } from './model.ts'

/** What a function response may hold (page "Function calling", part "Multimodal function responses", read 2026-11-22). */
const MEDIA_TYPES: ReadonlySet<unknown> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'text/plain',
])

/** The turn that answers the calls of one turn. */
export interface Results {
  readonly parts: Fields[]
  /** @throws InvalidRequest naming the field that Gemini cannot be told. */
  add(message: Fields, path: string, names: ReadonlyMap<string, string>, model: string): void
  /** No more results: what could not stand in a response follows all of them. */
  close(): void
}

export const createResults = (): Results => {
  const parts: Fields[] = []
  const after: Fields[] = []
  return {
    parts,
    add: (message, path, names, model) => {
      const id = textOf(message.tool_call_id)
      if (id === undefined) throw refuse(`${path}.tool_call_id`, 'A tool message needs its `tool_call_id`.')
      const name = names.get(id) ?? textOf(message.name)
      if (name === undefined) {
        throw refuse(`${path}.tool_call_id`, 'No earlier assistant message has a tool call with this id.')
      }
      const { text, media } = contentOf(message.content, `${path}.content`)
      const inside = media.filter((part) => takesMediaInResults(model) && isInline(part))
      const outside = media.filter((part) => !inside.includes(part))
      const response = parseObject(text) ?? { result: text }
      parts.push({ functionResponse: { id, name, response, ...(inside.length === 0 ? {} : { parts: inside }) } })
      if (outside.length > 0) after.push({ text: `Result of ${name}:` }, ...outside)
    },
    close: () => {
      parts.push(...after.splice(0))
    },
  }
}

const contentOf = (content: unknown, path: string): { readonly text: string; readonly media: readonly Fields[] } => {
  if (typeof content === 'string') return { text: content, media: [] }
  if (!Array.isArray(content)) throw refuse(path, 'The content of a message must be a string or an array of parts.')
  const parts = content.map((part: unknown, index) => toPart(part, `${path}[${index}]`))
  return {
    text: parts.map((part) => textOf(part.text) ?? '').join(''),
    media: parts.filter((part) => part.text === undefined),
  }
}

const isInline = ({ inlineData: data }: Fields): boolean => isRecord(data) && MEDIA_TYPES.has(data.mimeType)
