import { isRecord, UpstreamInvalid } from '#kit'
import type { AdapterContext, OpenAIUsage, TextChoice, TextCompletion } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** A whole answer of a chat as a text completion. @throws UpstreamInvalid for one that is none */
export const toText = (answer: Fields, context: AdapterContext): TextCompletion => {
  if (!Array.isArray(answer.choices)) throw new UpstreamInvalid('The provider answered with no chat completion.')
  const { usage, ...rest } = answer
  const text = withChoices(rest, context, answer.choices.filter(isRecord).map(wholeChoice))
  return isRecord(usage) ? { ...text, usage: usage as unknown as OpenAIUsage } : text
}

/** A chunk of a chat as one of a text completion. @returns undefined when it says nothing that a text could hold */
export const toTextChunk = (chunk: Fields, context: AdapterContext): TextCompletion | undefined => {
  const { usage, ...rest } = chunk
  const given = Array.isArray(chunk.choices) ? chunk.choices.filter(isRecord) : []
  const choices = given.map(pieceOfChoice).filter(({ text, finish_reason: end }) => text !== '' || end !== null)
  const counted = context.includeUsage && isRecord(usage)
  if (choices.length === 0 && !counted) return undefined
  const text = withChoices(rest, context, choices)
  return counted ? { ...text, usage: usage as unknown as OpenAIUsage } : text
}

const withChoices = (
  { id, created, model, ...extras }: Fields,
  context: AdapterContext,
  choices: readonly TextChoice[],
): TextCompletion => ({
  ...extras,
  id: typeof id === 'string' ? id : context.callId,
  object: 'text_completion',
  created: typeof created === 'number' ? created : context.created,
  model: typeof model === 'string' ? model : context.model,
  choices,
})

const wholeChoice = ({ message, ...choice }: Fields, place: number): TextChoice => textChoice(choice, message, place)

const pieceOfChoice = ({ delta, ...choice }: Fields, place: number): TextChoice => textChoice(choice, delta, place)

const textChoice = ({ index, finish_reason: reason, ...extras }: Fields, said: unknown, place: number): TextChoice => ({
  ...extras,
  text: isRecord(said) ? textOf(said.content) + textOf(said.refusal) : '',
  index: typeof index === 'number' ? index : place,
  logprobs: null,
  finish_reason: typeof reason === 'string' ? (OWN_REASONS.has(reason) ? 'stop' : reason) : null,
})

/** Reasons to end that only a chat has. */
const OWN_REASONS: ReadonlySet<string> = new Set(['tool_calls', 'function_call'])

/** Some hosts answer with a list of parts, of which the texts are the answer. */
const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
