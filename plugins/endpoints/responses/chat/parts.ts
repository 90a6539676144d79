import { defined, InvalidRequest, isRecord } from '#kit'
import type { ContentPart } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Names a part of the request that gets lost. */
export type Lose = (part: string) => void

/** A part of what the user, or a tool, says. @throws InvalidRequest naming the part that a chat has no form for */
export const inputPart = (part: unknown, path: string, lose: Lose): ContentPart => {
  if (!isRecord(part)) throw refused(path, 'must be an object')
  if (isRecord(part.prompt_cache_breakpoint)) lose('input[].prompt_cache_breakpoint')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textAt(part.text, `${path}.text`) }
    case 'refusal':
      return { type: 'text', text: textAt(part.refusal, `${path}.refusal`) }
    case 'input_image':
      return imagePart(part, path)
    case 'input_file':
      return filePart(part, path, lose)
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio }
    default:
      throw refused(`${path}.type`, 'must be input_text, input_image, input_file or input_audio')
  }
}

const imagePart = ({ image_url: url, file_id: id, detail }: Fields, path: string): ContentPart => {
  if (typeof url === 'string') {
    return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' ? { detail } : {}) } }
  }
  // Which provider knows that file is for its adapter to say.
  if (typeof id === 'string') return { type: 'file', file: { file_id: id } }
  throw refused(path, 'needs an `image_url` or a `file_id`')
}

const filePart = (part: Fields, path: string, lose: Lose): ContentPart => {
  const { file_data: data, file_id: id, file_url: url, filename, detail } = part
  if (typeof detail === 'string' && detail !== 'auto') lose('input[].detail')
  const place = { file_data: textOf(data), file_id: textOf(id), file_url: textOf(url) }
  if (Object.values(place).every((each) => each === undefined)) {
    throw refused(path, 'needs `file_data`, `file_id` or `file_url`')
  }
  // A `file_url` is not of the reference: adapters of providers that fetch files take it, others refuse it.
  return { type: 'file', file: defined({ ...place, filename: textOf(filename) }) }
}

/** Content of an answer of before: its texts, and what it refused to say. */
export const answerContent = (content: unknown, path: string): readonly ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw refused(path, 'must be a string or an array of parts')
  return content.map((part: unknown, index): ContentPart => {
    const at = `${path}[${index}]`
    if (!isRecord(part)) throw refused(at, 'must be an object')
    if (part.type === 'refusal') return { type: 'refusal', refusal: textAt(part.refusal, `${at}.refusal`) }
    if (part.type === 'output_text' || part.type === 'input_text' || part.type === 'text') {
      return { type: 'text', text: textAt(part.text, `${at}.text`) }
    }
    throw refused(`${at}.type`, 'must be output_text or refusal')
  })
}

/** What a user or a tool says: a text as it is, or its parts. */
export const spokenContent = (content: unknown, path: string, lose: Lose): string | readonly ContentPart[] => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw refused(path, 'must be a string or an array of parts')
  return content.map((part: unknown, index) => inputPart(part, `${path}[${index}]`, lose))
}

export const refused = (path: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${path}\` ${problem}.`, { param: path })

export const textAt = (value: unknown, path: string): string => {
  if (typeof value !== 'string') throw refused(path, 'must be a string')
  return value
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
