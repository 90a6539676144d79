import { defined, isRecord, UpstreamError, UpstreamInvalid, type Usage } from '#kit'
import {
  type AdapterContext,
  ANTHROPIC_ERROR_STATUS,
  type ChatCompletion,
  type FinishReason,
  type Model,
  type ModelList,
  type OpenAIUsage,
  openaiFailure,
  type ToolCall,
  usageFromAnthropic,
} from '#kit/provider'
import { createCarrier } from './carried.ts'
import { type Block, type Fields, isAbsent } from './values.ts'

const PROVIDER = 'anthropic'

export const upstreamInvalid = (problem: string, cause?: unknown): UpstreamInvalid =>
  new UpstreamInvalid(`Anthropic answered with ${problem}.`, { provider: PROVIDER, cause })

/** The error of an `{type: 'error', error: {type, message}}` that came with a 200 or inside a stream. */
export const upstreamError = (body: Fields): UpstreamError => {
  const { message, type, code } = openaiFailure(200, body)
  const status =
    typeof type === 'string' && Object.hasOwn(ANTHROPIC_ERROR_STATUS, type) ? ANTHROPIC_ERROR_STATUS[type] : undefined
  return new UpstreamError(message, {
    provider: PROVIDER,
    type: type ?? null,
    wireCode: code ?? null,
    ...defined({ status }),
  })
}

export const isError = (body: Fields): boolean => body.type === 'error' || !isAbsent(body.error)

/**
 * A message as a chat completion.
 * @throws UpstreamError for an error in a 200, UpstreamInvalid for a body that is no complete message.
 */
export const readReply = (
  body: unknown,
  context: AdapterContext,
): { readonly reply: ChatCompletion; readonly usage?: Usage } => {
  if (!isRecord(body)) throw upstreamInvalid('something that is not a JSON object')
  if (isError(body)) throw upstreamError(body)
  if (!Array.isArray(body.content) || !body.content.every(isBlock)) throw upstreamInvalid('a message without content')
  if (typeof body.stop_reason !== 'string') throw upstreamInvalid('a message without a stop reason')
  const blocks: readonly Block[] = body.content
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
  const thoughts = blocks.map(thoughtOf).join('')
  const toolCalls = toolCallsOf(blocks, context)
  const carried = context.strict ? [] : blocks.filter(({ type }) => type !== 'tool_use')
  const refusal = refusalOf(body)
  const usage = usageFromAnthropic(body.usage)
  const reply: ChatCompletion = {
    id: replyId(body.id, context),
    object: 'chat.completion',
    created: context.created,
    model: typeof body.model === 'string' ? body.model : context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: texts.length === 0 ? null : texts.join(''),
          ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
          ...defined({ refusal }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
          ...(carried.length === 0 ? {} : { content_blocks: carried }),
        },
        logprobs: null,
        finish_reason: finishReason(body.stop_reason, context),
      },
    ],
    ...(usage === undefined ? {} : { usage: openaiUsage(usage, context.strict) }),
  }
  return usage === undefined ? { reply } : { reply, usage }
}

const isBlock = (value: unknown): value is Block => isRecord(value) && typeof value.type === 'string'

/** The text of a thinking block. Empty for one whose text the provider keeps to itself. */
export const thoughtOf = ({ type, thinking }: Fields): string =>
  type === 'thinking' && typeof thinking === 'string' ? thinking : ''

const toolCallsOf = (blocks: readonly Block[], { strict }: AdapterContext): readonly ToolCall[] => {
  const carrier = createCarrier()
  const calls: ToolCall[] = []
  for (const block of blocks) {
    if (block.type === 'tool_use') calls.push({ ...toolCallOf(block), ...carrier.take() })
    // Where content blocks are shown, they carry it.
    else if (strict) carrier.add(block)
  }
  return calls
}

const toolCallOf = ({ id, name, input }: Block): ToolCall => {
  if (typeof id !== 'string' || typeof name !== 'string') throw upstreamInvalid('a tool call without id or name')
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }
}

export const replyId = (id: unknown, { callId }: AdapterContext): string =>
  typeof id === 'string' ? id : `chatcmpl-${callId}`

/** Why the provider refused, in its words: only some refusals say it ("Stop reasons and fallback"). */
export const refusalOf = ({ stop_details: details }: Fields): string | undefined =>
  isRecord(details) && typeof details.explanation === 'string' ? details.explanation : undefined

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  // A loop of server tools reached its limit: the answer is not complete, and `length` is the word for that.
  pause_turn: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export const finishReason = (stopReason: string, { ownFinishReason }: AdapterContext): string => {
  if (ownFinishReason === true) return stopReason
  return (Object.hasOwn(FINISH_REASONS, stopReason) ? FINISH_REASONS[stopReason] : undefined) ?? 'stop'
}

/** Usage in the reference's form; with strict compliance off the provider's own cache counts stay beside it. */
export const openaiUsage = (usage: Usage, strict: boolean): OpenAIUsage => {
  const { cachedInputTokens: cached, cacheWriteTokens: written, reasoningTokens: reasoning } = usage
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(strict || cached === undefined ? {} : { cache_read_input_tokens: cached }),
    ...(strict || written === undefined ? {} : { cache_creation_input_tokens: written }),
  }
}

/** `GET /models` as the reference's list; with strict compliance off the provider's own fields stay. */
export const readModels = (body: unknown, context: AdapterContext): { readonly reply: ModelList } => {
  if (!isRecord(body)) throw upstreamInvalid('something that is not a JSON object')
  if (isError(body)) throw upstreamError(body)
  if (!Array.isArray(body.data)) throw upstreamInvalid('a list of models without data')
  return { reply: { object: 'list', data: body.data.filter(isRecord).map((model) => modelOf(model, context)) } }
}

/** One model. */
export const readModel = (body: unknown, context: AdapterContext): { readonly reply: Model } => {
  if (!isRecord(body)) throw upstreamInvalid('something that is not a JSON object')
  if (isError(body)) throw upstreamError(body)
  return { reply: modelOf(body, context) }
}

const modelOf = (model: Fields, { strict }: AdapterContext): Model => {
  const { id, created_at: createdAt, type: _, ...extras } = model
  if (typeof id !== 'string') throw upstreamInvalid('a model without an id')
  const createdMs = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return {
    ...(strict ? {} : extras),
    id,
    object: 'model',
    created: Number.isNaN(createdMs) ? 0 : Math.floor(createdMs / 1000),
    owned_by: 'anthropic',
  }
}
