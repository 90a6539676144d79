import { InvalidRequest } from '#kit'
import type { ChatRequest, TextCompletionRequest } from '#kit/provider'

/** A text completion as a question that a chat can be asked. */
export interface ChatInstead {
  readonly request: ChatRequest
  /** Parameters that a chat has no place for, in the order of the request. */
  readonly dropped: readonly string[]
}

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

/**
 * The same question for a provider that only has chat: the prompt is what its user says. All other parameters are those of
 * a chat, and the provider's rules for a chat hold.
 * @throws InvalidRequest naming `prompt` when it is not one text
 */
export const toChat = (completion: TextCompletionRequest): ChatInstead => {
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
