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
  /** True when Weir counted because the provider did not. */
  readonly estimated?: boolean
}

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
    ...(left.estimated === true || right.estimated === true ? { estimated: true } : {}),
  }
}

type OptionalCount = 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens'

/** Reads the `usage` object of OpenAI's answers. Gives nothing when it is absent or not an object of numbers. */
export const usageFromOpenAI = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const input = count(usage.prompt_tokens)
  const output = count(usage.completion_tokens)
  if (input === undefined && output === undefined) return undefined
  const cached = count(isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details.cached_tokens : undefined)
  const written = count(usage.cache_creation_input_tokens)
  const reasoning = count(
    isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details.reasoning_tokens : undefined,
  )
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: count(usage.total_tokens) ?? (input ?? 0) + (output ?? 0),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
