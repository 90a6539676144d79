import { isRecord } from '#kit'

/** Tokens of a text as the mock counts them: one for each run of characters that are not white space. */
export const countWords = (text: string): number => {
  let words = 0
  for (const _ of text.matchAll(/\S+/g)) words++
  return words
}

/** The text in pieces of one word with the white space after it; joined they are the text. */
export const splitWords = (text: string): string[] => text.match(/^\s+|\S+\s*/g) ?? []

/** Text of a message's content: a string, or the text parts joined by a space. */
export const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join(' ')
}

/** What kind of image each image part holds: `https`, `http`, or the media type of a data URL. */
export const imageKinds = (messages: readonly Record<string, unknown>[]): string[] =>
  messages
    .flatMap((message) => (Array.isArray(message.content) ? message.content : []))
    .filter((part) => isRecord(part) && part.type === 'image_url')
    .map((part) => imageKind(isRecord(part.image_url) ? part.image_url.url : part.image_url))

const imageKind = (url: unknown): string => {
  if (typeof url !== 'string') return 'unknown'
  const dataUrl = /^data:([^;,]*)/.exec(url)
  if (dataUrl !== null) return `${dataUrl[1] || 'text/plain'} as base64`
  return /^(https?):/.exec(url)?.[1] ?? 'unknown'
}
