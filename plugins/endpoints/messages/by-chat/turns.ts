import { isRecord } from '#kit'
import type { AdapterContext, ContentPart, Message } from '#kit/provider'
import { answerOf } from './earlier-answers.ts'
import { contentOf, partOf, partsOf, textPart } from './parts.ts'
import { cacheMark, type Fields, isGiven, listAt, type Report, recordAt, refuse, stringAt } from './values.ts'

/**
 * The conversation as messages of a chat: the system prompt in front, results of tools as messages of their own right behind the
 * call, whatever else the user says after them.
 * @throws InvalidRequest naming the field that has no sense, or none elsewhere
 */
export const toMessages = (
  { system, messages }: Fields,
  context: AdapterContext,
  report: Report,
): readonly Message[] => {
  const made: Message[] = []
  const instruction = isGiven(system) ? contentOf(textsOf(system, 'system', report)) : ''
  if (instruction.length > 0) made.push({ role: 'system', content: instruction })
  for (const [index, item] of listAt(messages, 'messages').entries()) {
    const path = `messages[${index}]`
    const { role, content } = recordAt(item, path)
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(content, `${path}.content`)
    switch (role) {
      case 'user':
        made.push(...userMessages(blocks, `${path}.content`, report))
        break
      case 'assistant':
        made.push(...answerOf(blocks, `${path}.content`, context, report))
        break
      case 'system':
        made.push({ role: 'system', content: contentOf(textsOf(blocks, `${path}.content`, report)) })
        break
      default:
        refuse(`${path}.role`, 'must be user, assistant or system')
    }
  }
  return made
}

const textsOf = (value: unknown, path: string, report: Report): readonly ContentPart[] => {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  return listAt(value, path).map((item, index) => {
    const block = recordAt(item, `${path}[${index}]`)
    if (block.type !== 'text') refuse(`${path}[${index}].type`, 'must be `text` in an instruction')
    return textPart(block, `${path}[${index}]`, report)
  })
}

/** A chat wants results right behind their calls, as Anthropic does. */
const userMessages = (blocks: readonly unknown[], path: string, report: Report): readonly Message[] => {
  const results: Message[] = []
  const said: ContentPart[] = []
  for (const [index, item] of blocks.entries()) {
    if (isRecord(item) && item.type === 'tool_result') results.push(toolMessage(item, `${path}[${index}]`, report))
    else said.push(...partOf(item, `${path}[${index}]`, report))
  }
  if (said.length === 0 && results.length > 0) return results
  return [...results, { role: 'user', content: contentOf(said) }]
}

const toolMessage = (block: Fields, path: string, report: Report): Message => {
  const { tool_use_id: id, content, is_error: isError } = block
  const given = typeof content === 'string' || !isGiven(content) ? undefined : listAt(content, `${path}.content`)
  const parts = given === undefined ? undefined : partsOf(given, `${path}.content`, report)
  return {
    role: 'tool',
    tool_call_id: stringAt(id, `${path}.tool_use_id`),
    content: parts === undefined ? (typeof content === 'string' ? content : '') : contentOf(parts),
    ...(isError === true ? { is_error: true } : {}),
    ...cacheMark(block),
  }
}
