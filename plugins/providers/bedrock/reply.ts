import { defined, isRecord, UpstreamInvalid, type Usage } from '#kit'
import {
  type AdapterContext,
  type ChatCompletion,
  type FinishReason,
  isImpossible,
  type OpenAIUsage,
  type ToolCall,
  tokenCount,
} from '#kit/provider'
import type { Fields } from '../anthropic/values.ts'
import { type BedrockModel, modelOf } from './models.ts'
import { carrying, type ThinkingBlock, thinkingBlock } from './reasoning.ts'

export const PROVIDER = 'bedrock'

export const unreadable = (problem: string): UpstreamInvalid =>
  new UpstreamInvalid(`Bedrock answered with ${problem}.`, { provider: PROVIDER })

/**
 * The answer of Converse as a chat completion.
 * @throws UpstreamInvalid for a body that is no complete answer
 */
export const readReply = (
  body: unknown,
  context: AdapterContext,
): { readonly reply: ChatCompletion; readonly usage?: Usage } => {
  if (!isRecord(body)) throw unreadable('something that is not a JSON object')
  const message = isRecord(body.output) ? body.output.message : undefined
  if (!isRecord(message) || !Array.isArray(message.content)) throw unreadable('no message')
  const blocks: readonly Fields[] = message.content.filter(isRecord)
  const model = modelOf(context.model)
  const said = readBlocks(blocks, model, context.strict)
  const usage = usageOf(body.usage)
  const reply: ChatCompletion = {
    id: `chatcmpl-${context.callId}`,
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.texts.length === 0 ? null : said.texts.join(''),
          ...(said.thoughts === '' ? {} : { reasoning_content: said.thoughts }),
          ...(said.calls.length === 0 ? {} : { tool_calls: said.calls }),
          ...(said.shown.length === 0 ? {} : { content_blocks: said.shown }),
        },
        logprobs: null,
        finish_reason: finishReason(body.stopReason, context),
      },
    ],
    ...(usage === undefined ? {} : { usage: openaiUsage(usage, context.strict) }),
  }
  return usage === undefined ? { reply } : { reply, usage }
}

interface Said {
  readonly texts: string[]
  thoughts: string
  readonly calls: ToolCall[]
  /** With strict compliance off: what Anthropic's block form can say of it. */
  readonly shown: (Fields & { readonly type: string })[]
}

const readBlocks = (blocks: readonly Fields[], model: BedrockModel, strict: boolean): Said => {
  const said: Said = { texts: [], thoughts: '', calls: [], shown: [] }
  let sealed: ThinkingBlock[] = []
  for (const block of blocks) {
    const text = textOf(block)
    if (text !== undefined) {
      said.texts.push(text)
      if (!strict) said.shown.push({ type: 'text', text, ...citationsOf(block) })
    } else if (isRecord(block.reasoningContent)) {
      said.thoughts += thoughtOf(block.reasoningContent)
      const thinking = thinkingBlock(block.reasoningContent, model)
      if (strict) sealed.push(thinking)
      else said.shown.push(thinking)
    } else if (isRecord(block.toolUse)) {
      // Tools of the service itself are run by it.
      if (block.toolUse.type === 'server_tool_use') continue
      said.calls.push({ ...toolCallOf(block.toolUse), ...carrying(sealed, model) })
      sealed = []
    }
  }
  return said
}

/** Text of a block, cited or not. */
const textOf = ({ text, citationsContent: cited }: Fields): string | undefined => {
  if (typeof text === 'string') return text
  if (!isRecord(cited) || !Array.isArray(cited.content)) return undefined
  return cited.content
    .map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

const citationsOf = ({ citationsContent: cited }: Fields): Fields =>
  isRecord(cited) && Array.isArray(cited.citations) ? { citations: cited.citations } : {}

/** Text of what was thought. Empty for what the provider keeps to itself. */
const thoughtOf = ({ reasoningText }: Fields): string =>
  isRecord(reasoningText) && typeof reasoningText.text === 'string' ? reasoningText.text : ''

const toolCallOf = ({ toolUseId: id, name, input }: Fields): ToolCall => {
  if (typeof id !== 'string' || typeof name !== 'string') throw unreadable('a tool call without id or name')
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
}

/** @throws UpstreamInvalid for an answer without a reason to stop, or one that the model could not put into a form */
export const finishReason = (reason: unknown, { ownFinishReason }: AdapterContext): string => {
  if (typeof reason !== 'string') throw unreadable('an answer without a stop reason')
  if (reason === 'malformed_model_output' || reason === 'malformed_tool_use') {
    throw unreadable(`an answer that the model wrote in no proper form (${reason})`)
  }
  if (ownFinishReason === true) return reason
  return (Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : undefined) ?? 'stop'
}

/**
 * `inputTokens` leaves out what was read from or written to the cache ("Prompt caching for faster model inference": the three add up
 * to the input, read 2026-11-22).
 */
export const usageOf = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage) || isImpossible(usage.inputTokens) || isImpossible(usage.outputTokens)) return undefined
  const input = tokenCount(usage.inputTokens)
  const outputTokens = tokenCount(usage.outputTokens) ?? 0
  if (input === undefined && usage.outputTokens === undefined) return undefined
  const cached = tokenCount(usage.cacheReadInputTokens)
  const written = tokenCount(usage.cacheWriteInputTokens)
  const inputTokens = (input ?? 0) + (cached ?? 0) + (written ?? 0)
  return defined({
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    hourCacheWriteTokens: hourWritten(usage.cacheDetails),
  })
}

/** What was written is listed by how long it stays: `{ttl, inputTokens}` ("CacheDetail", read 2026-11-22). */
const hourWritten = (details: unknown): number | undefined => {
  const kept: readonly unknown[] = Array.isArray(details) ? details : []
  const hour = kept.find((each) => isRecord(each) && each.ttl === '1h')
  return (isRecord(hour) ? tokenCount(hour.inputTokens) : undefined) || undefined
}

/** Usage in the reference's form; with strict compliance off the count of what was written to the cache stays beside it. */
export const openaiUsage = (usage: Usage, strict: boolean): OpenAIUsage => {
  const { cachedInputTokens: cached, cacheWriteTokens: written } = usage
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(strict || cached === undefined ? {} : { cache_read_input_tokens: cached }),
    ...(strict || written === undefined ? {} : { cache_creation_input_tokens: written }),
  }
}
