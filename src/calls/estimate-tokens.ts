import { isRecord } from '../core/json/record.ts'
import { MOST_TOKENS } from '../core/usage.ts'
import { answerTextBytes } from './answer-text.ts'
import { countPrompts } from './text-prompts.ts'

/**
 * How many tokens a request or an answer has, without a tokenizer: three bytes of text make a token, which is more than
 * nearly every model counts for English text and close to what it counts for code and other scripts. Used to hold tokens
 * back before a call, and to count what a provider does not report.
 */
const BYTES_PER_TOKEN = 3

/** Role and separators of one message. */
const TOKENS_PER_MESSAGE = 4

/** An image, a sound or a file, whose bytes say nothing about its tokens: that of a large picture in OpenAI's tiles. */
export const TOKENS_PER_MEDIA = 1_105

/** Parts of a message whose content is no text. */
const MEDIA_PARTS = new Set([
  'image_url',
  'input_image',
  'input_audio',
  'file',
  'input_file',
  'image',
  'document',
  'document_url',
])

/** Google's, which have no type. */
const GOOGLE_MEDIA = ['inlineData', 'inline_data', 'fileData', 'file_data']

/**
 * Input tokens of a request body, tools and response schema included.
 * @param reads its fields that a model reads
 */
export const estimateInputTokens = (body: Readonly<Record<string, unknown>>, reads: readonly string[]): number => {
  let tokens = 0
  for (const field of reads) {
    if (body[field] !== undefined) tokens += tokensOf(body[field])
  }
  const { messages } = body
  return tokens + (Array.isArray(messages) ? messages.length * TOKENS_PER_MESSAGE : 0)
}

/** Tokens of a text of so many bytes in UTF-8. */
export const textTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)

/** Output tokens of a whole answer that does not say so itself: those of the text that the model wrote. */
export const estimateOutputTokens = (answer: unknown): number => textTokens(answerTextBytes(answer))

/** Most output tokens that a request allows, over all of its prompts and choices; undefined when it names no bound. */
export const maxOutputTokens = (body: Body): number | undefined => {
  const bound = outputBound(body)
  // Callers may ask for more than any model gives, and that any number of times.
  return bound === undefined ? undefined : Math.min(bound * countOutputs(body), MOST_TOKENS)
}

/** Most tokens of one output that a request allows; undefined when it names no bound. */
export const outputBound = (body: Body): number | undefined => {
  const own = ownBounds(body)
  return [
    body.max_completion_tokens,
    body.max_tokens,
    body.max_output_tokens,
    own.maxOutputTokens,
    own.max_output_tokens,
  ].find(isCount)
}

/** How many outputs a request asks for, over all of its prompts and choices. */
export const countOutputs = (body: Body): number => {
  const own = ownBounds(body)
  const { n = own.candidateCount ?? own.candidate_count, best_of: tried } = body
  // The best of several tries are given, and all of them are paid for.
  const each = Math.max(1, isCount(n) ? n : 1, isCount(tried) ? tried : 1)
  return each * countPrompts(body.prompt)
}

/** In a form of Google's the bounds have a place of their own. */
const ownBounds = (body: Body): Body => [body.generationConfig, body.generation_config].find(isRecord) ?? NO_BOUNDS

type Body = Readonly<Record<string, unknown>>
const NO_BOUNDS: Body = {}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Whether a part of a request is an image, a sound or a file. */
export const isMedia = (part: Body): boolean =>
  (typeof part.type === 'string' && MEDIA_PARTS.has(part.type)) || GOOGLE_MEDIA.some((name) => name in part)

/** The body has been parsed, so its depth is bounded. */
const tokensOf = (value: unknown): number => {
  if (typeof value === 'string') return textTokens(Buffer.byteLength(value))
  // A list of numbers is a text that is cut into tokens already.
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + tokensOf(item), 0)
  if (!isRecord(value)) return 0
  if (isMedia(value)) return TOKENS_PER_MEDIA
  let tokens = 0
  for (const [key, item] of Object.entries(value)) tokens += tokensOf(item) + textTokens(key.length)
  return tokens
}
