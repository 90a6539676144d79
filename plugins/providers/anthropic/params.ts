import { isRecord } from '#kit'
import type { ChatRequest, ParamMap } from '#kit/provider'
import { messagesOf } from './messages.ts'
import { type ModelTraits, traitsOf } from './models.ts'
import { outputConfigOf, outputFormatOf, SCHEMA_PATH } from './output.ts'
import { isThinking, type Reasoning, reasoningOf } from './thinking.ts'
import { keepsToolChoice, type Report, toolChoiceOf, toolsOf } from './tools.ts'
import { type Fields, isAbsent, listAt, numberAt, stringAt } from './values.ts'

/** What a rule looks at besides its own value. */
interface Plan {
  readonly traits: ModelTraits
  readonly reasoning: Reasoning
}

type Made = Fields | undefined

const NOTHING_LOST: Fields = {}

/** The output limit that the call names; `max_completion_tokens` wins. */
const askedLimit = (request: ChatRequest): number | undefined => {
  for (const name of ['max_completion_tokens', 'max_tokens']) {
    const value = request[name]
    if (!isAbsent(value)) return numberAt(value, name)
  }
  return undefined
}

/** `max_tokens` for a call that names no limit: the provider requires one. */
export const defaultLimit = (
  request: ChatRequest,
  model: string,
  configured: number | undefined,
): Record<string, unknown> =>
  askedLimit(request) === undefined ? { max_tokens: configured ?? traitsOf(model).defaultMaxTokens } : {}

/** @param configured the operator's default for `max_tokens`. */
export const chatParams = (configured: number | undefined): ParamMap<ChatRequest> => {
  const plan = (request: ChatRequest, model: string): Plan => {
    const traits = traitsOf(model)
    const maxTokens = askedLimit(request) ?? configured ?? traits.defaultMaxTokens
    return { traits, reasoning: reasoningOf(request, traits, maxTokens) }
  }
  /** A rule that needs to know the model and what is asked of its reasoning. */
  const planned =
    (rule: (value: unknown, request: ChatRequest, plan: Plan, report: Report) => Made) =>
    (value: unknown, request: ChatRequest, { model }: { readonly model: string }, report: Report): Made =>
      rule(value, request, plan(request, model), report)

  return {
    model: true,
    stream: true,
    // Usage is always part of the stream; whether the client sees it is decided on the way back.
    stream_options: () => NOTHING_LOST,
    messages: planned((_, request, { traits }) => messagesOf(request, traits)),
    max_completion_tokens: (_value: unknown, request) => ({ max_tokens: askedLimit(request) }),
    max_tokens: (_value: unknown, request) => ({ max_tokens: askedLimit(request) }),
    temperature: planned(temperature),
    top_p: planned(topP),
    top_k: planned((value, _, { traits, reasoning }) =>
      traits.sampling && !isThinking(reasoning) ? { top_k: numberAt(value, 'top_k') } : undefined,
    ),
    stop: (value: unknown) => ({ stop_sequences: stopSequences(value) }),
    tools: planned((value, request, { traits }, report) => {
      const tools = toolsOf(value, request, traits, report)
      return tools.length === 0 ? NOTHING_LOST : { tools }
    }),
    tool_choice: planned((_, request, { traits }) =>
      keepsToolChoice(request, traits) ? { tool_choice: toolChoiceOf(request, traits) } : undefined,
    ),
    parallel_tool_calls: planned((_, request, { traits }) => ({ tool_choice: toolChoiceOf(request, traits) })),
    response_format: planned((value, request, { traits, reasoning }, report) => {
      const { instruction, strict } = outputFormatOf(value, traits)
      if (instruction !== undefined) return undefined
      for (const word of strict?.moved ?? []) report(`${SCHEMA_PATH}.${word}`)
      return { output_config: outputConfigOf(request, traits, reasoning) }
    }),
    output_config: planned((_, request, { traits, reasoning }) => ({
      output_config: outputConfigOf(request, traits, reasoning),
    })),
    reasoning_effort: planned((_, request, { traits, reasoning }) =>
      reasoning.lost && reasoning.thinking === undefined
        ? undefined
        : { thinking: reasoning.thinking, output_config: outputConfigOf(request, traits, reasoning) },
    ),
    thinking: planned((_, request, { traits, reasoning }, report) => {
      if (reasoning.nativeLost === true) return undefined
      if (reasoning.budgetLost === true) report('thinking.budget_tokens')
      return { thinking: reasoning.thinking, output_config: outputConfigOf(request, traits, reasoning) }
    }),
    user: (value: unknown, request) => ({ metadata: { user_id: givenUserId(request) ?? stringAt(value, 'user') } }),
    // OpenAI's successor of `user`.
    safety_identifier: (value: unknown, request) => {
      const userId = givenUserId(request) ?? request.user ?? stringAt(value, 'safety_identifier')
      return { metadata: { user_id: userId } }
    },
    metadata: (_value: unknown, request) => {
      const userId = givenUserId(request)
      return userId === undefined ? undefined : { metadata: { user_id: userId } }
    },
    service_tier: (value: unknown) => serviceTier(value),
    n: lostUnless(1),
    logprobs: lostUnless(false),
    presence_penalty: lostUnless(0),
    frequency_penalty: lostUnless(0),
    store: lostUnless(false),
    seed: null,
    logit_bias: null,
    // `messages` reads it.
    system: () => NOTHING_LOST,
    // Anthropic's own, beta ones included: the header `anthropic-beta` is passed on.
    cache_control: true,
    container: true,
    context_management: true,
    inference_geo: true,
    mcp_servers: true,
    speed: true,
  }
}

/** OpenAI's range is 0 to 2. Models after Opus 4.6, and thinking, accept nothing but the default of 1. */
const temperature = (value: unknown, _request: ChatRequest, { traits, reasoning }: Plan): Made => {
  const clamped = Math.min(Math.max(numberAt(value, 'temperature'), 0), 1)
  if (traits.sampling && !isThinking(reasoning)) return { temperature: clamped }
  return clamped === 1 ? NOTHING_LOST : undefined
}

/** Since Claude 4.5 the two together are an error, so `temperature` wins. With thinking, 0.95 is the least. */
const topP = (value: unknown, request: ChatRequest, { traits, reasoning }: Plan): Made => {
  const clamped = Math.min(Math.max(numberAt(value, 'top_p'), 0), 1)
  if (clamped === 1) return NOTHING_LOST
  if (!traits.sampling || !isAbsent(request.temperature)) return undefined
  return isThinking(reasoning) && clamped < 0.95 ? undefined : { top_p: clamped }
}

const stopSequences = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : listAt(value, 'stop').map((text, index) => stringAt(text, `stop[${index}]`))

/** `metadata` is a free map at OpenAI; Anthropic's has only `user_id`. */
const givenUserId = ({ metadata }: ChatRequest): string | undefined =>
  isRecord(metadata) && typeof metadata.user_id === 'string' ? metadata.user_id : undefined

const serviceTier = (value: unknown): Made => {
  if (value === 'auto' || value === 'standard_only') return { service_tier: value }
  return value === 'default' ? { service_tier: 'standard_only' } : undefined
}

/** A parameter that Anthropic does not have: named as lost unless it asks for what happens anyway. */
const lostUnless =
  (usual: unknown) =>
  (value: unknown): Made =>
    value === usual ? NOTHING_LOST : undefined
