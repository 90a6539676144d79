import { defined } from '../core/defined.ts'
import { isRecord } from '../core/json/record.ts'
import { isImpossible, someTokens, tokenCount, type Usage, unitsOf, usageFromOpenAI } from '../core/usage.ts'

/**
 * The usage in an answer of any format that is known here, for a call that passes through as it is. Sources: the API
 * references of OpenAI (chat and Responses), Anthropic (Messages, with `message_start` and `message_delta` of its streams)
 * and Google (`usageMetadata`), read 2026-11-21.
 */
export const usageOfAny = (body: unknown): Usage | undefined => {
  if (!isRecord(body)) return undefined
  for (const holder of [body, body.response, body.message]) {
    if (!isRecord(holder)) continue
    const usage = usageFromOpenAI(holder.usage) ?? fromInputOutput(holder.usage) ?? fromGoogle(holder.usageMetadata)
    if (usage !== undefined) return usage
  }
  return undefined
}

/** Usage that comes in pieces: Anthropic says the input first, then the output so far. */
export const mergeUsage = (earlier: Usage | undefined, later: Usage): Usage => {
  if (earlier === undefined) return later
  const inputTokens = Math.max(earlier.inputTokens, later.inputTokens)
  const outputTokens = Math.max(earlier.outputTokens, later.outputTokens)
  return {
    ...earlier,
    ...later,
    inputTokens,
    outputTokens,
    totalTokens: Math.max(later.totalTokens, inputTokens + outputTokens),
  }
}

/** OpenAI's Responses, Anthropic's Messages. The latter leaves what came from the cache out of its input tokens. */
const fromInputOutput = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const { input_tokens: said, output_tokens: given } = usage
  if (isImpossible(said) || isImpossible(given)) return undefined
  const input = tokenCount(said)
  const output = tokenCount(given)
  if (input === undefined && output === undefined) return undefined
  const read = tokenCount(usage.cache_read_input_tokens)
  const written = tokenCount(usage.cache_creation_input_tokens)
  // Some say `token`, some `tokens`.
  const asked = partsOf(usage.input_tokens_details ?? usage.input_token_details)
  const made = partsOf(usage.output_tokens_details ?? usage.output_token_details)
  const inputTokens = (input ?? 0) + (read ?? 0) + (written ?? 0)
  const outputTokens = output ?? 0
  return defined({
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedInputTokens: read ?? tokenCount(asked.cached_tokens),
    cachedAudioInputTokens: someTokens(partsOf(asked.cached_tokens_details).audio_tokens),
    cacheWriteTokens: written ?? someTokens(asked.cache_write_tokens),
    hourCacheWriteTokens: someTokens(partsOf(usage.cache_creation).ephemeral_1h_input_tokens),
    reasoningTokens: tokenCount(made.reasoning_tokens ?? made.thinking_tokens),
    audioInputTokens: someTokens(asked.audio_tokens),
    imageInputTokens: someTokens(asked.image_tokens),
    audioOutputTokens: someTokens(made.audio_tokens),
    imageOutputTokens: someTokens(made.image_tokens),
    units: unitsOf(usage),
  })
}

const NO_PARTS: Readonly<Record<string, unknown>> = {}

const partsOf = (details: unknown): Readonly<Record<string, unknown>> => (isRecord(details) ? details : NO_PARTS)

const GOOGLE_COUNTS = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
]

const fromGoogle = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  if (GOOGLE_COUNTS.some((name) => isImpossible(usage[name]))) return undefined
  const inputTokens = (tokenCount(usage.promptTokenCount) ?? 0) + (tokenCount(usage.toolUsePromptTokenCount) ?? 0)
  const outputTokens = (tokenCount(usage.candidatesTokenCount) ?? 0) + (tokenCount(usage.thoughtsTokenCount) ?? 0)
  const totalTokens = Math.max(tokenCount(usage.totalTokenCount) ?? 0, inputTokens + outputTokens)
  if (totalTokens === 0) return undefined
  return defined({
    inputTokens,
    outputTokens,
    totalTokens,
    cachedInputTokens: tokenCount(usage.cachedContentTokenCount),
    cachedAudioInputTokens: tokensOf(usage.cacheTokensDetails, 'AUDIO'),
    reasoningTokens: tokenCount(usage.thoughtsTokenCount),
    audioInputTokens: tokensOf(usage.promptTokensDetails, 'AUDIO'),
    imageInputTokens: tokensOf(usage.promptTokensDetails, 'IMAGE'),
    audioOutputTokens: tokensOf(usage.candidatesTokensDetails, 'AUDIO'),
    imageOutputTokens: tokensOf(usage.candidatesTokensDetails, 'IMAGE'),
  })
}

/** Google lists its parts by what they are: `{modality, tokenCount}`. */
const tokensOf = (parts: unknown, modality: string): number | undefined => {
  if (!Array.isArray(parts)) return undefined
  const part: unknown = parts.find((each: unknown) => isRecord(each) && each.modality === modality)
  return isRecord(part) ? someTokens(part.tokenCount) : undefined
}
