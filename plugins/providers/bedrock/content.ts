import { isRecord } from '#kit'
import { type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from '../anthropic/values.ts'
import { audioBlock, documentBlock, imageBlock, videoBlock } from './media.ts'

/** Names a part that is lost on the way: see `ParamRule`. */
export type Report = (part: string) => void

/** A block of Converse: a record with one field, its kind. */
export type Block = Fields

/** How parts become blocks: which models have cache points, and what is told of the rest. */
export interface ContentRules {
  readonly cachePoints: boolean
  readonly report: Report
}

/** Blocks of Converse's own, which a client may put among the reference's parts: `{type: 'guardContent', guardContent: {…}}`. */
const NATIVE = ['guardContent', 'searchResult', 'document', 'image', 'video', 'audio', 'cachePoint'] as const

type ToBlock = (part: Fields, path: string) => Block | undefined

/**
 * Content of a message as blocks: text, a list of parts, or nothing. Texts of white space alone are left out: "The text field
 * in the ContentBlock object is blank" (boto/botocore #3525, read 2026-11-22).
 * @param path where the content stands, for the error: `messages[2].content`
 * @throws InvalidRequest naming the part that has no counterpart
 */
export const blocksOf = (content: unknown, path: string, rules: ContentRules, toBlock: ToBlock = userPart): Block[] => {
  if (isAbsent(content)) return []
  if (typeof content === 'string') return isBlank(content) ? [] : [{ text: content }]
  if (!Array.isArray(content)) return refuse(path, 'must be a string or an array of parts.')
  return listAt(content, path).flatMap((item, index) => {
    const part = recordAt(item, `${path}[${index}]`)
    const block = toBlock(part, `${path}[${index}]`)
    return block === undefined ? [] : [block, ...cachePointOf(part, rules)]
  })
}

export const isBlank = (text: string): boolean => !/\S/.test(text)

/** The cache breakpoint behind a part, a message or a tool that has one. Absent: where the model has none, which is told. */
export const cachePointOf = ({ cache_control: mark }: Fields, { cachePoints, report }: ContentRules): Block[] => {
  if (!isRecord(mark)) return []
  if (!cachePoints) {
    report('cache_control')
    return []
  }
  return [{ cachePoint: { type: 'default', ...(mark.ttl === '1h' ? { ttl: '1h' } : {}) } }]
}

/** The parts of system messages: text, and Converse's own. */
export const textPart: ToBlock = (part, path) => {
  const { type } = part
  if (type === 'guardContent' || type === 'cachePoint') return nativePart(type, part, path)
  if (type !== 'text' && type !== 'refusal') return refuse(`${path}.type`, 'must be `text` in this message.')
  const text = stringAt(part[type], `${path}.${type}`)
  return isBlank(text) ? undefined : { text }
}

/** Parts of an earlier answer: what is no text has no place in a turn of the assistant. */
export const answerPart: ToBlock = (part, path) =>
  part.type === 'text' || part.type === 'refusal' ? textPart(part, path) : undefined

const userPart: ToBlock = (part, path) => {
  const { type } = part
  const native = NATIVE.find((name) => name === type && isRecord(part[name]))
  if (native !== undefined) return nativePart(native, part, path)
  switch (type) {
    case 'text':
      return textPart(part, path)
    case 'image_url':
      return imageBlock(part.image_url, path)
    case 'file':
      return documentBlock(part.file, path)
    case 'input_audio':
      return audioBlock(part.input_audio, path)
    case 'video_url':
      return videoBlock(part.video_url, path)
    default:
      return refuse(`${path}.type`, 'is not a kind of content that this provider takes.')
  }
}

const nativePart = (name: string, part: Fields, path: string): Block => ({
  [name]: recordAt(part[name], `${path}.${name}`),
})
