import { isRecord } from '#kit'
import type { ContentPart } from '#kit/provider'
import { cacheMark, type Fields, isGiven, listAt, type Report, recordAt, refuse, stringAt } from './values.ts'

/**
 * Content blocks as parts of a chat message: text, images, documents and search results. Blocks that only their maker can read
 * (results of server tools, uploads into a container) are left out and named.
 * @param path where the blocks stand, for errors: `messages[2].content`
 * @throws InvalidRequest naming the field that cannot be told to another provider
 */
export const partsOf = (blocks: readonly unknown[], path: string, report: Report): readonly ContentPart[] =>
  blocks.flatMap((block, index) => partOf(block, `${path}[${index}]`, report))

/** One block. */
export const partOf = (item: unknown, path: string, report: Report): readonly ContentPart[] => {
  const block = recordAt(item, path)
  switch (block.type) {
    case 'text':
      return [textPart(block, path, report)]
    case 'image':
      return [{ type: 'image_url', image_url: { url: imageUrl(block.source, `${path}.source`) }, ...cacheMark(block) }]
    case 'document':
      return documentParts(block, path, report)
    case 'search_result':
      return [searchResult(block, path, report)]
    default:
      report(`messages[].content[].${stringAt(block.type, `${path}.type`)}`)
      return []
  }
}

export const textPart = (block: Fields, path: string, report: Report): ContentPart => {
  if (Array.isArray(block.citations) && block.citations.length > 0) report('messages[].content[].citations')
  return { type: 'text', text: stringAt(block.text, `${path}.text`), ...cacheMark(block) }
}

/** One plain text is a string, which every host takes; nothing is an empty one. */
export const contentOf = (parts: readonly ContentPart[]): string | readonly ContentPart[] => {
  const [first] = parts
  if (first === undefined) return ''
  const isPlain = parts.length === 1 && first.type === 'text' && !('cache_control' in first)
  return isPlain && typeof first.text === 'string' ? first.text : parts
}

/** A file that is kept at Anthropic is nothing that another provider could look at. */
const KEPT_ELSEWHERE = 'cannot be sent: a file that was uploaded to Anthropic stays there, so send its content'

const imageUrl = (value: unknown, path: string): string => {
  const source = recordAt(value, path)
  if (source.type === 'base64') return dataUrl(source, path)
  if (source.type === 'url') return stringAt(source.url, `${path}.url`)
  return source.type === 'file'
    ? refuse(`${path}.file_id`, KEPT_ELSEWHERE)
    : refuse(`${path}.type`, 'must be base64 or url')
}

const dataUrl = ({ media_type: type, data }: Fields, path: string): string =>
  `data:${stringAt(type, `${path}.media_type`)};base64,${stringAt(data, `${path}.data`)}`

/** A document: a file where it is one, else its text, with what the client says about it in front. */
const documentParts = (block: Fields, path: string, report: Report): readonly ContentPart[] => {
  const { title, context } = block
  if (isRecord(block.citations) && block.citations.enabled === true) report('messages[].content[].citations')
  const source = recordAt(block.source, `${path}.source`)
  const about = [title, context].filter((words): words is string => typeof words === 'string' && words !== '')
  const inFront: ContentPart[] = about.length === 0 ? [] : [{ type: 'text', text: about.join('\n') }]
  const sourcePath = `${path}.source`
  switch (source.type) {
    case 'base64':
      return [...aside(context), filePart(dataUrl(source, sourcePath), title, block)]
    case 'url':
      return [...aside(context), filePart(stringAt(source.url, `${sourcePath}.url`), title, block)]
    case 'text':
      return [...inFront, { type: 'text', text: stringAt(source.data, `${sourcePath}.data`), ...cacheMark(block) }]
    case 'content': {
      const { content } = source
      if (typeof content === 'string') return [...inFront, { type: 'text', text: content, ...cacheMark(block) }]
      return [...inFront, ...partsOf(listAt(content, `${sourcePath}.content`), `${sourcePath}.content`, report)]
    }
    case 'file':
      return refuse(`${sourcePath}.file_id`, KEPT_ELSEWHERE)
    default:
      return refuse(`${sourcePath}.type`, 'must be base64, url, text or content')
  }
}

/** The title is the name of the file; what else is said about it stands in front. */
const aside = (context: unknown): ContentPart[] =>
  typeof context === 'string' && context !== '' ? [{ type: 'text', text: context }] : []

/** OpenAI takes no file without a name. Where a host takes no URL of one, it says so itself. */
const filePart = (data: string, title: unknown, block: Fields): ContentPart => ({
  type: 'file',
  file: { filename: typeof title === 'string' && title !== '' ? title : 'document.pdf', file_data: data },
  ...cacheMark(block),
})

const searchResult = (block: Fields, path: string, report: Report): ContentPart => {
  if (isRecord(block.citations) && block.citations.enabled === true) report('messages[].content[].citations')
  const texts = listAt(block.content, `${path}.content`).map((item, index) => {
    const at = `${path}.content[${index}]`
    return stringAt(recordAt(item, at).text, `${at}.text`)
  })
  const head = [block.title, block.source].filter(isGiven).join(' ')
  return { type: 'text', text: [head, ...texts].join('\n'), ...cacheMark(block) }
}
