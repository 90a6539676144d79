import { type ChatCompletion, isRecord, type OpenAIUsage, type Usage } from '#kit'
import { parsed } from './entry.ts'

/** The whole chat completion that the bytes are, every choice of it finished; else undefined. */
export const readCompletion = (bytes: Uint8Array): ChatCompletion | undefined => {
  const body = parsed(bytes)
  return isCompletion(body) ? body : undefined
}

export const isCompletion = (body: unknown): body is ChatCompletion & Record<string, unknown> => {
  if (!isRecord(body) || !Array.isArray(body.choices) || body.choices.length === 0) return false
  return body.choices.every(
    (choice: unknown) => isRecord(choice) && isRecord(choice.message) && typeof choice.finish_reason === 'string',
  )
}

/** Usage of a stream whose client did not ask for it, as a reply would say it. */
export const toWireUsage = (usage: Usage): OpenAIUsage => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.totalTokens,
  ...(usage.cachedInputTokens === undefined
    ? {}
    : { prompt_tokens_details: { cached_tokens: usage.cachedInputTokens } }),
  ...(usage.reasoningTokens === undefined
    ? {}
    : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
})
