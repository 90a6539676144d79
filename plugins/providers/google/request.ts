import type { AdapterContext, ChatRequest, ParamMap } from '#kit/provider'
import { formatInstruction, SCHEMA_PATH, toFormat } from './format.ts'
import { type Fields, refuse } from './json.ts'
import { toContents } from './messages.ts'
import { effortRule, thinkingRule } from './thinking.ts'
import { type Report, toToolConfig, toTools } from './tools.ts'

/** Rule of a parameter that must be a number, under its name in `generationConfig`. */
const number = (name: string, field: string) => (value: unknown) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse(name, `\`${name}\` must be a number.`)
  return { [`generationConfig.${field}`]: value }
}

const integer = (name: string, field: string) => (value: unknown) => {
  if (!Number.isInteger(value)) throw refuse(name, `\`${name}\` must be an integer.`)
  return { [`generationConfig.${field}`]: value }
}

const maxOutputTokens = integer('max_tokens', 'maxOutputTokens')

/** Gemini's seed has 32 bits, the reference's 64. Only that equal seeds stay equal matters, so the upper half is cut. */
const toSeed = (value: unknown): Fields => {
  if (!Number.isInteger(value)) throw refuse('seed', '`seed` must be an integer.')
  return { 'generationConfig.seed': Number(BigInt.asIntN(32, BigInt(Number(value)))) }
}

const toStop = (value: unknown): Fields => {
  const sequences: unknown = typeof value === 'string' ? [value] : value
  if (!Array.isArray(sequences) || sequences.some((sequence) => typeof sequence !== 'string')) {
    throw refuse('stop', '`stop` must be a string or an array of strings.')
  }
  return sequences.length === 0 ? {} : { 'generationConfig.stopSequences': sequences }
}

const toLogprobs = (value: unknown): Fields => {
  if (typeof value !== 'boolean') throw refuse('logprobs', '`logprobs` must be true or false.')
  return value ? { 'generationConfig.responseLogprobs': true } : {}
}

const toSafety = (value: unknown): Fields => {
  if (!Array.isArray(value)) throw refuse('safety_settings', '`safety_settings` must be an array of Gemini settings.')
  return { safetySettings: value }
}

/** Said by the path, or of no meaning to the provider: nothing is lost. */
const elsewhere = (): Fields => ({})

/**
 * Parameters of a chat request. Fields of `generationConfig`: reference "GenerationConfig" of the Gemini API and its
 * published v1beta definitions, read 2026-11-21. What is not listed is dropped and named.
 */
export const chatParams: ParamMap<ChatRequest> = {
  model: elsewhere,
  stream: elsewhere,
  stream_options: elsewhere,
  messages: (messages: unknown, request: ChatRequest, context: AdapterContext) =>
    toContents(messages, context, formatInstruction(request, context)),
  tools: toTools,
  tool_choice: toToolConfig,
  response_format: (_value: unknown, request: ChatRequest, context: AdapterContext, report: Report) => {
    const format = toFormat(request, context)
    for (const word of format?.moved ?? []) report(`${SCHEMA_PATH}.${word}`)
    return format?.fields
  },
  temperature: number('temperature', 'temperature'),
  top_p: number('top_p', 'topP'),
  top_k: integer('top_k', 'topK'),
  max_tokens: (value: unknown, request: ChatRequest) =>
    (request.max_completion_tokens ?? undefined) === undefined ? maxOutputTokens(value) : {},
  max_completion_tokens: integer('max_completion_tokens', 'maxOutputTokens'),
  n: integer('n', 'candidateCount'),
  stop: toStop,
  presence_penalty: number('presence_penalty', 'presencePenalty'),
  frequency_penalty: number('frequency_penalty', 'frequencyPenalty'),
  seed: toSeed,
  logprobs: toLogprobs,
  top_logprobs: integer('top_logprobs', 'logprobs'),
  reasoning_effort: effortRule,
  thinking: thinkingRule,
  safety_settings: toSafety,
  // Gemini always may call in parallel.
  parallel_tool_calls: (value: unknown) => (value === true ? {} : undefined),
  // Gemini has no word for these.
  logit_bias: null,
  user: null,
}
