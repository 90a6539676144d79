import type {
  ChatCompletion,
  ChatCompletionChunk,
  Choice,
  ChunkChoice,
  Delta,
  ToolCall,
  ToolCallDelta,
} from '#kit/provider'
import { inPieces } from './in-pieces.ts'

/** Chunks that add up to the answer, ids and unknown fields included. */
export function* toChunks(answer: ChatCompletion, includeUsage: boolean): Generator<ChatCompletionChunk> {
  const { choices, usage, object: _, ...rest } = answer
  const chunk = (of: readonly ChunkChoice[]): ChatCompletionChunk => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: of,
    ...(includeUsage && usage !== undefined ? { usage: null } : {}),
  })
  for (const choice of choices) {
    for (const piece of toPieces(choice)) yield chunk([piece])
  }
  if (includeUsage && usage !== undefined) yield { ...chunk([]), usage }
}

function* toPieces({ index, message, logprobs, finish_reason, ...rest }: Choice): Generator<ChunkChoice> {
  const piece = (delta: Delta): ChunkChoice => ({ index, delta, logprobs: null, finish_reason: null })
  const { role, content, tool_calls: calls = [], content_blocks: blocks = [], ...extras } = message
  yield piece({ role, content: typeof content === 'string' ? '' : null })
  for (const [name, value] of Object.entries(extras)) {
    if (value !== null && value !== undefined) yield piece({ [name]: value })
  }
  for (const [at, block] of blocks.entries()) yield piece({ content_blocks: [{ ...block, index: at }] })
  for (const text of inPieces(typeof content === 'string' ? content : '')) yield piece({ content: text })
  for (const delta of calls.flatMap(callDeltas)) yield piece({ tool_calls: [delta] })
  yield { ...rest, index, delta: {}, logprobs: logprobs ?? null, finish_reason }
}

const callDeltas = ({ function: called, ...rest }: ToolCall, index: number): ToolCallDelta[] => [
  { ...rest, index, function: { name: called.name, arguments: '' } },
  ...inPieces(called.arguments).map((text) => ({ index, function: { arguments: text } })),
]
