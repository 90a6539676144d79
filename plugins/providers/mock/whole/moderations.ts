import { isRecord } from '#kit'
import type { Moderation, ModerationsReply } from '#kit/provider'
import { MockRefusal } from '../refusal.ts'
import { mockId } from './mock-id.ts'

/** OpenAI's categories (types of openai 7.55.0, read 2026-11-22). */
const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const

const FLAGGED_SCORE = 0.99
const CLEAN_SCORE = 0.01

/**
 * A text is flagged in each category whose name stands in it. The parts of one input make one result, in which images count as
 * clean.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeModerations = (model: string, body: Record<string, unknown>): ModerationsReply => ({
  id: mockId('modr', body),
  model,
  results: readInputs(body.input).map(judge),
})

interface Input {
  readonly text: string
  readonly hasImage: boolean
}

const judge = ({ text, hasImage }: Input): Moderation => {
  const words = text.toLowerCase()
  const flags = CATEGORIES.map((name) => [name, words.includes(name)] as const)
  const types = hasImage ? ['text', 'image'] : ['text']
  return {
    flagged: flags.some(([, isFlagged]) => isFlagged),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(
      flags.map(([name, isFlagged]) => [name, isFlagged ? FLAGGED_SCORE : CLEAN_SCORE]),
    ),
    category_applied_input_types: Object.fromEntries(CATEGORIES.map((name) => [name, types])),
  }
}

const readInputs = (input: unknown): readonly Input[] => {
  const items: readonly unknown[] = typeof input === 'string' ? [input] : Array.isArray(input) ? input : []
  if (items.length === 0) {
    throw new MockRefusal(400, '`input` must be text, or an array of texts or parts.', 'input')
  }
  const texts = items.flatMap((item) => (typeof item === 'string' ? [{ text: item, hasImage: false }] : []))
  if (texts.length === items.length) return texts
  const parts = items.map((part, index) => {
    if (isRecord(part) && part.type === 'text' && typeof part.text === 'string') return part.text
    if (isRecord(part) && part.type === 'image_url') return undefined
    throw new MockRefusal(400, 'Each part must be a text or an image.', `input[${index}]`)
  })
  return [
    { text: parts.filter((text) => text !== undefined).join(' '), hasImage: parts.some((text) => text === undefined) },
  ]
}
