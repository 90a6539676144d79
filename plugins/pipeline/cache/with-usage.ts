import type { Usage } from '#kit'
import type { OpenAIUsage } from '#kit/provider'

/** Its client may not have asked for the usage; the next one may. */
export const withUsage = (
  answer: Readonly<Record<string, unknown>>,
  usage: Usage | undefined,
): Readonly<Record<string, unknown>> =>
  (answer.usage !== undefined && answer.usage !== null) || usage === undefined || usage.estimated === true
    ? answer
    : { ...answer, usage: toWireUsage(usage) }

/** Usage of a stream whose client did not ask for it, as a reply would say it. */
const toWireUsage = (usage: Usage): OpenAIUsage => ({
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
