import type { OpenAIUsage } from '#kit/provider'
import { type Fields, numberOf } from './json.ts'

/**
 * `usageMetadata` in the reference's form. Thoughts come beside the candidates' tokens and tool prompts beside the
 * prompt's; cached tokens are part of the prompt's (reference "UsageMetadata", read 2026-11-21).
 */
export const toUsage = (metadata: Fields): OpenAIUsage | undefined => {
  const prompt = numberOf(metadata.promptTokenCount)
  const candidates = numberOf(metadata.candidatesTokenCount)
  const thoughts = numberOf(metadata.thoughtsTokenCount)
  if (prompt === undefined && candidates === undefined && thoughts === undefined) return undefined
  const promptTokens = (prompt ?? 0) + (numberOf(metadata.toolUsePromptTokenCount) ?? 0)
  const completionTokens = (candidates ?? 0) + (thoughts ?? 0)
  const cached = numberOf(metadata.cachedContentTokenCount)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: numberOf(metadata.totalTokenCount) ?? promptTokens + completionTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thoughts } }),
  }
}
