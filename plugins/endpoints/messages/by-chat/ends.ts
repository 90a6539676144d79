import { estimateOutputTokens, textTokens } from '#calls/estimate-tokens'
import { isRecord } from '#kit'
import { type AdapterContext, usageFromOpenAI } from '#kit/provider'
import type { Fields } from './values.ts'

/** Why an answer ended, in Anthropic's words. */
export interface Stop {
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly stop_details: Fields | null
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

/**
 * @param choice of the answer, or the last piece of it
 * @param said.refusal what the model said to refuse; empty where it did not
 * @param said.hasCalls some hosts end a call of a tool with `stop`
 */
export const stopOf = (
  choice: Fields,
  said: { readonly refusal: string; readonly hasCalls: boolean },
  { stop_sequences: sequences }: Fields,
): Stop => {
  const { finish_reason: finish, stop_reason: word } = choice
  const known = typeof finish === 'string' && Object.hasOwn(STOP_REASONS, finish) ? STOP_REASONS[finish] : undefined
  const reason = known ?? 'end_turn'
  if (reason === 'refusal' || said.refusal !== '') return refusal(said.refusal)
  if (reason !== 'end_turn') return ended(reason)
  // vLLM and its kin name the text they stopped at ("stop_reason", OpenAI-compatible server, read 2026-11-22); no other host does.
  if (typeof word === 'string' && Array.isArray(sequences) && sequences.includes(word)) {
    return { stop_reason: 'stop_sequence', stop_sequence: word, stop_details: null }
  }
  return ended(said.hasCalls ? 'tool_use' : reason)
}

const ended = (reason: string): Stop => ({ stop_reason: reason, stop_sequence: null, stop_details: null })

const refusal = (words: string): Stop => ({
  stop_reason: 'refusal',
  stop_sequence: null,
  stop_details: { type: 'refusal', category: null, explanation: words === '' ? null : words },
})

/** A usage of nothing, for the beginning of a stream: what is reported comes with its end. */
export const NO_USAGE: Fields = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
}

/**
 * The usage of an answer, whose input tokens leave out those of the cache. Where the provider reports none, the output is
 * estimated: clients add it up.
 */
export const usageOf = (usage: unknown, answer: unknown): Fields => {
  const counted = usageFromOpenAI(usage)
  if (counted === undefined) return { ...NO_USAGE, output_tokens: estimateOutputTokens(answer) }
  const {
    inputTokens,
    outputTokens,
    cachedInputTokens: read = 0,
    cacheWriteTokens: written = 0,
    reasoningTokens,
  } = counted
  return {
    ...NO_USAGE,
    input_tokens: Math.max(0, inputTokens - read - written),
    output_tokens: outputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}

/** Of a stream whose provider reports none. @param textBytes what it said, in UTF-8 */
export const estimatedUsage = (textBytes: number): Fields => ({ ...NO_USAGE, output_tokens: textTokens(textBytes) })

/** A message that has said nothing yet. */
export const emptyMessage = ({ id, model }: Fields, context: Pick<AdapterContext, 'callId' | 'model'>): Fields => ({
  id: messageId(id, context),
  type: 'message',
  role: 'assistant',
  model: typeof model === 'string' ? model : context.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: NO_USAGE,
})

/** Clients may know a message by the beginning of its id. */
const messageId = (id: unknown, { callId }: Pick<AdapterContext, 'callId'>): string => {
  const own = typeof id === 'string' && id !== '' ? id : callId
  return own.startsWith('msg_') ? own : `msg_${own}`
}

/** The first answer: Anthropic's form has room for one. */
export const firstChoice = ({ choices }: Fields): Fields | undefined => {
  if (!Array.isArray(choices)) return undefined
  for (const choice of choices) {
    if (isRecord(choice) && (choice.index === 0 || choice.index === undefined)) return choice
  }
  return undefined
}
