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
  /** Part of `cachedInputTokens` that is sound. */
  readonly cachedAudioInputTokens?: number
  /** Part of `inputTokens` that was written to the provider's prompt cache. */
  readonly cacheWriteTokens?: number
  /** Part of `cacheWriteTokens` that stays there for an hour; the rest stays for five minutes. */
  readonly hourCacheWriteTokens?: number
  /** Part of `outputTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number
  /** Parts of `inputTokens` that are sound and images. */
  readonly audioInputTokens?: number
  readonly imageInputTokens?: number
  /** Parts of `outputTokens` that are sound and images. */
  readonly audioOutputTokens?: number
  readonly imageOutputTokens?: number
  /** What is bought besides tokens. */
  readonly units?: Units
  /** Of what kind the images are: their price differs by it. */
  readonly picture?: { readonly quality?: string; readonly size?: string }
  /** True when Weir counted because the provider did not. */
  readonly estimated?: boolean
  /** Weir's own count beside the report of a host that the caller named: what limits go by, as the caller may have written the report. */
  readonly ownCount?: Pick<Usage, 'outputTokens' | 'totalTokens'>
}

/**
 * What is counted besides tokens. `second` is sound that was heard or made, `character` is text to be said, `query` a
 * question to a reranker, `source` a document that a search has found.
 */
export type Unit =
  | 'web_search'
  | 'web_fetch'
  | 'file_search'
  | 'code_interpreter'
  | 'source'
  | 'image'
  | 'second'
  | 'character'
  | 'page'
  | 'query'

export type Units = Readonly<Partial<Record<Unit, number>>>

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

/** Counts that a provider may leave out. */
const PARTS = [
  'cachedInputTokens',
  'cachedAudioInputTokens',
  'cacheWriteTokens',
  'hourCacheWriteTokens',
  'reasoningTokens',
  'audioInputTokens',
  'imageInputTokens',
  'audioOutputTokens',
  'imageOutputTokens',
] as const satisfies readonly (keyof Usage)[]

/** The tokens of two parts of one answer. A part that only one of them reports counts as it is. */
export const addUsage = (left: Usage | undefined, right: Usage | undefined): Usage | undefined => {
  if (left === undefined || right === undefined) return left ?? right
  const parts: Partial<Record<(typeof PARTS)[number], number>> = {}
  for (const name of PARTS) {
    if (left[name] !== undefined || right[name] !== undefined) parts[name] = (left[name] ?? 0) + (right[name] ?? 0)
  }
  const units = addUnits(left.units, right.units)
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    totalTokens: left.totalTokens + right.totalTokens,
    ...parts,
    ...(units === undefined ? {} : { units }),
    ...(left.estimated === true || right.estimated === true ? { estimated: true } : {}),
    ...(left.ownCount === undefined && right.ownCount === undefined ? {} : { ownCount: addOwnCounts(left, right) }),
  }
}

/** What two attempts bought. */
export const addUnits = (left: Units | undefined, right: Units | undefined): Units | undefined => {
  if (left === undefined || right === undefined) return left ?? right
  const sum: Partial<Record<Unit, number>> = { ...left }
  for (const name of Object.keys(right) as Unit[]) sum[name] = (sum[name] ?? 0) + (right[name] ?? 0)
  return sum
}

const addOwnCounts = (left: Usage, right: Usage): Pick<Usage, 'outputTokens' | 'totalTokens'> => {
  const [{ outputTokens, totalTokens }, more] = [left.ownCount ?? left, right.ownCount ?? right]
  return { outputTokens: outputTokens + more.outputTokens, totalTokens: totalTokens + more.totalTokens }
}

/** A count that is more than nothing. Many hosts name parts that they do not have, as zero. */
export const someTokens = (value: unknown): number | undefined => tokenCount(value) || undefined

/** Reads the `usage` object of OpenAI's answers. Gives nothing when it is absent, no object of counts, or not possible. */
export const usageFromOpenAI = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  if (isImpossible(prompt) || isImpossible(completion) || isImpossible(total)) return undefined
  const input = tokenCount(prompt)
  const output = tokenCount(completion)
  if (input === undefined && output === undefined) return undefined
  const asked = partsOf(usage.prompt_tokens_details)
  const given = partsOf(usage.completion_tokens_details)
  const units = unitsOf(usage)
  return defined({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    // Some count more than both: a total that is less than its parts is none.
    totalTokens: Math.max(tokenCount(total) ?? 0, (input ?? 0) + (output ?? 0)),
    cachedInputTokens: tokenCount(asked.cached_tokens),
    // The second is OpenRouter's word.
    cacheWriteTokens: tokenCount(usage.cache_creation_input_tokens) ?? someTokens(asked.cache_write_tokens),
    reasoningTokens: tokenCount(given.reasoning_tokens),
    audioInputTokens: someTokens(asked.audio_tokens),
    imageInputTokens: someTokens(asked.image_tokens),
    audioOutputTokens: someTokens(given.audio_tokens),
    imageOutputTokens: someTokens(given.image_tokens),
    units,
  })
}

const NO_PARTS: Readonly<Record<string, unknown>> = {}

const partsOf = (details: unknown): Readonly<Record<string, unknown>> => (isRecord(details) ? details : NO_PARTS)

/**
 * Searches that a provider counts beside the tokens: `num_search_queries` (Perplexity), `num_sources_used` (xAI) and
 * `server_tool_use` (Anthropic, OpenRouter); their references, read 2026-11-22.
 */
export const unitsOf = (usage: Readonly<Record<string, unknown>>): Units | undefined => {
  const { num_search_queries: queries, num_sources_used: sources, server_tool_use: tools } = usage
  if (queries === undefined && sources === undefined && tools === undefined) return undefined
  const used = partsOf(tools)
  const units = defined({
    web_search: someTokens(used.web_search_requests) ?? someTokens(queries),
    web_fetch: someTokens(used.web_fetch_requests),
    source: someTokens(sources),
  })
  return Object.keys(units).length === 0 ? undefined : units
}
