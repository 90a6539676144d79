import { eventText, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import type {
  AdapterContext,
  Bridge,
  OpenAIUsage,
  TextChoice,
  TextCompletion,
  TextCompletionRequest,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

type AsksForNothing = (value: unknown, request: TextCompletionRequest) => boolean

const never: AsksForNothing = () => false

/** What a chat has no place for, or what its answer could not be given as a text for; and when leaving it out loses nothing. */
const NO_PLACE: ReadonlyMap<string, AsksForNothing> = new Map<string, AsksForNothing>([
  ['echo', (value) => value === false],
  ['suffix', (value) => value === ''],
  ['best_of', (value, { n }) => typeof value === 'number' && value <= (typeof n === 'number' ? n : 1)],
  ['logprobs', never],
  ['messages', never],
  ['tools', never],
  ['tool_choice', never],
  ['functions', never],
  ['function_call', never],
])

/** @throws InvalidRequest naming `prompt` when it is not one text */
export const toChat = (completion: TextCompletionRequest): ReturnType<Bridge['request']> => {
  const { prompt, ...params } = completion
  const isLost = ([name, value]: [string, unknown]): boolean =>
    value !== null && NO_PLACE.get(name)?.(value, completion) === false
  const entries = Object.entries(params)
  return {
    request: {
      ...Object.fromEntries(entries.filter(([name]) => !NO_PLACE.has(name))),
      model: completion.model,
      messages: [{ role: 'user', content: oneText(prompt) }],
    },
    dropped: entries.filter(isLost).map(([name]) => name),
  }
}

const oneText = (prompt: TextCompletionRequest['prompt']): string => {
  if (typeof prompt === 'string') return prompt
  const [first, ...others] = prompt
  if (typeof first !== 'string') throw refused('it cannot be told tokens: send the text')
  if (others.length > 0) throw refused('that answers one text at a time: send a call for each')
  return first
}

const refused = (why: string): InvalidRequest =>
  new InvalidRequest(`\`prompt\` cannot be sent: the provider only has chat, and ${why}.`, { param: 'prompt' })

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

/**
 * Text completions of a provider that only has chat: the prompt is what its user says. All other parameters are those of a
 * chat, and the provider's rules for a chat hold.
 */
export const textByChat: Bridge = {
  from: 'completions',
  to: 'chat',
  request: (params) => toChat(params as TextCompletionRequest),
  words: { names: { messages: 'prompt' } },
  reply: toText,
  stream: (context) => ({
    push(chunk) {
      const text = toTextChunk(chunk, context)
      return text === undefined ? '' : eventText(JSON.stringify(text))
    },
    end: () => eventText('[DONE]'),
  }),
}
