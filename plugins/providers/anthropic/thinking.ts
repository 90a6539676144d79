import { defined, isRecord } from '#kit'
import type { ChatRequest } from '#kit/provider'
import { isInsideBareToolLoop } from './carried.ts'
import type { ModelTraits } from './models.ts'
import { asksForCall } from './tools.ts'
import { type Fields, isAbsent, recordAt, refuse, stringAt } from './values.ts'

/** Thinking tokens for `reasoning_effort` on models that take a budget. */
const BUDGET_TOKENS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
}

/** The least that the provider accepts. */
const MIN_BUDGET_TOKENS = 1024

/** Models since Opus 4.7 keep their thoughts to themselves unless asked ("Thinking", controlling thinking display, read 2026-11-22). */
const SHOWN: Fields = { type: 'adaptive', display: 'summarized' }

export interface Reasoning {
  /** The `thinking` field. */
  readonly thinking?: Fields
  /** The `output_config.effort` field. */
  readonly effort?: string
  /** The model cannot do what `reasoning_effort` asks for. */
  readonly lost: boolean
  /** The native `thinking` of the call cannot be had together with its tools. */
  readonly nativeLost?: true
  /** The model takes no budget: the nearest effort stands for it. */
  readonly budgetLost?: true
}

/**
 * What `reasoning_effort` and the native `thinking` come to; the native field wins.
 * @param maxTokens output limit of the call, which the thinking tokens count towards.
 * @throws InvalidRequest for an effort that nobody knows.
 */
export const reasoningOf = (request: ChatRequest, traits: ModelTraits, maxTokens: number): Reasoning => {
  const native = nativeThinking(request, traits)
  if (isAbsent(request.reasoning_effort)) return { ...native, lost: false }
  const asked = fromEffort(stringAt(request.reasoning_effort, 'reasoning_effort'), request, traits, maxTokens)
  return { ...asked, ...native, ...defined({ effort: asked.effort }) }
}

/** Refused with a forced tool call, and a budget in a loop of tools whose thinking did not come back: both are 400s. */
const nativeThinking = (request: ChatRequest, traits: ModelTraits): Partial<Reasoning> => {
  if (isAbsent(request.thinking)) return {}
  const thinking = recordAt(request.thinking, 'thinking')
  const isLost =
    isThinking({ thinking }) &&
    (asksForCall(request, traits) || (thinking.type === 'enabled' && isInsideBareToolLoop(request)))
  if (isLost) return { nativeLost: true }
  if (thinking.type === 'enabled' && !traits.budgets) {
    const { budget_tokens: budget, ...rest } = thinking
    const effort = typeof budget === 'number' ? nearest(effortOf(budget), traits.efforts) : undefined
    return defined({ thinking: { ...SHOWN, ...rest, type: 'adaptive' }, effort, budgetLost: true })
  }
  const cannotBeOff = traits.thinkingOff === 'never' || traits.thinkingOff === 'between_tools'
  return thinking.type === 'disabled' && cannotBeOff ? off(traits) : { thinking }
}

/** The effort whose budget this is, or the next one above. */
const effortOf = (budget: number): string =>
  ['low', 'medium', 'high'].find((effort) => budget <= (BUDGET_TOKENS[effort] ?? 0)) ?? 'xhigh'

const fromEffort = (effort: string, request: ChatRequest, traits: ModelTraits, maxTokens: number): Reasoning => {
  if (effort === 'none') return off(traits)
  const budgetTokens = Object.hasOwn(BUDGET_TOKENS, effort) ? BUDGET_TOKENS[effort] : undefined
  if (budgetTokens === undefined) {
    return refuse('reasoning_effort', 'must be one of none, minimal, low, medium, high, xhigh and max.')
  }
  // Thinking that is asked for and a forced tool call exclude each other ("Thinking", tool choice).
  const forced = asksForCall(request, traits)
  if (traits.thinking === 'adaptive') {
    const level = nearest(effort, traits.efforts)
    return { effort: level, ...(forced ? {} : { thinking: SHOWN }), lost: false }
  }
  const fits = maxTokens > MIN_BUDGET_TOKENS && !isInsideBareToolLoop(request)
  if (traits.thinking === 'none' || forced || !fits) return { lost: true }
  // The budget counts towards the limit, so a quarter is left for the answer.
  const fitting = Math.max(MIN_BUDGET_TOKENS, Math.floor((maxTokens * 3) / 4))
  return { thinking: { type: 'enabled', budget_tokens: Math.min(budgetTokens, fitting) }, lost: false }
}

/** Where thinking cannot be turned off, the migration guides advise a low effort. */
const off = ({ thinkingOff }: ModelTraits): Reasoning => {
  if (thinkingOff === 'omit') return { lost: false }
  return thinkingOff === 'never' ? { effort: 'low', lost: false } : { thinking: { type: thinkingOff }, lost: false }
}

/** Level that the model has: this one, or the next one below. */
const nearest = (effort: string, efforts: readonly string[]): string => {
  if (efforts.includes(effort)) return effort
  return effort === 'xhigh' ? 'high' : 'low'
}

/** True when the call makes the model think although it would not on its own: sampling is then fixed. */
export const isThinking = ({ thinking }: Pick<Reasoning, 'thinking'>): boolean =>
  isRecord(thinking) && (thinking.type === 'enabled' || thinking.type === 'adaptive')
