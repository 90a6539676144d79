import type { AdapterContext, ContentBlock, ContentPart, Message, SealedThinking, ToolCall } from '#kit/provider'
import { unsealThinking } from '#kit/provider'
import { contentOf, textPart } from './parts.ts'
import { cacheMark, type Fields, isGiven, type Report, recordAt, stringAt } from './values.ts'

/**
 * An earlier answer as a message of a chat. Thinking goes back to the provider that made it and to nobody else; what server tools
 * of Anthropic gave has no place. Both are named. An answer that was nothing else is left out.
 */
export const answerOf = (
  blocks: readonly unknown[],
  path: string,
  context: AdapterContext,
  report: Report,
): readonly Message[] => {
  const said: ContentPart[] = []
  const calls: ToolCall[] = []
  const own: ContentBlock[] = []
  let thoughts = ''
  const details: unknown[] = []
  let hasSigned = false
  let extra: Fields | undefined
  for (const [index, item] of blocks.entries()) {
    const at = `${path}[${index}]`
    const block = recordAt(item, at)
    switch (block.type) {
      case 'text': {
        const part = textPart(block, at, report)
        said.push(part)
        own.push(part as ContentBlock)
        break
      }
      case 'tool_use':
        calls.push({ ...toolCall(block, at), ...(extra === undefined ? {} : { extra_content: extra }) })
        extra = undefined
        break
      case 'thinking':
      case 'redacted_thinking': {
        const sealed = ownSeal(block, context)
        if (sealed === undefined) {
          report(`messages[].content[].${block.type}`)
          break
        }
        extra = sealed.call ?? extra
        details.push(...(sealed.details ?? []))
        const thought = thoughtOf(block, sealed)
        thoughts += thought
        const again = blockOf(thought, sealed)
        if (again !== undefined) own.push(again)
        hasSigned ||= sealed.rest !== undefined || sealed.block !== undefined
        break
      }
      default:
        report(`messages[].content[].${stringAt(block.type, `${at}.type`)}`)
    }
  }
  if (said.length === 0 && calls.length === 0 && thoughts === '' && details.length === 0 && !hasSigned) return []
  return [
    {
      role: 'assistant',
      content: said.length === 0 ? null : contentOf(said),
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(hasSigned ? { content_blocks: own } : {}),
    },
  ]
}

const ownSeal = ({ type, signature, data }: Fields, { provider }: AdapterContext): SealedThinking | undefined => {
  const sealed = unsealThinking(type === 'thinking' ? signature : data)
  return sealed?.by === provider ? sealed : undefined
}

const thoughtOf = ({ type, thinking }: Fields, { text }: SealedThinking): string => {
  if (text !== undefined) return text
  return type === 'thinking' && typeof thinking === 'string' ? thinking : ''
}

/** The block as the provider gave it. */
const blockOf = (thinking: string, { rest, block }: SealedThinking): ContentBlock | undefined => {
  if (block !== undefined) return block as ContentBlock
  return thinking === '' && rest === undefined ? undefined : { type: 'thinking', thinking, ...rest }
}

const toolCall = (block: Fields, path: string): ToolCall => ({
  id: stringAt(block.id, `${path}.id`),
  type: 'function',
  function: {
    name: stringAt(block.name, `${path}.name`),
    arguments: JSON.stringify(isGiven(block.input) ? recordAt(block.input, `${path}.input`) : {}),
  },
  ...cacheMark(block),
})
