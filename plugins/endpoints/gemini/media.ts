import { isRecord } from '#kit'
import type { ContentPart } from '#kit/provider'
import { type Fields, fieldOf, refuse, textAt } from './fields.ts'

/**
 * A part that a user says, or that a tool gives, as one of a chat. Forms: `Part` of google/ai/generativelanguage/v1beta/content.proto
 * and of @google/genai 3.1.0; "Chat" of OpenAI's API reference; read 2026-11-22.
 * @param place where it stands, for errors
 * @throws InvalidRequest naming the field that no chat can be told
 */
export const toContentPart = (part: Fields, place: string): ContentPart => {
  const text = textAt(part, 'text', `${place}.`)
  if (text !== undefined) return { type: 'text', text }
  const inline = fieldOf(part, 'inlineData')
  if (isRecord(inline)) return toInlinePart(inline, `${place}.inlineData`)
  const file = fieldOf(part, 'fileData')
  if (isRecord(file)) return toFilePart(file, `${place}.fileData`)
  const name = Object.keys(part).find((key) => !SAYS_NOTHING.has(key)) ?? 'text'
  throw refuse(`${place}.${name}`, 'cannot be told a provider that is not Google')
}

/** Marks on a part, beside what it says. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'thought_signature',
  'partMetadata',
  'part_metadata',
  'videoMetadata',
  'video_metadata',
  'mediaResolution',
  'media_resolution',
])

const toInlinePart = (blob: Fields, place: string): ContentPart => {
  const type = (textAt(blob, 'mimeType', `${place}.`) ?? '').toLowerCase()
  const data = textAt(blob, 'data', `${place}.`) ?? ''
  if (type === '') throw refuse(`${place}.mimeType`, 'is required')
  if (data === '') throw refuse(`${place}.data`, 'is required')
  const base64 = standardBase64(data)
  if (type.startsWith('audio/'))
    return { type: 'input_audio', input_audio: { data: base64, format: audioFormat(type) } }
  const url = `data:${type};base64,${base64}`
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  const named = textAt(blob, 'displayName', `${place}.`) ?? `file${type === 'application/pdf' ? '.pdf' : ''}`
  return { type: 'file', file: { filename: named, file_data: url } }
}

/** Bytes may come in either alphabet of Base64 ("ProtoJSON Format" of protobuf.dev, read 2026-11-22); a data URL has one. */
export const standardBase64 = (data: string): string => {
  const isUrlSafe = data.includes('-') || data.includes('_')
  return isUrlSafe ? data.replaceAll('-', '+').replaceAll('_', '/') : data
}

/** A chat knows sounds by their formats, and these two under one name each. */
const audioFormat = (type: string): string => {
  const format = type.slice('audio/'.length).split(';', 1)[0] ?? ''
  if (format === 'mpeg') return 'mp3'
  return format === 'x-wav' || format === 'wave' ? 'wav' : format
}

/** A chat takes pictures by their address, and nothing else. */
const toFilePart = (file: Fields, place: string): ContentPart => {
  const uri = textAt(file, 'fileUri', `${place}.`) ?? ''
  const type = (textAt(file, 'mimeType', `${place}.`) ?? '').toLowerCase()
  if (uri === '') throw refuse(`${place}.fileUri`, 'is required')
  const isPicture = type === '' ? PICTURE.test(uri) : type.startsWith('image/')
  if (isPicture && /^https?:\/\//i.test(uri) && !GOOGLES.test(uri))
    return { type: 'image_url', image_url: { url: uri } }
  throw refuse(
    `${place}.fileUri`,
    'must be the address of a picture for a provider that is not Google: send anything else as `inlineData`',
  )
}

const PICTURE = /\.(?:png|jpe?g|webp|gif)(?:[?#]|$)/i

/** Files that were uploaded to Google, which only it can read. */
const GOOGLES = /^https?:\/\/generativelanguage\.googleapis\.com\//i
