import type { Wire } from '../upstream/answers.ts'

/** Sizes of request bodies in bytes: a line, a conversation, and a picture in it. */
export const BODY_SIZES = { '256 B': 256, '4 KB': 4_096, '1 MB': 1_048_576 } as const
export type BodySize = keyof typeof BODY_SIZES

/** From here on the size is that of a picture in base64, not of text. */
const PICTURE_FROM = 65_536
const WORDS = 'The quick brown fox jumps over the lazy dog, and "quotes" it.\n'

export interface BodyShape {
  readonly wire: Wire
  readonly size: BodySize
  readonly stream: boolean
}

/** A chat request in OpenAI's form of exactly that many bytes: the conversation, or the picture, fills it up. */
export const chatBody = ({ wire, size, stream }: BodyShape): string => {
  const bytes = BODY_SIZES[size]
  const build = bytes < PICTURE_FROM ? textBody : pictureBody
  const model = wire === 'openai' ? 'gpt-5-mini' : 'claude-sonnet-4-5'
  const about = { model, ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}), max_tokens: 256 }
  const missing = bytes - build(about, 0).length
  if (missing < 0) throw new Error(`A body of ${size} has no room for its own fields`)
  const body = build(about, missing)
  if (body.length !== bytes) throw new Error(`The body has ${body.length} bytes instead of ${bytes}`)
  return body
}

/** Filled up behind the JSON escapes, which count double. */
const textBody = (about: object, fill: number): string => {
  const escaped = JSON.stringify(WORDS).slice(1, -1)
  const whole = Math.floor(fill / escaped.length)
  const content = WORDS.repeat(whole) + 'x'.repeat(fill - whole * escaped.length)
  return JSON.stringify({ ...about, messages: [{ role: 'user', content }] })
}

/** The same conversation in another dialect. Its size is that of the scene, give or take the names of its fields. */
export const dialectBody = (dialect: 'responses' | 'messages', shape: BodyShape): string => {
  const { messages, model, stream, max_tokens } = JSON.parse(chatBody(shape))
  const streamed = stream === true ? { stream } : {}
  return JSON.stringify(
    dialect === 'responses'
      ? { model, ...streamed, max_output_tokens: max_tokens, input: messages, store: false }
      : { model, ...streamed, max_tokens, messages },
  )
}

const pictureBody = (about: object, fill: number): string => {
  const picture = 'iVBORw0KGgo/AAAA+SUhEUgA'.repeat(Math.ceil(fill / 24)).slice(0, fill)
  const content = [
    { type: 'text', text: 'What is in this picture?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
  ]
  return JSON.stringify({ ...about, messages: [{ role: 'user', content }] })
}
