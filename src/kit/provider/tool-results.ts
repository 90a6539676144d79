import { isRecord } from '../../core/json/record.ts'
import type { ContentPart, Message } from './openai.ts'

/**
 * Messages whose results of tools are text alone: pictures and files stand behind all results of a turn, in a message of the
 * user ("Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL",
 * OpenHands/OpenHands #7700, read 2026-11-22). Gives the same list back where all are.
 */
export const withTextResults = (messages: readonly Message[]): readonly Message[] => {
  if (!messages.some((message) => isRecord(message) && isMixedResult(message))) return messages
  const made: Message[] = []
  let waiting: ContentPart[] = []
  const say = (): void => {
    if (waiting.length > 0) made.push({ role: 'user', content: [{ type: 'text', text: BEHIND }, ...waiting] })
    waiting = []
  }
  for (const message of messages) {
    if (message?.role !== 'tool') say()
    if (!isRecord(message) || !isMixedResult(message)) {
      made.push(message)
      continue
    }
    const parts: readonly ContentPart[] = Array.isArray(message.content) ? message.content : []
    const texts = parts.filter(isText)
    made.push({ ...message, content: texts.length > 0 ? texts : PLACE })
    waiting.push(...parts.filter((part) => !isText(part)))
  }
  say()
  return made
}

/** What a result says that was nothing but a picture. */
const PLACE = 'See the next message.'
const BEHIND = 'What the tools gave besides text:'

const isMixedResult = ({ role, content }: Message): boolean =>
  role === 'tool' && Array.isArray(content) && content.some((part) => !isText(part))

const isText = (part: unknown): boolean => isRecord(part) && part.type === 'text'
