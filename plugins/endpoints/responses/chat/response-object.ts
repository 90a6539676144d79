import { isRecord, type Usage } from '#kit'
import { type AdapterContext, type ResponsesReply, type ResponsesUsage, usageFromOpenAI } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Parameters that a response repeats, with what stands for one that the client left out. */
const REPEATED: Readonly<Record<string, unknown>> = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: null,
  store: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: 'disabled',
  user: null,
}

/**
 * A response that has begun, with all fields that the clients' types require.
 * @param params what the client asked for
 */
export const begunResponse = (
  id: string,
  params: Fields,
  context: Pick<AdapterContext, 'created' | 'model'>,
): ResponsesReply => ({
  id,
  object: 'response',
  created_at: context.created,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  model: context.model,
  output: [],
  usage: null,
  access_programs: null,
  ...repeated(params),
  reasoning: reasoningOf(params.reasoning),
  text: textOf(params.text),
})

const repeated = (params: Fields): Fields =>
  Object.fromEntries(Object.entries(REPEATED).map(([name, absent]) => [name, params[name] ?? absent]))

const reasoningOf = (reasoning: unknown): Fields => ({
  effort: null,
  summary: null,
  ...(isRecord(reasoning) ? reasoning : {}),
})

const textOf = (text: unknown): Fields => {
  const given = isRecord(text) ? text : {}
  return { ...given, format: isRecord(given.format) ? given.format : { type: 'text' } }
}

/** The tokens of a chat's answer as a response counts them. */
export const responseUsage = (usage: unknown): ResponsesUsage | null => {
  const read = usageFromOpenAI(usage)
  return read === undefined ? null : writtenUsage(read)
}

const writtenUsage = (usage: Usage): ResponsesUsage => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedInputTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.totalTokens,
})

/** Why an answer is not complete, in the words of a response. */
export const incompleteReason = (finish: unknown): string | undefined => {
  if (finish === 'length') return 'max_output_tokens'
  return finish === 'content_filter' ? 'content_filter' : undefined
}
