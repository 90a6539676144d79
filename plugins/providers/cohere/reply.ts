import { defined, isRecord, UpstreamError, UpstreamInvalid } from '#kit'
import {
  type AdapterContext,
  type ChatCompletion,
  type FinishReason,
  type OpenAIUsage,
  type ToolCall,
  tokenCount,
  usageFromOpenAI,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const FINISH: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
}

/**
 * The reason in OpenAI's words, or the provider's own where the client asked for that.
 * @throws UpstreamError for an answer that the provider broke off (`ERROR`, `TIMEOUT`)
 */
export const finishReason = (reason: unknown, { ownFinishReason }: AdapterContext): string => {
  if (typeof reason !== 'string') throw invalid('has no reason why it ends')
  if (reason === 'ERROR' || reason === 'TIMEOUT') {
    throw new UpstreamError(`The provider broke the answer off: ${reason}.`, { provider: 'cohere', type: reason })
  }
  if (ownFinishReason === true) return reason
  return Object.hasOwn(FINISH, reason) ? (FINISH[reason] ?? 'stop') : 'stop'
}

/** What is billed, as prices go by it; what was counted where nothing is. */
export const usageOf = (usage: unknown): OpenAIUsage | undefined => {
  if (!isRecord(usage)) return undefined
  const counts = [usage.billed_units, usage.tokens].find(
    (each) => isRecord(each) && tokenCount(each.input_tokens) !== undefined,
  )
  if (!isRecord(counts)) return undefined
  const input = tokenCount(counts.input_tokens) ?? 0
  const output = tokenCount(counts.output_tokens) ?? 0
  const cached = tokenCount(usage.cached_tokens)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    // It is counted in tokens of the prompt, of which fewer may be billed.
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: Math.min(cached, input) } }),
  }
}

export const readReply = (body: unknown, context: AdapterContext) => {
  if (!isRecord(body)) throw invalid('is no JSON object')
  const { message } = body
  if (!isRecord(message)) throw invalid('has no message')
  const parts = Array.isArray(message.content) ? message.content.filter(isRecord) : []
  const text = joined(parts, 'text')
  const thought = `${typeof message.tool_plan === 'string' ? message.tool_plan : ''}${joined(parts, 'thinking') ?? ''}`
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(toCall) : []
  const usage = usageOf(body.usage)
  const reply: ChatCompletion = {
    id: typeof body.id === 'string' ? body.id : `chatcmpl-${context.callId}`,
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? (calls.length > 0 ? null : ''),
          ...(thought === '' ? {} : { reasoning_content: thought }),
          refusal: null,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          // OpenAI has no form for what is cited from documents of the request.
          ...(context.strict || !Array.isArray(message.citations) ? {} : { citations: message.citations }),
        },
        logprobs: null,
        finish_reason: finishReason(body.finish_reason, context),
      },
    ],
    ...defined({ usage }),
  }
  return { reply, ...defined({ usage: usageFromOpenAI(usage) }) }
}

const joined = (parts: readonly Fields[], kind: 'text' | 'thinking'): string | undefined => {
  const texts = parts.flatMap((part) => (part.type === kind && typeof part[kind] === 'string' ? [part[kind]] : []))
  return texts.length === 0 ? undefined : texts.join('')
}

const toCall = (call: unknown): ToolCall => {
  if (!isRecord(call) || !isRecord(call.function) || typeof call.function.name !== 'string') {
    throw invalid('has a tool call without a name')
  }
  const { name, arguments: written } = call.function
  return {
    id: typeof call.id === 'string' ? call.id : name,
    type: 'function',
    function: { name, arguments: typeof written === 'string' && written !== '' ? written : '{}' },
  }
}

export const invalid = (problem: string): UpstreamInvalid =>
  new UpstreamInvalid(`The answer ${problem}.`, { provider: 'cohere' })
