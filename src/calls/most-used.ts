import type { Endpoint } from '../core/endpoint.ts'
import { isRecord } from '../core/json/record.ts'
import type { ModelSizes, MostUsed } from '../core/prices.ts'
import { MOST_TOKENS } from '../core/usage.ts'
import { countOutputs, isMedia, outputBound, TOKENS_PER_MEDIA } from './estimate-tokens.ts'
import { countPrompts } from './text-prompts.ts'

type Fields = Readonly<Record<string, unknown>>

/** What providers put in front of a prompt: beginnings of turns, instructions of their own. */
const PREAMBLE_TOKENS = 512
/** What they say to a model that has tools: the longest that is known is Anthropic's for its computer use. */
const TOOLS_TOKENS = 1_024
/** Held back for an output of which neither the request nor the price list names a bound. */
const UNBOUNDED_OUTPUT = 4_096
/** Tokens of one image that is made: OpenAI's dearest take 6,240. */
const IMAGE_TOKENS = 8_192
/** Tokens of sound for a character that is said. */
const CHARACTER_TOKENS = 4

/** Fields that stand for a conversation or a prompt that the provider has: what the model reads is more than the body holds. */
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'cachedContent', 'cached_content'] as const

/**
 * The most that a call can use at a model, as far as that can be known before: a token is at least one byte of text, and no
 * input is larger than the context. Where there is more to read than text, the whole context may be.
 */
export const mostUsed = (
  endpoint: Pick<Endpoint, 'reads' | 'isWritten' | 'boughtBy'>,
  body: Fields,
  sizes: ModelSizes = {},
): MostUsed => {
  const bought = endpoint.boughtBy?.(body, undefined)
  const { tokens, media, isWhole } = inputOf(endpoint.reads, body)
  const context = endpoint.isWritten ? sizes.context : undefined
  const outputs = countOutputs(body)
  const output = endpoint.isWritten ? outputs * outputOf(body, sizes) : outputOfUnits(bought?.units)
  return {
    ...bought,
    inputTokens: capped(inputWithin(tokens, media, isWhole, context && context * countPrompts(body.prompt))),
    outputTokens: capped(output),
    isText: media === 0 && isWhole,
  }
}

const capped = (tokens: number): number => Math.min(tokens, MOST_TOKENS)

const inputWithin = (text: number, media: number, isWhole: boolean, context: number | undefined): number => {
  const least = text + media * TOKENS_PER_MEDIA
  if (context === undefined) return least
  return media === 0 && isWhole ? Math.min(text, context) : context
}

/** Of one choice. */
const outputOf = (body: Fields, { maxOutput, context }: ModelSizes): number => {
  const asked = outputBound(body)
  const most = maxOutput ?? context
  return asked === undefined ? (most ?? UNBOUNDED_OUTPUT) : Math.min(asked, most ?? asked)
}

/** Models that draw or speak may be sold by the tokens of that. */
const outputOfUnits = ({ image = 0, character = 0 }: NonNullable<MostUsed['units']> = {}): number =>
  image * IMAGE_TOKENS + character * CHARACTER_TOKENS

interface Input {
  /** Most tokens of the text. */
  readonly tokens: number
  /** Images, sounds and files. */
  readonly media: number
  /** All that the model reads stands in the body. */
  readonly isWhole: boolean
}

const inputOf = (reads: readonly string[], body: Fields): Input => {
  const sum = { tokens: PREAMBLE_TOKENS, media: 0 }
  let isAny = false
  for (const field of reads) {
    const value = body[field]
    if (value === undefined) continue
    isAny = true
    add(sum, value, true)
  }
  if (body.tools !== undefined || body.functions !== undefined) sum.tokens += TOOLS_TOKENS
  const isElsewhere = KEPT_ELSEWHERE.some((field) => typeof body[field] === 'string' || isRecord(body[field]))
  // A prompt that the provider keeps, in OpenAI's Responses.
  return { ...sum, isWhole: isAny && !isElsewhere && !isRecord(body.prompt) }
}

/** The bytes of a value as JSON. @param isPrompt numbers are tokens then */
const add = (sum: { tokens: number; media: number }, value: unknown, isPrompt: boolean): void => {
  if (typeof value === 'string') sum.tokens += Buffer.byteLength(value) + 2
  else if (Array.isArray(value)) {
    sum.tokens += 1
    for (const item of value) add(sum, item, isPrompt)
  } else if (isRecord(value)) {
    if (isMedia(value)) {
      sum.media += 1
      return
    }
    sum.tokens += 2
    for (const key in value) {
      sum.tokens += Buffer.byteLength(key) + 4
      add(sum, value[key], false)
    }
  } else sum.tokens += isPrompt && typeof value === 'number' ? 1 : String(value).length + 1
}
