import { isRecord, parseJson, type SseEvent, StreamTruncated, UpstreamError, type Usage } from '#kit'
import { EXCEPTION_EVENT, statusOfException } from '#kit/aws'
import type { AdapterContext, ChatCompletionChunk, Delta, StreamMachine } from '#kit/provider'
import type { Fields } from '../anthropic/values.ts'
import { modelOf } from './models.ts'
import { carrying, emptyBlock, type ThinkingBlock, thinkingBlock } from './reasoning.ts'
import { finishReason, openaiUsage, PROVIDER, unreadable, usageOf } from './reply.ts'

/** What is remembered of a content block until it ends. */
interface OpenBlock {
  readonly kind: 'text' | 'thinking' | 'tool'
  /** Position among the tool calls, or among the content blocks that are shown. */
  readonly position: number
  hasArguments: boolean
  /** What was thought, as a block of Converse, for the tool call that has to carry it. */
  text: string
  signature: string | undefined
  redacted: string | undefined
}

/**
 * Turns the events of ConverseStream into chunks ("ConverseStream", API reference, read 2026-11-22). The finish reason waits
 * for `metadata`, which comes last and has the usage, so that a cut stream never looks finished.
 */
export const createStream = (context: AdapterContext): StreamMachine<ChatCompletionChunk> => {
  const model = modelOf(context.model)
  const blocks = new Map<unknown, OpenBlock>()
  let sealed: ThinkingBlock[] = []
  let usage: Usage | undefined
  let reason: string | undefined
  let toolCalls = 0
  let shownBlocks = 0
  let hasBegun = false
  let isComplete = false

  const chunk = (delta: Delta, finish: string | null = null): ChatCompletionChunk => {
    const said: Delta = hasBegun ? delta : { role: 'assistant', ...delta }
    hasBegun = true
    return {
      id: `chatcmpl-${context.callId}`,
      object: 'chat.completion.chunk',
      created: context.created,
      model: context.model,
      choices: [{ index: 0, delta: said, finish_reason: finish }],
    }
  }

  const open = (index: unknown, kind: OpenBlock['kind']): OpenBlock => {
    const position = kind === 'tool' ? toolCalls++ : shownBlocks++
    const block = { kind, position, hasArguments: false, text: '', signature: undefined, redacted: undefined }
    blocks.set(index, block)
    return block
  }

  const startBlock = ({ contentBlockIndex: index, start }: Fields): readonly ChatCompletionChunk[] => {
    const use = isRecord(start) ? start.toolUse : undefined
    if (!isRecord(use) || use.type === 'server_tool_use') return []
    const { toolUseId: id, name } = use
    if (typeof id !== 'string' || typeof name !== 'string') throw unreadable('a tool call without id or name')
    const { position } = open(index, 'tool')
    const call = { index: position, id, type: 'function' as const, function: { name, arguments: '' } }
    const carried = carrying(sealed, model)
    sealed = []
    return [chunk({ tool_calls: [{ ...call, ...carried }] })]
  }

  /** A text or a thought has no event that begins it: its first piece does. */
  const say = (
    index: unknown,
    kind: 'text' | 'thinking',
    said: Delta,
    piece: Fields,
  ): readonly ChatCompletionChunk[] => {
    const isNew = !blocks.has(index)
    const block = blocks.get(index) ?? open(index, kind)
    if (context.strict) return Object.keys(said).length === 0 ? [] : [chunk(said)]
    const { position } = block
    const begin = isNew ? [{ ...emptyBlock(kind, model), index: position }] : []
    return [chunk({ ...said, content_blocks: [...begin, { index: position, delta: piece }] })]
  }

  const continueBlock = ({ contentBlockIndex: index, delta }: Fields): readonly ChatCompletionChunk[] => {
    if (!isRecord(delta)) throw unreadable('a piece of a content block that says nothing')
    if (typeof delta.text === 'string') {
      if (delta.text === '') return []
      return say(index, 'text', { content: delta.text }, { type: 'text_delta', text: delta.text })
    }
    if (isRecord(delta.toolUse)) return continueCall(index, delta.toolUse)
    return isRecord(delta.reasoningContent) ? think(index, delta.reasoningContent) : []
  }

  const continueCall = (index: unknown, { input }: Fields): readonly ChatCompletionChunk[] => {
    const block = blocks.get(index)
    // Those of the service itself never began here.
    if (block?.kind !== 'tool' || typeof input !== 'string' || input === '') return []
    block.hasArguments = true
    return [chunk({ tool_calls: [{ index: block.position, function: { arguments: input } }] })]
  }

  const think = (index: unknown, { text, signature, redactedContent }: Fields): readonly ChatCompletionChunk[] => {
    if (typeof redactedContent === 'string') {
      const block = blocks.get(index) ?? open(index, 'thinking')
      block.redacted = `${block.redacted ?? ''}${redactedContent}`
      return []
    }
    const isText = typeof text === 'string' && text !== ''
    if (!isText && typeof signature !== 'string') return []
    const said = isText
      ? say(index, 'thinking', { reasoning_content: text }, { type: 'thinking_delta', thinking: text })
      : say(index, 'thinking', {}, { type: 'signature_delta', signature })
    const block = blocks.get(index)
    if (block !== undefined && isText) block.text += text
    if (block !== undefined && typeof signature === 'string') block.signature = `${block.signature ?? ''}${signature}`
    return said
  }

  const endBlock = ({ contentBlockIndex: index }: Fields): readonly ChatCompletionChunk[] => {
    const block = blocks.get(index)
    blocks.delete(index)
    if (block?.kind === 'tool') {
      // A call of a function without parameters has no pieces; its arguments are still JSON.
      return block.hasArguments
        ? []
        : [chunk({ tool_calls: [{ index: block.position, function: { arguments: '{}' } }] })]
    }
    return block?.kind === 'thinking' ? seal(block) : []
  }

  /** What was thought is whole: it waits for the tool call that has to carry it. What is redacted was not shown yet. */
  const seal = ({ text, signature, redacted, position }: OpenBlock): readonly ChatCompletionChunk[] => {
    const whole = redacted === undefined ? { reasoningText: { text, signature } } : { redactedContent: redacted }
    const thinking = thinkingBlock(whole, model)
    if (context.strict) sealed.push(thinking)
    else if (redacted !== undefined) return [chunk({ content_blocks: [{ ...thinking, index: position }] })]
    return []
  }

  const finish = ({ usage: counts }: Fields): readonly ChatCompletionChunk[] => {
    if (reason === undefined) throw unreadable('a stream that ends without a stop reason')
    usage = usageOf(counts) ?? usage
    isComplete = true
    const last = chunk({}, reason)
    if (!context.includeUsage || usage === undefined) return [last]
    return [last, { ...last, choices: [], usage: openaiUsage(usage, context.strict) }]
  }

  return {
    push(event) {
      if (isComplete) return []
      const data = readData(event)
      if (event.event === EXCEPTION_EVENT) throw exception(data)
      switch (event.event) {
        case 'contentBlockStart':
          return startBlock(data)
        case 'contentBlockDelta':
          return continueBlock(data)
        case 'contentBlockStop':
          return endBlock(data)
        case 'messageStop':
          reason = finishReason(data.stopReason, context)
          return []
        case 'metadata':
          return finish(data)
        default:
          // `messageStart` says only the role; others may be added.
          return []
      }
    },
    end() {
      if (isComplete) return []
      throw new StreamTruncated('Bedrock closed the stream before the message was complete.', { provider: PROVIDER })
    },
    usage: () => usage,
    complete: () => isComplete,
  }
}

const exception = ({ type, message, status }: Fields): UpstreamError => {
  const name = typeof type === 'string' ? type : EXCEPTION_EVENT
  return new UpstreamError(typeof message === 'string' ? message : name, {
    provider: PROVIDER,
    type: name,
    status: typeof status === 'number' ? status : statusOfException(name),
  })
}

const readData = ({ data }: SseEvent): Fields => {
  let value: unknown
  try {
    value = parseJson(data)
  } catch {
    throw unreadable('an event that is not JSON')
  }
  if (!isRecord(value)) throw unreadable('an event that is not a JSON object')
  return value
}
