import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { emptyMessage } from '../messages/by-chat/ends.ts'
import { lastTurn } from './last-turn.ts'
import { MessagesStream } from './streams/messages-stream.ts'
import { addText, addWords, isResult, type Role, wordsOf } from './words.ts'

/** Results of tools stand in messages of the user, as blocks. */
const roleOf = (message: unknown): Role => {
  if (!isRecord(message)) return 'user'
  const { role, content } = message
  if (role === 'assistant' || role === 'system') return role
  return Array.isArray(content) && content.length > 0 && content.every(isResult) ? 'tool' : 'user'
}

/** Where the texts of Anthropic's Messages stand. */
export const messageTexts: EndpointTexts = {
  asked: ({ messages }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(messages)) return places
    for (let index = lastTurn(messages, roleOf); index < messages.length; index++) {
      const message: unknown = messages[index]
      if (!isRecord(message)) continue
      const role = roleOf(message)
      const path = ['messages', index, 'content']
      const { content } = message
      if (typeof content === 'string') places.push({ role, kind: 'text', path, text: content })
      else addWords(places, content, path, { role, kind: 'text' })
    }
    return places
  },
  answered: ({ content, stop_details: details }) => {
    const places = [...wordsOf(content, ['content'], 'text')]
    // What the model said to refuse.
    if (isRecord(details)) addText(places, details.explanation, ['stop_details', 'explanation'])
    return places
  },
  stream: () => new MessagesStream(),
  say: (text, { id, model }) => ({
    ...emptyMessage({ id, model }, { callId: id, model }),
    content: [{ type: 'text', text, citations: null }],
    stop_reason: 'end_turn',
  }),
}
