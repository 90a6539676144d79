import { isRecord } from '#kit'
import type { ChatRequest, ToolCall } from '#kit/provider'
import { isSealed, isThinkingBlock, ownBlocks } from './own-blocks.ts'
import { type Block, type Fields, isAbsent, listAt, recordAt, stringAt } from './values.ts'

/**
 * The thinking that led to a tool call, on its way through a client that keeps to the reference's form: a call carries it in
 * `extra_content.anthropic.blocks`, as google's calls carry their signature. The provider wants it back, unchanged and in
 * place, while the loop of tools goes on ("Thinking", preserving thinking blocks, read 2026-11-22).
 *
 * Text is told by the message itself: a block `{type: 'text'}` only says where it stood.
 */
export type Carried = Partial<Pick<ToolCall, 'extra_content'>>

const TEXT_PLACE: Block = { type: 'text' }

/** A thinking block of a stream, which grows piece by piece. */
export type Growing = { type: string; [field: string]: unknown }

/** Collects what comes before the next tool call. */
export const createCarrier = () => {
  let blocks: Block[] = []
  return {
    /** @returns the block that is carried, for the pieces that follow; undefined when this one is not. */
    add: (block: Fields): Growing | undefined => {
      if (isThinkingBlock(block)) {
        const carried: Growing = { ...block, type: String(block.type) }
        blocks.push(carried)
        return carried
      }
      if (block.type === 'text' && blocks.at(-1) !== TEXT_PLACE) blocks.push(TEXT_PLACE)
      return undefined
    },
    /** What the call that begins now has to carry: nothing where nothing was thought. */
    take: (): Carried => {
      const taken = blocks
      blocks = []
      return taken.some(isThinkingBlock) ? { extra_content: { anthropic: { blocks: taken } } } : {}
    },
  }
}

/** Adds a piece of a stream to the block it belongs to. */
export const grow = (block: Growing, { type, thinking, signature }: Fields): void => {
  if (type === 'thinking_delta' && typeof thinking === 'string') {
    block.thinking = `${typeof block.thinking === 'string' ? block.thinking : ''}${thinking}`
  }
  if (type === 'signature_delta') block.signature = signature
}

/** What a tool call of a history carries. Blocks without the provider's seal are nobody's thinking, and stay out. */
export const carriedBy = (call: Fields, path: string): readonly Block[] => {
  const extra = isRecord(call.extra_content) ? call.extra_content.anthropic : undefined
  if (!isRecord(extra) || isAbsent(extra.blocks)) return []
  return listAt(extra.blocks, path).flatMap((item, index): Block[] => {
    const block = recordAt(item, `${path}[${index}]`)
    const type = stringAt(block.type, `${path}[${index}].type`)
    if (type === 'text') return [TEXT_PLACE]
    return isSealed(block) ? [{ ...block, type }] : []
  })
}

/**
 * Index of the message that the loop of tools which is still going on began with; the number of messages where none is.
 * Thinking of earlier turns is not sent: the provider does without it, but not with gaps in it ("Preserved thinking").
 */
export const loopStart = ({ messages }: Pick<ChatRequest, 'messages'>): number => {
  let start = messages.length
  let hasResults = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const role = messages[index]?.role
    if (role === 'tool') hasResults = true
    if (role !== 'assistant') continue
    if (!hasResults) break
    start = index
    hasResults = false
  }
  return start
}

/** True inside a loop of tools whose last turn does not begin with thinking: a budget of thinking is then refused. */
export const isInsideBareToolLoop = (request: ChatRequest): boolean => {
  const called: Fields | undefined = request.messages.findLast(({ role }) => role === 'assistant')
  if (called === undefined || loopStart(request) === request.messages.length) return false
  const [block] = ownBlocks(called.content_blocks, 'content_blocks')
  if (block !== undefined) return !isThinkingBlock(block)
  const [call]: readonly unknown[] = Array.isArray(called.tool_calls) ? called.tool_calls : []
  const [first] = isRecord(call) ? carriedBy(call, 'extra_content.anthropic.blocks') : []
  return first === undefined || !isThinkingBlock(first)
}
