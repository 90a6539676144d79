import { isRecord } from '#kit'
import type { AdapterContext, ChatRequest, ParamMap } from '#kit/provider'
import { type Fields, isAbsent, listAt, numberAt, recordAt, stringAt } from '../anthropic/values.ts'
import { betasOf } from './betas.ts'
import type { ContentRules, Report } from './content.ts'
import { messagesOf } from './messages.ts'
import { type BedrockModel, claudeOf, hasCachePoints, isClaude, modelOf } from './models.ts'
import { formatOf, SCHEMA_PATH } from './output.ts'
import { type Reasoning, reasoningOf } from './thinking.ts'
import { toolConfigOf } from './tools.ts'

type Made = Fields | undefined

const NOTHING_LOST: Fields = {}

/** A rule that looks at the model besides its value. */
const forModel =
  (
    rule: (value: unknown, request: ChatRequest, model: BedrockModel, report: Report, context: AdapterContext) => Made,
  ) =>
  (value: unknown, request: ChatRequest, context: AdapterContext, report: Report): Made =>
    rule(value, request, modelOf(context.model), report, context)

const rulesOf = (model: BedrockModel, report: Report): ContentRules => ({ cachePoints: hasCachePoints(model), report })

/** Reports nothing: for what another parameter has said already. */
const SILENT: Report = () => undefined

/**
 * A chat request as Converse takes it ("Converse", "InferenceConfiguration" and the pages of their types in the API reference; botocore
 * 1.44.5; read 2026-11-22). What a model takes besides goes into `additionalModelRequestFields`.
 */
export const chatParams: ParamMap<ChatRequest> = {
  // Both stand in the path.
  model: () => NOTHING_LOST,
  stream: () => NOTHING_LOST,
  // Usage is always part of the stream; whether the client sees it is decided on the way back.
  stream_options: () => NOTHING_LOST,
  messages: forModel((_, request, model, report) => {
    const { instruction } = formatOf(request.response_format, model)
    const { config } = toolConfigOf(request, model, rulesOf(model, SILENT))
    return {
      ...messagesOf(request, model, rulesOf(model, report), instruction),
      ...(config === undefined ? {} : { toolConfig: config }),
    }
  }),
  // `messages` reads it.
  system: () => NOTHING_LOST,
  max_completion_tokens: forModel((_, request, model) => limit(request, model)),
  max_tokens: forModel((_, request, model) => limit(request, model)),
  temperature: forModel((value, request, model) => sampled('temperature', value, request, model)),
  top_p: forModel((value, request, model) => sampled('topP', value, request, model)),
  stop: (value: unknown) => ({ 'inferenceConfig.stopSequences': stopSequences(value) }),
  tools: forModel((value, request, model, report) => {
    if (listAt(value, 'tools').length === 0) return NOTHING_LOST
    const { config } = toolConfigOf(request, model, rulesOf(model, report))
    return config === undefined ? NOTHING_LOST : { toolConfig: config }
  }),
  tool_choice: forModel((_, request, model) =>
    toolConfigOf(request, model, rulesOf(model, SILENT)).choiceLost ? undefined : NOTHING_LOST,
  ),
  // Tools are called side by side, or as the model likes it.
  parallel_tool_calls: (value: unknown) => (value === true ? NOTHING_LOST : undefined),
  response_format: forModel((value, request, model, report) => {
    const { instruction, strict } = formatOf(value, model)
    if (instruction !== undefined) return undefined
    for (const word of strict?.moved ?? []) report(`${SCHEMA_PATH}.${word}`)
    return outputConfig(request, model)
  }),
  outputConfig: forModel((_, request, model) => outputConfig(request, model)),
  reasoning_effort: forModel((_, request, model, report, context) => reasoned(request, model, report, context)),
  thinking: forModel((_, request, model, report, context) => reasoned(request, model, report, context)),
  top_k: forModel((value, request, model, _report, context) => {
    const { fixesSampling } = reasoningOf(request, model)
    if (topKField(model) === undefined || fixesSampling) return undefined
    numberAt(value, 'top_k')
    return modelFields(request, model, context)
  }),
  anthropic_beta: forModel((_, request, model, _report, context) =>
    isClaude(model) ? modelFields(request, model, context) : undefined,
  ),
  additionalModelRequestFields: forModel((_, request, model, _report, context) => modelFields(request, model, context)),
  service_tier: (value: unknown) => serviceTier(value),
  metadata: (value: unknown) => requestMetadata(value),
  n: lostUnless(1),
  logprobs: lostUnless(false),
  presence_penalty: lostUnless(0),
  frequency_penalty: lostUnless(0),
  store: lostUnless(false),
  // Converse's own.
  additionalModelResponseFieldPaths: true,
  guardrailConfig: true,
  guardrail_config: 'guardrailConfig',
  performanceConfig: true,
  promptVariables: true,
  requestMetadata: true,
  serviceTier: true,
}

const limit = (request: ChatRequest, model: BedrockModel): Made => {
  const { max_completion_tokens: newer, max_tokens: older } = request
  const name = isAbsent(newer) ? 'max_tokens' : 'max_completion_tokens'
  const tokens = numberAt(isAbsent(newer) ? older : newer, name)
  return reasoningOf(request, model).refusesLimits === true ? undefined : { 'inferenceConfig.maxTokens': tokens }
}

/** OpenAI's temperature goes to 2, that of Converse to 1. Models of Claude since 4.5 refuse both together, so `temperature` wins. */
const sampled = (field: 'temperature' | 'topP', value: unknown, request: ChatRequest, model: BedrockModel): Made => {
  const name = field === 'topP' ? 'top_p' : field
  const clamped = Math.min(Math.max(numberAt(value, name), 0), 1)
  const { fixesSampling } = reasoningOf(request, model)
  const claude = claudeOf(model)
  if (field === 'topP' && claude !== undefined) {
    if (clamped === 1) return NOTHING_LOST
    if (!claude.sampling || !isAbsent(request.temperature) || (fixesSampling && clamped < 0.95)) return undefined
  } else if (fixesSampling) return clamped === 1 ? NOTHING_LOST : undefined
  return { [`inferenceConfig.${field}`]: clamped }
}

const stopSequences = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : listAt(value, 'stop').map((text, index) => stringAt(text, `stop[${index}]`))

/** The `outputConfig` field of native field, `response_format` and effort; what the native field says wins. */
const outputConfig = (request: ChatRequest, model: BedrockModel): Fields => {
  const own = isAbsent(request.outputConfig) ? {} : recordAt(request.outputConfig, 'outputConfig')
  const { native: textFormat } = formatOf(request.response_format, model)
  const { effort } = reasoningOf(request, model)
  const config = {
    ...(textFormat === undefined ? {} : { textFormat }),
    ...(effort === undefined ? {} : { effort }),
    ...own,
  }
  return Object.keys(config).length === 0 ? NOTHING_LOST : { outputConfig: config }
}

const reasoned = (request: ChatRequest, model: BedrockModel, report: Report, context: AdapterContext): Made => {
  const { lost } = reasoningOf(request, model)
  for (const part of lost) report(part)
  return { ...modelFields(request, model, context), ...outputConfig(request, model) }
}

/** The `additionalModelRequestFields` of native field, reasoning, betas and `top_k`; what the native field says wins. */
const modelFields = (request: ChatRequest, model: BedrockModel, context: AdapterContext): Fields => {
  const own = isAbsent(request.additionalModelRequestFields)
    ? {}
    : recordAt(request.additionalModelRequestFields, 'additionalModelRequestFields')
  const reasoning = reasoningOf(request, model)
  const made = { ...reasoning.fields, ...betas(request, model, context), ...topK(request, model, reasoning), ...own }
  return Object.keys(made).length === 0 ? NOTHING_LOST : { additionalModelRequestFields: made }
}

/** Betas that a header asks for, which no parameter speaks of. */
export const chatBetas = (request: ChatRequest, context: AdapterContext): Record<string, unknown> => {
  const model = modelOf(context.model)
  return betas(request, model, context).anthropic_beta === undefined ? {} : { ...modelFields(request, model, context) }
}

const betas = (request: ChatRequest, model: BedrockModel, context: AdapterContext): Fields => {
  const named = isClaude(model) ? betasOf(request.anthropic_beta, context) : []
  return named.length === 0 ? {} : { anthropic_beta: named }
}

/**
 * What the maker calls it ("Inference parameters", pages of Anthropic, Cohere, Mistral and Nova, read 2026-11-22). Llama has none;
 * of other makers nothing was found in public documentation.
 */
const topKField = ({ maker, name }: BedrockModel): string | undefined => {
  if (maker === 'anthropic' || maker === 'mistral') return 'top_k'
  if (maker === 'cohere') return 'k'
  return maker === 'amazon' && name.startsWith('nova-') ? 'inferenceConfig' : undefined
}

const topK = ({ top_k: value }: ChatRequest, model: BedrockModel, { fixesSampling }: Reasoning): Fields => {
  const field = topKField(model)
  if (isAbsent(value) || field === undefined || fixesSampling) return {}
  return field === 'inferenceConfig' ? { inferenceConfig: { topK: value } } : { [field]: value }
}

const TIERS: ReadonlySet<unknown> = new Set(['default', 'flex', 'priority', 'reserved'])

const serviceTier = (value: unknown): Made => {
  if (value === 'auto') return NOTHING_LOST
  return TIERS.has(value) ? { serviceTier: { type: value } } : undefined
}

/** Keys and values of at most 256 of these characters, sixteen pairs ("Converse", requestMetadata). */
const METADATA = /^[a-zA-Z0-9\s:_@$#=/+,.-]{1,256}$/

const requestMetadata = (value: unknown): Made => {
  const pairs = isRecord(value) ? Object.entries(value) : []
  const fits = pairs.every(([name, text]) => METADATA.test(name) && typeof text === 'string' && METADATA.test(text))
  if (pairs.length === 0 || pairs.length > 16 || !fits) return undefined
  return { requestMetadata: value }
}

/** A parameter that Converse does not have: named as lost unless it asks for what happens anyway. */
function lostUnless(usual: unknown) {
  return (value: unknown): Made => (value === usual ? NOTHING_LOST : undefined)
}
