import { isRecord, parseJson, type SseEvent, StreamTruncated, type Usage } from '#kit'
import {
  type AdapterContext,
  type ChatCompletionChunk,
  type Delta,
  type StreamMachine,
  usageFromAnthropic,
} from '#kit/provider'
import { createCarrier, type Growing, grow } from './carried.ts'
import {
  finishReason,
  isError,
  openaiUsage,
  refusalOf,
  replyId,
  thoughtOf,
  upstreamError,
  upstreamInvalid,
} from './response.ts'
import { type Fields, isAbsent } from './values.ts'

/** What is remembered of a content block until it ends: of its content only the thinking that a tool call has to carry. */
interface OpenBlock {
  readonly type: unknown
  /** Position among the tool calls, or, with strict compliance off, among the content blocks that are shown. */
  readonly position: number
  /** A tool call whose arguments have begun. */
  hasArguments: boolean
  readonly carried?: Growing | undefined
}

/**
 * Turns the events of a streamed message into chunks ("Streaming messages"). Nothing is said before the first content
 * block begins, so an error up to then can still become a proper status or another attempt; the finish reason waits for
 * `message_stop`, so a cut stream never looks finished.
 */
export const createStream = (context: AdapterContext): StreamMachine<ChatCompletionChunk> => {
  const blocks = new Map<number, OpenBlock>()
  const carrier = createCarrier()
  let id = replyId(undefined, context)
  let model = context.model
  let usageFields: Fields = {}
  let usage: Usage | undefined
  let stopReason: string | undefined
  let refusal: string | undefined
  let toolCalls = 0
  let shownBlocks = 0
  let hasBegun = false
  let isComplete = false

  const chunk = (delta: Delta, finish: string | null = null): ChatCompletionChunk => {
    const said: Delta = hasBegun ? delta : { role: 'assistant', ...delta }
    hasBegun = true
    return {
      id,
      object: 'chat.completion.chunk',
      created: context.created,
      model,
      choices: [{ index: 0, delta: said, finish_reason: finish }],
    }
  }

  /** Counts are totals so far, not additions; one that an event leaves out stays. */
  const readUsage = (value: unknown): void => {
    if (!isRecord(value)) return
    const said = Object.entries(value).filter(([, field]) => !isAbsent(field))
    usageFields = { ...usageFields, ...Object.fromEntries(said) }
    usage = usageFromAnthropic(usageFields) ?? usage
  }

  const begin = (event: Fields): void => {
    if (!isRecord(event.message)) throw upstreamInvalid('a stream whose message is missing')
    id = replyId(event.message.id, context)
    if (typeof event.message.model === 'string') model = event.message.model
    readUsage(event.message.usage)
  }

  const startBlock = ({ index, content_block: block }: Fields): readonly ChatCompletionChunk[] => {
    if (typeof index !== 'number' || !isRecord(block)) throw upstreamInvalid('a content block without index or content')
    if (block.type === 'tool_use') return startToolCall(index, block)
    const carried = context.strict ? carrier.add(block) : undefined
    blocks.set(index, { type: block.type, position: shownBlocks, hasArguments: false, carried })
    const shown = context.strict ? {} : { content_blocks: [{ ...block, index: shownBlocks }] }
    shownBlocks++
    const delta = { ...deltaOf(block.type, block), ...shown }
    return hasBegun && Object.keys(delta).length === 0 ? [] : [chunk(delta)]
  }

  const startToolCall = (index: number, { id: callId, name, input }: Fields): readonly ChatCompletionChunk[] => {
    if (typeof callId !== 'string' || typeof name !== 'string') throw upstreamInvalid('a tool call without id or name')
    // Always empty at Anthropic; a copy of its interface may give the whole input at once.
    const whole = isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
    const position = toolCalls++
    blocks.set(index, { type: 'tool_use', position, hasArguments: whole !== '' })
    const call = { index: position, id: callId, type: 'function' as const, function: { name, arguments: whole } }
    return [chunk({ tool_calls: [{ ...call, ...carrier.take() }] })]
  }

  const continueBlock = ({ index, delta }: Fields): readonly ChatCompletionChunk[] => {
    const block = typeof index === 'number' ? blocks.get(index) : undefined
    if (block === undefined || !isRecord(delta)) throw upstreamInvalid('a piece of a content block that never began')
    if (block.type === 'tool_use') {
      const piece = delta.partial_json
      if (typeof piece !== 'string' || piece === '') return []
      block.hasArguments = true
      return [chunk({ tool_calls: [{ index: block.position, function: { arguments: piece } }] })]
    }
    if (block.carried !== undefined) grow(block.carried, delta)
    const text = deltaOf(block.type, delta)
    if (context.strict) return Object.keys(text).length === 0 ? [] : [chunk(text)]
    return [chunk({ ...text, content_blocks: [{ index: block.position, delta }] })]
  }

  const endBlock = ({ index }: Fields): readonly ChatCompletionChunk[] => {
    const block = typeof index === 'number' ? blocks.get(index) : undefined
    if (typeof index === 'number') blocks.delete(index)
    // A call of a function without parameters has no pieces; its arguments are still JSON.
    if (block === undefined || block.type !== 'tool_use' || block.hasArguments) return []
    return [chunk({ tool_calls: [{ index: block.position, function: { arguments: '{}' } }] })]
  }

  const readEnd = ({ delta, usage: counts }: Fields): void => {
    readUsage(counts)
    if (!isRecord(delta)) return
    if (typeof delta.stop_reason === 'string') stopReason = delta.stop_reason
    refusal = refusalOf(delta) ?? refusal
  }

  const finish = (): readonly ChatCompletionChunk[] => {
    if (stopReason === undefined) throw upstreamInvalid('a stream that ends without a stop reason')
    isComplete = true
    const last = chunk(refusal === undefined ? {} : { refusal }, finishReason(stopReason, context))
    if (!context.includeUsage || usage === undefined) return [last]
    return [last, { ...last, choices: [], usage: openaiUsage(usage, context.strict) }]
  }

  return {
    push(event: SseEvent) {
      if (isComplete) return []
      const data = readData(event)
      if (isError(data)) throw upstreamError(data)
      switch (data.type) {
        case 'message_start':
          begin(data)
          return []
        case 'content_block_start':
          return startBlock(data)
        case 'content_block_delta':
          return continueBlock(data)
        case 'content_block_stop':
          return endBlock(data)
        case 'message_delta':
          readEnd(data)
          return []
        case 'message_stop':
          return finish()
        default:
          // `ping`, and what may be added: new event types are to be ignored ("Versioning").
          return []
      }
    },
    end() {
      if (!isComplete) {
        throw new StreamTruncated('Anthropic closed the stream before the message was complete.', {
          provider: 'anthropic',
        })
      }
      return []
    },
    usage: () => usage,
    complete: () => isComplete,
  }
}

/** What a block, or a piece of one, says to the reader. */
const deltaOf = (type: unknown, piece: Fields): Delta => {
  if (type === 'text') return typeof piece.text === 'string' ? { content: piece.text } : {}
  const thought = thoughtOf({ type, thinking: piece.thinking })
  return thought === '' ? {} : { reasoning_content: thought }
}

const readData = ({ data }: SseEvent): Fields => {
  let value: unknown
  try {
    value = parseJson(data)
  } catch (error) {
    throw upstreamInvalid('an event that is not JSON', error)
  }
  return isRecord(value) ? value : upstreamInvalidEvent()
}

const upstreamInvalidEvent = (): never => {
  throw upstreamInvalid('an event that is not a JSON object')
}
