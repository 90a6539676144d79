import { isRecord } from '#kit'
import type { ToolCall } from '#kit/provider'
import { carriedBy } from '../anthropic/carried.ts'
import { isSealed, isThinkingBlock } from '../anthropic/own-blocks.ts'
import { type Fields, listAt } from '../anthropic/values.ts'
import type { Block } from './content.ts'
import { type BedrockModel, isClaude } from './models.ts'

/**
 * Reasoning on its way through a client: in `content_blocks`, where they are shown, else in the tool call that it led to. Claude's
 * is in Anthropic's form and under its name, since its signatures hold on all platforms ("Extended thinking", read 2026-11-22);
 * that of other models is marked as Bedrock's, so that nobody else is given it.
 */
const MARK = { bedrock: {} }

/** A block of Converse as a block of content that a client sees. One without a seal is never sent back. */
export const thinkingBlock = ({ reasoningText, redactedContent }: Fields, model: BedrockModel): ThinkingBlock => {
  if (typeof redactedContent === 'string') {
    return marked({ type: 'redacted_thinking', data: redactedContent }, model)
  }
  const { text, signature } = isRecord(reasoningText) ? reasoningText : {}
  const block = {
    type: 'thinking',
    thinking: typeof text === 'string' ? text : '',
    signature: typeof signature === 'string' ? signature : '',
  }
  return marked(block, model)
}

/** How a block begins in a stream. */
export const emptyBlock = (kind: 'text' | 'thinking', model: BedrockModel): Fields =>
  kind === 'text' ? { type: 'text', text: '' } : marked({ type: 'thinking', thinking: '', signature: '' }, model)

const marked = (block: ThinkingBlock, model: BedrockModel): ThinkingBlock =>
  isClaude(model) ? block : { ...block, extra_content: MARK }

export type ThinkingBlock = Fields & { readonly type: string }

/** What a tool call carries of the reasoning before it. */
export const carrying = (
  blocks: readonly ThinkingBlock[],
  model: BedrockModel,
): Partial<Pick<ToolCall, 'extra_content'>> =>
  blocks.some(isSealed)
    ? { extra_content: { [isClaude(model) ? 'anthropic' : 'bedrock']: { blocks: blocks.filter(isSealed) } } }
    : {}

const toConverse = ({ type, thinking, signature, data }: Fields): Block =>
  type === 'redacted_thinking'
    ? { reasoningContent: { redactedContent: data } }
    : { reasoningContent: { reasoningText: { text: typeof thinking === 'string' ? thinking : '', signature } } }

/** Whether a sealed block was made by a model of this maker. */
const isOf = (block: Fields, model: BedrockModel): boolean => {
  const extra = block.extra_content
  return isClaude(model) ? !isRecord(extra) : isRecord(extra) && isRecord(extra.bedrock)
}

/** The reasoning in the content blocks of an earlier answer, as far as a model of this maker sealed it. */
export const ownReasoning = (value: unknown, path: string, model: BedrockModel): readonly Block[] =>
  value === undefined || value === null ? [] : sealedIn(listAt(value, path), model)

/** The reasoning that a tool call of a history carries. */
export const reasoningCarriedBy = (call: Fields, path: string, model: BedrockModel): readonly Block[] => {
  if (isClaude(model)) {
    return sealedIn(carriedBy(call, `${path}.extra_content.anthropic.blocks`), model)
  }
  const extra = isRecord(call.extra_content) ? call.extra_content.bedrock : undefined
  return isRecord(extra) && Array.isArray(extra.blocks) ? sealedIn(extra.blocks, model) : []
}

const sealedIn = (blocks: readonly unknown[], model: BedrockModel): readonly Block[] =>
  blocks
    .filter(isRecord)
    .filter((block) => isThinkingBlock(block) && isSealed(block) && isOf(block, model))
    .map(toConverse)
