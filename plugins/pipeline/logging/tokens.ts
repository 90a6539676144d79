import type { CallRecord } from '#core/records'
import { addUnits } from '#core/usage'
import type { Usage } from '#kit'
import type { Report } from '#kit/slots'

type Tokens = Pick<
  CallRecord,
  | 'inputTokens'
  | 'outputTokens'
  | 'totalTokens'
  | 'cachedInputTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'audioInputTokens'
  | 'audioOutputTokens'
  | 'imageInputTokens'
  | 'imageOutputTokens'
  | 'units'
  | 'estimated'
>

/** Usage, and what the endpoint knows of it, as fields of a record. */
export const tokensOf = (usage: Usage | undefined, bought: Report['bought']): Tokens => ({
  inputTokens: usage?.inputTokens,
  outputTokens: usage?.outputTokens,
  totalTokens: usage?.totalTokens,
  cachedInputTokens: usage?.cachedInputTokens,
  cacheWriteTokens: usage?.cacheWriteTokens,
  reasoningTokens: usage?.reasoningTokens,
  audioInputTokens: usage?.audioInputTokens,
  audioOutputTokens: usage?.audioOutputTokens,
  imageInputTokens: usage?.imageInputTokens,
  imageOutputTokens: usage?.imageOutputTokens,
  units: addUnits(usage?.units, bought?.units),
  estimated: usage?.estimated,
})
