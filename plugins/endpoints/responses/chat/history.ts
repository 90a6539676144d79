import { isRecord } from '#kit'
import type { Message } from '#kit/provider'
import { type Lose, refused, spokenContent, textAt } from './parts.ts'
import { isOfAnswer, Turn } from './turn.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The messages that stand for the items of a request. What one answer said, thought and called is one message of the assistant.
 * @param provider who is asked
 * @throws InvalidRequest naming the item that has no counterpart
 */
export const messagesOf = (
  { instructions, input }: Fields,
  provider: string | undefined,
  lose: Lose,
): readonly Message[] => {
  const messages: Message[] = []
  if (typeof instructions === 'string' && instructions !== '') messages.push({ role: 'system', content: instructions })
  if (typeof input === 'string') {
    messages.push({ role: 'user', content: input })
    return messages
  }
  if (!Array.isArray(input)) throw refused('input', 'is required')
  const turn = new Turn(provider, lose)
  input.forEach((item: unknown, index) => {
    const path = `input[${index}]`
    if (!isRecord(item)) throw refused(path, 'must be an object')
    if (isOfAnswer(item)) {
      turn.add(item, path)
      return
    }
    const heard = heardMessage(item, path, lose)
    if (heard !== undefined) messages.push(...turn.take(), heard)
  })
  messages.push(...turn.take())
  if (messages.length === 0) throw refused('input', 'must hold an item that a chat can be told')
  return messages
}

/** What the model hears: messages of others than itself, and results of tools. Undefined for what a chat has no place for. */
const heardMessage = (item: Fields, path: string, lose: Lose): Message | undefined => {
  switch (item.type) {
    case undefined:
    case 'message':
      return spokenMessage(item, path, lose)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return {
        role: 'tool',
        tool_call_id: textAt(item.call_id, `${path}.call_id`),
        content: spokenContent(item.output, `${path}.output`, lose),
      }
    case 'item_reference':
    case null:
      throw refused(path, 'refers to an item that is not kept for this provider: send the item itself')
    default:
      lose(`input[].${String(item.type)}`)
      return undefined
  }
}

const spokenMessage = (item: Fields, path: string, lose: Lose): Message => {
  const { role, content } = item
  // A reference may leave out its type.
  if (role === undefined && typeof item.id === 'string') {
    throw refused(path, 'refers to an item that is not kept for this provider: send the item itself')
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer') {
    throw refused(`${path}.role`, 'must be user, assistant, system or developer')
  }
  return { role, content: spokenContent(content, `${path}.content`, lose) }
}
