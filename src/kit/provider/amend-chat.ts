import { isRecord } from '../../core/json/record.ts'
import { UpstreamError } from '../../errors/gateway-error.ts'
import type { AdapterContext, Amendment } from './provider.ts'

/** How the chat answers of a host of OpenAI's format differ from that format. */
export interface AnswerDialect {
  /** Field of a message with the model's reasoning, where it is not `reasoning_content`. */
  readonly reasoning?: string
  /** The host's own finish reasons in OpenAI's words; `error` for an answer that broke. Any other becomes `stop`. */
  readonly finishReasons?: Readonly<Record<string, string>>
  /** Names of the fields that `message` looks at; without one of them a piece of a stream is not read. */
  readonly fields?: readonly string[]
  /** Changes a whole message, or the delta of one. Gives the same object back where nothing changes. */
  readonly message?: (message: Fields, place: AnswerPlace) => Fields
  /**
   * True for a host that counts reasoning beside `completion_tokens` and not in them, as OpenAI does, and adds up all three in
   * `total_tokens`.
   */
  readonly reasoningBeside?: true
  /** Error that the host tells beside the choices. */
  readonly errorOf?: (body: Fields) => string | undefined
}

export interface AnswerPlace {
  /** True for a piece of a stream. */
  readonly isDelta: boolean
  readonly choice: number
  readonly context: AdapterContext
}

type Fields = Readonly<Record<string, unknown>>

const FINISH_REASONS: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])

/** What makes the answers of such a host those of OpenAI's format. */
export const amendChat = (dialect: AnswerDialect, provider: string): ((context: AdapterContext) => Amendment) => {
  const { reasoning, reasoningBeside, finishReasons, fields = [], errorOf } = dialect
  const watched = [
    ...(reasoning === undefined ? [] : [reasoning]),
    ...(finishReasons === undefined ? [] : ['finish_reason']),
    ...(reasoningBeside === undefined ? [] : ['usage']),
    ...fields,
  ]
  const messageOf = (message: unknown, place: AnswerPlace): unknown => {
    if (!isRecord(message)) return message
    const made = dialect.message?.(message, place) ?? message
    return reasoning === undefined ? made : withReasoning(made, reasoning, place.context.strict)
  }
  const choiceOf = (choice: unknown, at: number, context: AdapterContext): unknown => {
    if (!isRecord(choice)) return choice
    const isDelta = isRecord(choice.delta)
    const name = isDelta ? 'delta' : 'message'
    const message = messageOf(choice[name], {
      isDelta,
      choice: typeof choice.index === 'number' ? choice.index : at,
      context,
    })
    const reason = finishReasons === undefined ? choice.finish_reason : finishReasonOf(choice, finishReasons, provider)
    const finish = context.ownFinishReason === true ? choice.finish_reason : reason === '' ? unsaid(choice) : reason
    if (message === choice[name] && finish === choice.finish_reason) return choice
    return { ...choice, [name]: message, finish_reason: finish }
  }
  return (context) => ({
    fields: watched,
    amend: (body) => {
      const told = errorOf?.(body)
      if (told !== undefined) throw new UpstreamError(told, { provider })
      const counted = reasoningBeside === undefined ? body : withReasoningCounted(body)
      const { choices } = counted
      if (!Array.isArray(choices)) return counted
      const made = choices.map((choice: unknown, at) => choiceOf(choice, at, context))
      return made.every((choice, index) => choice === choices[index]) ? counted : { ...counted, choices: made }
    },
  })
}

/** Only where the host's own sum says so: one that counts as OpenAI does today may do so tomorrow. */
const withReasoningCounted = (body: Fields): Fields => {
  const { usage } = body
  if (!isRecord(usage) || !isRecord(usage.completion_tokens_details)) return body
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  const { reasoning_tokens: reasoning } = usage.completion_tokens_details
  if (![prompt, completion, total, reasoning].every((count) => typeof count === 'number') || reasoning === 0)
    return body
  const all = Number(completion) + Number(reasoning)
  return total === Number(prompt) + all ? { ...body, usage: { ...usage, completion_tokens: all } } : body
}

/** An empty finish reason says nothing in a piece of a stream; a whole answer must have had some reason. */
const unsaid = ({ delta, message }: Fields): string | null => {
  if (isRecord(delta)) return null
  return isRecord(message) && Array.isArray(message.tool_calls) && message.tool_calls.length > 0 ? 'tool_calls' : 'stop'
}

/** Strict answers have one word for it; without strictness the host's own stays beside. */
const withReasoning = (message: Fields, field: string, strict: boolean): Fields => {
  const said = message[field]
  if (typeof said !== 'string') return message
  const { [field]: _, ...rest } = message
  const kept = strict ? rest : message
  return typeof message.reasoning_content === 'string' ? kept : { ...kept, reasoning_content: said }
}

/** @throws UpstreamError for an answer that ended in an error. */
const finishReasonOf = (choice: Fields, own: Readonly<Record<string, string>>, provider: string): unknown => {
  const { finish_reason: reason } = choice
  if (typeof reason !== 'string' || reason === '' || FINISH_REASONS.has(reason)) return reason
  const word = Object.hasOwn(own, reason) ? own[reason] : 'stop'
  if (word !== 'error') return word
  const message = isRecord(choice.error) && typeof choice.error.message === 'string' ? choice.error.message : undefined
  throw new UpstreamError(message ?? `The model ended its answer with ${reason}.`, { provider, wireCode: reason })
}
