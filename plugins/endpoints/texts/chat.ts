import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { lastTurn } from './last-turn.ts'
import { chatChunks } from './streams/chat-delta.ts'
import { ChoiceStream } from './streams/choice-stream.ts'
import { addWords, hasWords, kindOf, type Path, type Role } from './words.ts'

type Fields = Readonly<Record<string, unknown>>

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

const roleOf = (message: unknown): Role => (isRecord(message) ? (ROLES.get(message.role) ?? 'user') : 'user')

/**
 * Where the texts of chat completions stand. A soft refusal ends with `stop`: it is to be shown like any answer, and clients
 * take `content_filter` for one that broke off.
 */
export const chatTexts: EndpointTexts = {
  asked: ({ messages }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(messages)) return places
    for (let index = lastTurn(messages, roleOf); index < messages.length; index++) {
      const message: unknown = messages[index]
      if (isRecord(message)) addMessage(places, message, ['messages', index], roleOf(message))
    }
    return places
  },
  answered: ({ choices }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(choices)) return places
    for (let index = 0; index < choices.length; index++) {
      const choice: unknown = choices[index]
      if (isRecord(choice)) addChoice(places, choice, ['choices', index])
    }
    return places
  },
  stream: () => new ChoiceStream(chatChunks),
  say: (text, { id, model, created }) => ({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
  }),
}

const addChoice = (places: TextPlace[], choice: Fields, path: Path): void => {
  const { message, logprobs } = choice
  const tokens = isRecord(logprobs) ? [...path, 'logprobs'] : undefined
  if (isRecord(message)) addMessage(places, message, [...path, 'message'], 'assistant', tokens)
  for (const name of Object.keys(choice)) {
    if (name !== 'message' && hasWords(name))
      addWords(places, choice[name], [...path, name], { role: 'assistant', kind: 'text' })
  }
}

const addMessage = (places: TextPlace[], message: Fields, path: Path, role: Role, tokens?: Path): void => {
  for (const name of Object.keys(message)) {
    const value = message[name]
    if (value === null || !hasWords(name)) continue
    const said = { role, kind: kindOf(name, role === 'tool' ? 'tool-result' : 'text') }
    if (name === 'content' && typeof value === 'string') {
      // One that is empty counts too: some checks are about that.
      places.push({ ...said, path: [...path, name], text: value, ...(tokens === undefined ? {} : { tokens }) })
    } else {
      addWords(places, value, [...path, name], said)
    }
  }
}
