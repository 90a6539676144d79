import { type Call, estimateInputTokens, estimateOutputTokens, type Usage } from '#kit'

/** What can be counted of a stream while it runs. */
export interface CountedStream {
  /** One chunk is about one token, at every provider. */
  readonly chunks: number
  readonly complete: boolean
}

/**
 * The usage of a stream: what the provider reported once it was complete. Of one that broke or was left, the more of what
 * was reported so far and what was counted, marked as an estimate.
 */
export const estimateStream = (call: Call, stream: CountedStream): void =>
  call.estimateUsage((reported) => {
    if (reported !== undefined && (stream.complete || reported.outputTokens >= stream.chunks)) return reported
    return estimated(call, reported?.inputTokens, stream.chunks)
  })

/** Counts for a provider that reports nothing for a whole answer. */
export const estimateAnswer = (call: Call, answer: Readonly<Record<string, unknown>>): void =>
  call.estimateUsage((reported) => reported ?? estimated(call, undefined, estimateOutputTokens(answer)))

const estimated = (call: Call, input: number | undefined, outputTokens: number): Usage | undefined => {
  if (call.endpoint === 'models') return undefined
  const inputTokens = input ?? estimateInputTokens(call.params)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, estimated: true }
}
