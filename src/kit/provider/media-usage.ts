import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { isImpossible, someTokens, tokenCount, type Usage } from '../../core/usage.ts'

/**
 * Reads the `usage` of images, speech and transcripts. Nothing for one that is counted in seconds (`type: duration`), is absent or
 * not possible. Source: types of openai-node 7.55.0 (ImagesResponse.Usage, Transcription.Tokens), read 2026-11-22.
 */
export const usageFromMedia = (usage: unknown): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const { input_tokens: said, output_tokens: given, total_tokens: all } = usage
  if (isImpossible(said) || isImpossible(given) || isImpossible(all)) return undefined
  const input = tokenCount(said)
  const output = tokenCount(given)
  if (input === undefined && output === undefined) return undefined
  // Images call them `input_tokens_details`, transcripts `input_token_details`.
  const details = partsOf(usage.input_tokens_details ?? usage.input_token_details)
  const made = partsOf(usage.output_tokens_details ?? usage.output_token_details)
  return defined({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: Math.max(tokenCount(all) ?? 0, (input ?? 0) + (output ?? 0)),
    audioInputTokens: tokenCount(details.audio_tokens),
    imageInputTokens: tokenCount(details.image_tokens),
    audioOutputTokens: someTokens(made.audio_tokens),
    imageOutputTokens: tokenCount(made.image_tokens),
  })
}

const partsOf = (details: unknown): Readonly<Record<string, unknown>> => (isRecord(details) ? details : {})
