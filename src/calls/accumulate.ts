import { isRecord } from '../core/json/record.ts'
import type { ChatCompletion, ChatCompletionChunk, Choice, ChunkChoice, ToolCallDelta } from '../kit/provider/openai.ts'
import { createBlockList } from './accumulate-blocks.ts'

type Fields = Record<string, unknown>

/** Adds up the chunks of one stream as they come. */
export interface Accumulator {
  /** @throws Error when a piece lacks its index. */
  add(chunk: ChatCompletionChunk): void
  /** @throws Error when there were no chunks. */
  whole(): ChatCompletion
}

/**
 * Adds the chunks of a stream up to the reply that they are the pieces of, the way clients do: texts and tool arguments
 * are joined, tool calls and content blocks go by their `index`, the last finish reason and the last usage stay. Of the
 * fields it does not know, texts are joined, lists appended, and the last one of anything else stays.
 */
export const createAccumulator = (): Accumulator => {
  let first: ChatCompletionChunk | undefined
  const extras: Fields = {}
  const choices = new Map<number, ReturnType<typeof createChoice>>()
  return {
    add(chunk) {
      first ??= chunk
      for (const [name, value] of Object.entries(chunk)) {
        if (name !== 'choices' && value !== null && value !== undefined) extras[name] = value
      }
      for (const piece of chunk.choices) {
        const choice = choices.get(piece.index) ?? createChoice(piece.index)
        choices.set(piece.index, choice)
        choice.add(piece)
      }
    },
    whole() {
      if (first === undefined) throw new Error('a stream without chunks adds up to nothing')
      return {
        ...extras,
        id: first.id,
        object: 'chat.completion',
        created: first.created,
        model: first.model,
        choices: [...choices.values()].map((choice) => choice.whole()).sort((one, other) => one.index - other.index),
      }
    },
  }
}

/** The reply that these chunks are the pieces of. @throws Error like the accumulator. */
export const accumulate = (chunks: readonly ChatCompletionChunk[]): ChatCompletion => {
  const accumulator = createAccumulator()
  for (const chunk of chunks) accumulator.add(chunk)
  return accumulator.whole()
}

const createChoice = (index: number) => {
  const message: Fields = { content: null }
  const toolCalls = new Map<number, Fields>()
  const blocks = createBlockList()
  let logprobs: unknown = null
  let finishReason: string | null = null
  return {
    add: ({ delta, finish_reason, logprobs: more }: ChunkChoice): void => {
      for (const [name, value] of Object.entries(delta)) {
        if (value === null || value === undefined || name === 'role') continue
        if (name === 'tool_calls') for (const piece of delta.tool_calls ?? []) addToolCall(toolCalls, piece)
        else if (name === 'function_call' && isRecord(value)) message[name] = withPiece(message[name], value)
        else if (name === 'content_blocks') for (const piece of delta.content_blocks ?? []) blocks.add(piece)
        else message[name] = merged(message[name], value)
      }
      logprobs = mergedLogprobs(logprobs, more)
      finishReason = finish_reason ?? finishReason
    },
    whole: (): Choice => {
      const contentBlocks = blocks.whole()
      return {
        index,
        message: {
          ...message,
          role: 'assistant',
          content: typeof message.content === 'string' ? message.content : null,
          ...(toolCalls.size === 0 ? {} : { tool_calls: byIndex(toolCalls).map(wholeToolCall) }),
          ...(contentBlocks.length === 0 ? {} : { content_blocks: contentBlocks }),
        },
        logprobs,
        finish_reason: finishReason,
      }
    },
  }
}

/** The older form of a call: its name and arguments come in pieces. */
const withPiece = (known: unknown, { name = '', arguments: text = '', ...extras }: Fields): Fields => {
  const call = isRecord(known) ? known : { name: '', arguments: '' }
  return { ...call, ...extras, name: merged(call.name, name), arguments: merged(call.arguments, text) }
}

/** Texts are joined, lists appended; of anything else the last one stays. */
const merged = (known: unknown, value: unknown): unknown => {
  if (typeof known === 'string' && typeof value === 'string') return known + value
  if (Array.isArray(known) && Array.isArray(value)) return [...known, ...value]
  return value
}

const mergedLogprobs = (known: unknown, more: unknown): unknown => {
  if (more === null || more === undefined) return known
  if (!isRecord(known) || !isRecord(more)) return more
  const sum: Fields = { ...known }
  for (const [name, value] of Object.entries(more)) sum[name] = merged(sum[name], value)
  return sum
}

/** Name and arguments may come in pieces; id, type and extras come whole, perhaps more than once. */
const addToolCall = (calls: Map<number, Fields>, piece: ToolCallDelta): void => {
  if (typeof piece.index !== 'number') throw new Error('a piece of a tool call has no index')
  const call = calls.get(piece.index) ?? { name: '', arguments: '' }
  calls.set(piece.index, call)
  for (const [name, value] of Object.entries(piece)) {
    if (name !== 'index' && name !== 'function' && value !== null && value !== undefined) call[name] = value
  }
  call.name = merged(call.name, piece.function?.name ?? '')
  call.arguments = merged(call.arguments, piece.function?.arguments ?? '')
}

const wholeToolCall = ({ name, arguments: text, id, ...extras }: Fields) => ({
  ...extras,
  id: String(id ?? ''),
  type: 'function' as const,
  function: { name: String(name), arguments: String(text) },
})

const byIndex = <T>(values: Map<number, T>): T[] =>
  [...values.entries()].sort(([one], [other]) => one - other).map(([, value]) => value)
