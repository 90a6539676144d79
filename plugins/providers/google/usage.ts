import { defined, isRecord } from '#kit'
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
  const asked = partsOf({ cached_tokens: numberOf(metadata.cachedContentTokenCount) }, metadata.promptTokensDetails)
  const made = partsOf({ reasoning_tokens: thoughts }, metadata.candidatesTokensDetails)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: numberOf(metadata.totalTokenCount) ?? promptTokens + completionTokens,
    ...(asked === undefined ? {} : { prompt_tokens_details: asked }),
    ...(made === undefined ? {} : { completion_tokens_details: made }),
  }
}

/** Sound and images cost another price than text. Parts that are none are left out. */
const partsOf = (known: Readonly<Record<string, number | undefined>>, details: unknown): Fields | undefined => {
  const parts = defined({
    ...known,
    audio_tokens: tokensOf(details, 'AUDIO'),
    image_tokens: tokensOf(details, 'IMAGE'),
  })
  return Object.keys(parts).length === 0 ? undefined : parts
}

const tokensOf = (details: unknown, modality: string): number | undefined => {
  if (!Array.isArray(details)) return undefined
  const part: unknown = details.find((each: unknown) => isRecord(each) && each.modality === modality)
  return (isRecord(part) ? numberOf(part.tokenCount) : undefined) || undefined
}
