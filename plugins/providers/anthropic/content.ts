import { isRecord } from '#kit'
import { type Block, cacheMark, type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from './values.ts'

/** Parts in Anthropic's own form, which a client may put among the reference's. */
const NATIVE_PARTS: ReadonlySet<unknown> = new Set(['image', 'document', 'search_result', 'container_upload'])

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/**
 * Content of a message as blocks: text, a list of parts, or nothing. Texts of white space alone are left out: "text content
 * blocks must contain non-whitespace text" (issue 175637 of home-assistant/core, read 2026-11-22).
 * @param path where the content stands, for the error: `messages[2].content`.
 * @throws InvalidRequest naming the part that has no counterpart.
 */
export const blocksOf = (content: unknown, path: string, part = userPart): readonly Block[] => {
  if (isAbsent(content)) return []
  if (typeof content === 'string') return isBlank(content) ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return refuse(path, 'must be a string or an array of parts.')
  return listAt(content, path).flatMap((item, index) => {
    const itemPath = `${path}[${index}]`
    return part(recordAt(item, itemPath), itemPath)
  })
}

/** The parts of system messages: nothing but text. */
export const textPart = (part: Fields, path: string): readonly Block[] => {
  if (part.type !== 'text' && part.type !== 'refusal') return refuse(`${path}.type`, 'must be `text` in this message.')
  const field = part.type
  const text = stringAt(part[field], `${path}.${field}`)
  return isBlank(text) ? [] : [{ type: 'text', text, ...cacheMark(part) }]
}

/** Parts of an earlier answer: what is no text has no place in a turn of the assistant. */
export const answerPart = (part: Fields, path: string): readonly Block[] =>
  part.type === 'text' || part.type === 'refusal' ? textPart(part, path) : []

const isBlank = (text: string): boolean => !/\S/.test(text)

const userPart = (part: Fields, path: string): readonly Block[] => {
  const { type } = part
  if (type === 'text') return textPart(part, path)
  if (type === 'image_url') return [{ type: 'image', source: imageSource(part.image_url, path), ...cacheMark(part) }]
  if (type === 'file') return [documentBlock(part, path)]
  if (typeof type === 'string' && NATIVE_PARTS.has(type)) return [{ ...part, type }]
  return refuse(`${path}.type`, 'is not a kind of content that this provider takes.')
}

const imageSource = (image: unknown, path: string): Fields => {
  const param = `${path}.image_url`
  const url = isRecord(image) ? image.url : image
  if (typeof url !== 'string') return refuse(param, 'must be a URL or an object with a `url`.')
  if (/^https?:\/\//i.test(url)) return { type: 'url', url }
  const { mediaType, data } = base64Of(url, param)
  const imageType = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType
  if (!IMAGE_TYPES.has(imageType)) return refuse(param, 'must be a JPEG, PNG, GIF or WebP image.')
  return { type: 'base64', media_type: imageType, data }
}

/** A PDF that the client sends along ("PDF support"). */
const documentBlock = (part: Fields, path: string): Block => {
  const param = `${path}.file`
  const { file_data: fileData, file_url: url, filename } = recordAt(part.file, param)
  const rest = { ...(typeof filename === 'string' ? { title: filename } : {}), ...cacheMark(part) }
  // Not of the reference: clients of Responses send it ("PDF support", URL-based documents).
  if (typeof url === 'string' && fileData === undefined) {
    if (!/^https?:\/\//i.test(url)) return refuse(`${param}.file_url`, 'must be an http(s) URL.')
    return { type: 'document', source: { type: 'url', url }, ...rest }
  }
  const { mediaType, data } = base64Of(stringAt(fileData, `${param}.file_data`), `${param}.file_data`)
  if (mediaType !== 'application/pdf') return refuse(`${param}.file_data`, 'must be a PDF.')
  return {
    type: 'document',
    source: { type: 'base64', media_type: mediaType, data },
    ...rest,
  }
}

/** Cuts a `data:` URL by position: it may be tens of megabytes long. */
const base64Of = (url: string, param: string): { readonly mediaType: string; readonly data: string } => {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  const [mediaType = '', ...attributes] = url.slice('data:'.length, Math.max(comma, 'data:'.length)).split(';')
  if (comma === -1 || !attributes.includes('base64')) {
    return refuse(param, 'must be an http(s) URL or a base64 `data:` URL.')
  }
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) }
}
