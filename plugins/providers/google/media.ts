import { defined, isRecord } from '#kit'
import { type Fields, refuse, textOf } from './json.ts'

/** Media types by the ending of a URL's path. Where it has none of these the type is left to Gemini: it is optional. */
const TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  pdf: 'application/pdf',
}

/** A content part of a user message as a Gemini part. @throws InvalidRequest for a form that Gemini does not take. */
export const toPart = (part: unknown, path: string): Fields => {
  if (!isRecord(part)) throw refuse(path, 'A content part must be an object.')
  switch (part.type) {
    case 'text':
    case 'input_text':
      return { text: textIn(part.text, `${path}.text`) }
    case 'image_url':
      return imagePart(part.image_url, `${path}.image_url`)
    case 'input_audio':
      return audioPart(part.input_audio, `${path}.input_audio`)
    case 'file':
      return filePart(part.file, `${path}.file`)
    default:
      throw refuse(`${path}.type`, 'Gemini takes content parts of the types text, image_url, input_audio and file.')
  }
}

export const textIn = (value: unknown, path: string): string => {
  if (typeof value !== 'string') throw refuse(path, 'The text of a content part must be a string.')
  return value
}

const imagePart = (value: unknown, path: string): Fields => {
  const url = textOf(isRecord(value) ? value.url : value)
  if (url === undefined) throw refuse(path, 'An image needs a `url`: https, gs, or a base64 data URL.')
  return startsWithScheme(url, 'data:') ? inlineData(url, path) : fileData(url, path)
}

const audioPart = (value: unknown, path: string): Fields => {
  const data = isRecord(value) ? textOf(value.data) : undefined
  const format = isRecord(value) ? textOf(value.format) : undefined
  if (data === undefined || data === '' || format === undefined) {
    throw refuse(path, 'Audio needs `data` in base64 and its `format`.')
  }
  return { inlineData: { mimeType: `audio/${format}`, data } }
}

const filePart = (value: unknown, path: string): Fields => {
  const data = isRecord(value) ? textOf(value.file_data) : undefined
  const url = isRecord(value) ? textOf(value.file_url) : undefined
  // Not of the reference: clients of Responses send it.
  if (data === undefined && url !== undefined) return fileData(url, `${path}.file_url`)
  if (data === undefined || !startsWithScheme(data, 'data:')) {
    throw refuse(path, 'A file needs `file_data` as a base64 data URL: ids of uploaded files are not known to Gemini.')
  }
  return inlineData(data, `${path}.file_data`)
}

/** Reads only the head of the URL: the data may be many megabytes. */
const inlineData = (url: string, path: string): Fields => {
  const comma = url.indexOf(',')
  const [mimeType = '', ...attributes] = url.slice('data:'.length, comma).split(';')
  const isBase64 = attributes.at(-1)?.toLowerCase() === 'base64'
  if (comma === -1 || !isBase64 || mimeType === '' || comma === url.length - 1) {
    throw refuse(path, 'A data URL must be of the form `data:<type>;base64,<data>`.')
  }
  return { inlineData: { mimeType: mimeType.toLowerCase(), data: url.slice(comma + 1) } }
}

/**
 * Gemini fetches public and signed https URLs, its own Files API's URIs and registered Cloud Storage objects (blog "Increased
 * file size limits and expanded inputs support in Gemini API", read 2026-11-21). Weir itself fetches nothing.
 */
const fileData = (url: string, path: string): Fields => {
  const isTaken = startsWithScheme(url, 'https://') || startsWithScheme(url, 'gs://')
  if (!isTaken || !URL.canParse(url)) {
    throw refuse(path, 'Gemini reads files from https:// and gs:// URLs; send anything else as a base64 data URL.')
  }
  const ending = /\.([a-z]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase()
  const mimeType = ending === undefined ? undefined : TYPE_BY_ENDING[ending]
  return { fileData: defined({ mimeType, fileUri: url }) }
}

const startsWithScheme = (url: string, scheme: string): boolean => url.slice(0, scheme.length).toLowerCase() === scheme
