import { defined } from './defined.ts'
import { isRecord } from './json/record.ts'
/** Tokens of one call, in one form for every provider. A part that the provider does not report stays absent, not zero. */
export interface Usage {
  /** All input tokens, cached ones included. */
  readonly inputTokens: number
  /** All output tokens, reasoning included. */
  readonly outputTokens: number
  readonly totalTokens: number
  /** Part of `inputTokens` that was read from the provider's prompt cache. */
  readonly cachedInputTokens?: number
  /** Part of `inputTokens` that was written to the provider's prompt cache. */
  readonly cacheWriteTokens?: number
  /** Part of `outputTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number
  /** Parts of `inputTokens` that are sound and images. */
  readonly audioInputTokens?: number
  readonly imageInputTokens?: number
  /** Part of `outputTokens` that is images. */
  readonly imageOutputTokens?: number
  /** True when Weir counted because the provider did not. */
  readonly estimated?: boolean
  /** Weir's own count beside the report of a host that the caller named: what limits go by, as the caller may have written the report. */
  readonly ownCount?: Pick<Usage, 'outputTokens' | 'totalTokens'>
}

/** More tokens than any one call can use: a hundred times the largest context of a model. */
export const MOST_TOKENS = 1_000_000_000

/** A count of tokens as a provider reports it. Nothing for what is no such count: negative, not finite, or beyond any call. */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? Math.round(value) : undefined

/** Whether a count is there and is none that a call can have: a report with one is not believed, also for its other counts. */
export const isImpossible = (value: unknown): boolean =>
  value !== undefined && value !== null && tokenCount(value) === undefined

/** Whether a call can have used that much. */
export const isPossible = ({ inputTokens, outputTokens, totalTokens }: Usage): boolean =>
  !(isImpossible(inputTokens) || isImpossible(outputTokens) || isImpossible(totalTokens))

/** The tokens of two parts of one answer. A part that only one of them reports counts as it is. */
export const addUsage = (left: Usage | undefined, right: Usage | undefined): Usage | undefined => {
  if (left === undefined || right === undefined) return left ?? right
  const sum = (name: OptionalCount): Partial<Record<OptionalCount, number>> =>
    left[name] === undefined && right[name] === undefined ? {} : { [name]: (left[name] ?? 0) + (right[name] ?? 0) }
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    totalTokens: left.totalTokens + right.totalTokens,
    ...sum('cachedInputTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
    ...sum('audioInputTokens'),
    ...sum('imageInputTokens'),
    ...sum('imageOutputTokens'),
    ...(left.estimated === true || right.estimated === true ? { estimated: true } : {}),
    ...(left.ownCount === undefined && right.ownCount === undefined ? {} : { ownCount: addOwnCounts(left, right) }),
  }
}

const addOwnCounts = (left: Usage, right: Usage): Pick<Usage, 'outputTokens' | 'totalTokens'> => {
  const [{ outputTokens, totalTokens }, more] = [left.ownCount ?? left, right.ownCount ?? right]
  return { outputTokens: outputTokens + more.outputTokens, totalTokens: totalTokens + more.totalTokens }
}

type OptionalCount =
  | 'cachedInputTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'audioInputTokens'
  | 'imageInputTokens'
  | 'imageOutputTokens'

/** Reads the `usage` object of OpenAI's answers. Gives nothing when it is absent, no object of counts, or not possible. */
export const usageFromOpenAI = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  if (isImpossible(prompt) || isImpossible(completion) || isImpossible(total)) return undefined
  const input = tokenCount(prompt)
  const output = tokenCount(completion)
  if (input === undefined && output === undefined) return undefined
  const cached = tokenCount(
    isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details.cached_tokens : undefined,
  )
  const written = tokenCount(usage.cache_creation_input_tokens)
  const reasoning = tokenCount(
    isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details.reasoning_tokens : undefined,
  )
  return defined({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    // Some count more than both: a total that is less than its parts is none.
    totalTokens: Math.max(tokenCount(total) ?? 0, (input ?? 0) + (output ?? 0)),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: reasoning,
  })
}
