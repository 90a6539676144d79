import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChunkChoice,
  Delta,
  FinishReason,
  OpenAIUsage,
  ToolCallDelta,
} from '#kit'
import { MOCK_CREATED, type MockAnswer } from './answer.ts'
import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import type { MockCall } from './tool-calls.ts'

/** The answer as one reply. */
export const toReply = (answer: MockAnswer): ChatCompletion => ({
  id: answer.id,
  object: 'chat.completion',
  created: MOCK_CREATED,
  model: answer.model,
  choices: Array.from({ length: answer.choices }, (_, index) => ({
    index,
    message: {
      role: 'assistant',
      content: answer.toolCalls.length > 0 ? null : answer.content.join(''),
      ...(answer.reasoning.length === 0 ? {} : { reasoning_content: answer.reasoning.join('') }),
      ...(answer.toolCalls.length === 0
        ? {}
        : {
            tool_calls: answer.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments.join('') },
            })),
          }),
      refusal: null,
    },
    logprobs: null,
    finish_reason: answer.finish,
  })),
  ...(answer.usage === undefined ? {} : { usage: answer.usage }),
})

const FORCED_USAGE: readonly FaultName[] = ['usage-double', 'usage-cumulative', 'usage-late']

/** The answer as chunks, each as JSON, ending with `[DONE]`. Lazy, so that a stream of any length costs no memory. */
export function* toChunks(answer: MockAnswer, includeUsage: boolean, options: MockOptions): Generator<string> {
  const { fault } = options
  const withUsage = includeUsage || (fault !== undefined && FORCED_USAGE.includes(fault))
  const usage = withUsage ? answer.usage : undefined
  let sent = 0
  const chunk = (choices: readonly ChunkChoice[], value?: OpenAIUsage | null): string => {
    const body: ChatCompletionChunk = {
      id: answer.id,
      object: 'chat.completion.chunk',
      created: MOCK_CREATED,
      model: answer.model,
      choices,
      ...(value === undefined ? {} : { usage: value }),
    }
    return JSON.stringify(body)
  }
  const piece = (index: number, delta: Delta, finish: FinishReason | null = null): string => {
    const running = fault === 'usage-cumulative' && usage !== undefined ? runningTotal(usage, sent++) : undefined
    const blank = usage === undefined ? undefined : null
    return chunk([{ index, delta, logprobs: null, finish_reason: finish }], running ?? blank)
  }
  for (let index = 0; index < answer.choices; index++) {
    yield piece(index, { role: 'assistant', content: answer.toolCalls.length > 0 ? null : '' })
    for (let count = fault === 'empty-deltas' ? (options.count ?? 100_000) : 0; count > 0; count--) {
      yield piece(index, { content: '' })
    }
    for (const word of answer.reasoning) yield piece(index, { reasoning_content: word })
    for (const word of answer.content) yield piece(index, { content: word })
    for (const call of toolDeltas(answer.toolCalls, fault)) yield piece(index, { tool_calls: [call] })
    if (fault !== 'done-without-finish') yield piece(index, {}, answer.finish)
  }
  if (usage !== undefined && fault !== 'usage-late') yield chunk([], usage)
  if (usage !== undefined && fault === 'usage-double') yield chunk([], usage)
  if (fault !== 'cut-before-done') yield '[DONE]'
  if (usage !== undefined && fault === 'usage-late') yield chunk([], usage)
}

/** Usage as it stands after so many earlier chunks: never more than the whole. */
const runningTotal = (usage: OpenAIUsage, sent: number): OpenAIUsage => {
  const output = Math.min(sent, usage.completion_tokens)
  return { prompt_tokens: usage.prompt_tokens, completion_tokens: output, total_tokens: usage.prompt_tokens + output }
}

function* toolDeltas(calls: readonly MockCall[], fault: FaultName | undefined): Generator<ToolCallDelta> {
  const streams = calls.map((call, index) =>
    callDeltas(call, fault === 'tool-index-gaps' ? gapIndex(index) : index, fault),
  )
  if (fault !== 'tool-interleaved') {
    for (const stream of streams) yield* stream
    return
  }
  let open = streams
  while (open.length > 0) {
    const next: typeof streams = []
    for (const stream of open) {
      const { done, value } = stream.next()
      if (done === true) continue
      yield value
      next.push(stream)
    }
    open = next
  }
}

/** 0, 2, 5, 9, …: each gap one wider. */
const gapIndex = (index: number): number => (index * (index + 3)) / 2

function* callDeltas(call: MockCall, index: number, fault: FaultName | undefined): Generator<ToolCallDelta, undefined> {
  const cut = fault === 'tool-name-split' ? Math.ceil(call.name.length / 2) : call.name.length
  yield { index, id: call.id, type: 'function', function: { name: call.name.slice(0, cut), arguments: '' } }
  if (cut < call.name.length) yield { index, function: { name: call.name.slice(cut) } }
  for (const piece of call.arguments) yield { index, function: { arguments: piece } }
}
