import { defined } from '#kit'
import type { ChunkChoice, Delta, FinishReason, OpenAIUsage, ToolCallDelta } from '#kit/provider'
import type { MockAnswer } from './answer.ts'
import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import type { MockCall } from './tool-calls.ts'

/** An answer before it is cut into chunks. */
export interface MockStream {
  /** What all chunks have in common. */
  readonly head: Readonly<Record<string, unknown>>
  /** One after the other; their choices are numbered through. */
  readonly answers: readonly MockAnswer[]
  /** A piece of a chat in the form of the endpoint. */
  readonly toChoice: (choice: ChunkChoice) => object
  readonly usage?: OpenAIUsage
}

const FORCED_USAGE: readonly FaultName[] = ['usage-double', 'usage-cumulative', 'usage-late']

/** The answer as chunks, each as JSON, ending with `[DONE]`. Lazy, so that a stream of any length costs no memory. */
export function* toChunks(stream: MockStream, includeUsage: boolean, options: MockOptions): Generator<string> {
  const { fault } = options
  const withUsage = includeUsage || (fault !== undefined && FORCED_USAGE.includes(fault))
  const usage = withUsage ? stream.usage : undefined
  let sent = 0
  const chunk = (choices: readonly ChunkChoice[], value?: OpenAIUsage | null): string =>
    JSON.stringify({
      ...stream.head,
      choices: choices.map(stream.toChoice),
      ...defined({ usage: value }),
    })
  for (const choice of pieces(stream.answers, options)) {
    const running = fault === 'usage-cumulative' && usage !== undefined ? runningTotal(usage, sent++) : undefined
    const blank = usage === undefined ? undefined : null
    yield chunk([choice], running ?? blank)
  }
  if (usage !== undefined && fault !== 'usage-late') yield chunk([], usage)
  if (usage !== undefined && fault === 'usage-double') yield chunk([], usage)
  if (fault !== 'cut-before-done') yield '[DONE]'
  if (usage !== undefined && fault === 'usage-late') yield chunk([], usage)
}

function* pieces(answers: readonly MockAnswer[], options: MockOptions): Generator<ChunkChoice> {
  let index = 0
  for (const answer of answers) {
    for (let count = answer.choices; count > 0; count--) yield* choicePieces(answer, index++, options)
  }
}

function* choicePieces(answer: MockAnswer, index: number, { fault, count }: MockOptions): Generator<ChunkChoice> {
  const piece = (delta: Delta, finish: FinishReason | null = null): ChunkChoice => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finish,
  })
  yield piece({ role: 'assistant', content: answer.toolCalls.length > 0 ? null : '' })
  for (let left = fault === 'empty-deltas' ? (count ?? 100_000) : 0; left > 0; left--) yield piece({ content: '' })
  for (const word of answer.reasoning) yield piece({ reasoning_content: word })
  for (const word of answer.content) yield piece({ content: word })
  for (const call of toolDeltas(answer.toolCalls, fault)) yield piece({ tool_calls: [call] })
  if (fault !== 'done-without-finish') yield piece({}, answer.finish)
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
