import { isRecord, parseJson, UpstreamInvalid } from '#kit'
import type { AdapterContext, MessagesBlock } from '#kit/provider'
import {
  callExtra,
  type Kept,
  makerOf,
  opaqueBlock,
  pictureText,
  restOf,
  type Shown,
  shownOf,
  signatureOf,
  textBlock,
  toolUse,
} from './blocks.ts'
import { emptyMessage, firstChoice, stopOf, usageOf } from './ends.ts'
import type { Fields } from './values.ts'

/** A whole answer of a chat as a message. @throws UpstreamInvalid for one that is none */
export const toMessage = (answer: Fields, context: AdapterContext, params: Fields): Fields => {
  const choice = firstChoice(answer)
  if (choice === undefined || !isRecord(choice.message)) {
    throw new UpstreamInvalid('The provider answered with no chat completion.')
  }
  const { message } = choice
  const by = makerOf(context)
  const refusal = typeof message.refusal === 'string' ? message.refusal : ''
  const spoken = spokenBlocks(message, by, shownOf(params))
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : []
  return {
    ...emptyMessage(answer, context),
    content: [
      ...spoken,
      ...(refusal === '' ? [] : [textBlock(refusal)]),
      ...calls.flatMap((call, index) => callBlocks(call, index, by, context)),
    ],
    ...stopOf(choice, { refusal, hasCalls: calls.length > 0 }, params),
    usage: usageOf(answer.usage, answer),
  }
}

/** Content blocks say in which order the model thought and spoke; an answer without them has its reasoning in front. */
const spokenBlocks = (message: Fields, by: string, shown: Shown): readonly MessagesBlock[] => {
  const { content_blocks: blocks, reasoning_content: thoughts, reasoning_details: details, content } = message
  if (Array.isArray(blocks) && blocks.length > 0) {
    return blocks.filter(isRecord).flatMap((block) => blockOf(block, by, shown))
  }
  const kept = { details: Array.isArray(details) ? details : [] }
  return [...thinkingBlocks(typeof thoughts === 'string' ? thoughts : '', by, shown, kept), ...textsOf(content)]
}

const blockOf = (block: Fields, by: string, shown: Shown): readonly MessagesBlock[] => {
  switch (block.type) {
    case 'text':
      return textsOf(block.text)
    case 'thinking':
      return thinkingBlocks(typeof block.thinking === 'string' ? block.thinking : '', by, shown, {
        rest: restOf(block),
      })
    case 'redacted_thinking':
      return shown === 'never' ? [] : [opaqueBlock({ by, block })]
    case 'image':
      return textsOf(pictureText(block))
    default:
      return []
  }
}

/** What has no text, and nothing else to send back, is none. */
const thinkingBlocks = (thinking: string, by: string, shown: Shown, kept: Kept): readonly MessagesBlock[] => {
  const { rest, details = [] } = kept
  if (shown === 'never') return []
  if (thinking === '' && rest === undefined) return details.length === 0 ? [] : [opaqueBlock({ by, details })]
  const signature = signatureOf(by, shown, thinking, kept)
  return [{ type: 'thinking', thinking: shown === 'omitted' ? '' : thinking, signature }]
}

/** Some hosts answer with a list of parts, of which the texts are the answer. */
const textsOf = (content: unknown): readonly MessagesBlock[] => {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)]
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap(({ text }) => textsOf(typeof text === 'string' ? text : ''))
}

const callBlocks = (call: Fields, index: number, by: string, { callId }: AdapterContext): readonly MessagesBlock[] => {
  const { id, function: called } = call
  if (!isRecord(called) || typeof called.name !== 'string') {
    throw new UpstreamInvalid('The provider answered with a tool call without a name.')
  }
  const extra = callExtra(call)
  const use = toolUse(callIdOf(id, callId, index), called.name, inputOf(called.arguments))
  return extra === undefined ? [use] : [opaqueBlock({ by, call: extra }), use]
}

/** An id of our own for hosts that give none. */
export const callIdOf = (id: unknown, callId: string, index: number): string =>
  typeof id === 'string' && id !== '' ? id : `toolu_${callId}_${index}`

/** What a model wrote that is no object, cut short perhaps, stays readable. */
const inputOf = (text: unknown): Fields => {
  if (typeof text !== 'string' || text.trim() === '') return {}
  try {
    const input = parseJson(text)
    return isRecord(input) ? input : { arguments: text }
  } catch {
    return { arguments: text }
  }
}
